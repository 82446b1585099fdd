import {
  type Commit,
  type CommitPart,
  type EventDraft,
  joinCommitParts,
  nothing,
} from '../../domain/commit/commit.js';
import {type RemovalMode, reviseWrite, type Write} from '../../domain/commit/writes.js';
import type {Call, Caller} from '../../domain/core/access.js';
import {AppError, fieldError} from '../../domain/core/errors.js';
import {suffixOf} from '../../domain/core/ids.js';
import {limits} from '../../domain/core/limits.js';
import {lists} from '../../domain/core/lists.js';
import {type Draft, isUnchangedByDraft, toDraft} from '../../domain/core/resource.js';
import {
  findPrincipalUnlessAuthor,
  type Metadata,
  type Standup,
  findListsWithStandup,
} from '../../domain/standups/standup.js';
import type {Team} from '../../domain/teams/team.js';
import type {ServiceContext} from '../core/context.js';
import type {Proof} from '../core/authority.js';
import {planNothing} from '../core/mutation.js';
import {type Precondition, requireRevision} from '../core/precondition.js';
import type {StandupDates} from '../runs/standup-dates.js';
import type {StandupRuns} from '../runs/standup-runs.js';
import {createStandupBlockers} from './standup-blockers.js';
import {createStandupFinder} from './find-standup.js';
import {type StandupInput, buildChangedContent} from './standup-content.js';
import {createMentionResolver} from './standup-mentions.js';

export interface StandupChange extends Omit<StandupInput, 'answers'> {
  /** All answers after the change; null for none. */
  readonly answers?: StandupInput['answers'] | null;
  readonly date?: string | undefined;
  /** A merge patch of the metadata: null removes a key. */
  readonly metadata?: Readonly<Record<string, string | null>> | null | undefined;
}

/** Plans changes of existing standups. Errors: as `Standups.editStandup` and `deleteStandup`. */
export function createChangePlans(
  context: ServiceContext,
  {standupRuns, standupDates}: {readonly standupRuns: StandupRuns; readonly standupDates: StandupDates},
) {
  const {records, authority} = context;
  const {requireStandup, findSlackMessage} = createStandupFinder(context);
  const standupBlockers = createStandupBlockers(context);
  const resolveMentions = createMentionResolver(context);

  /** Checks that the caller may change a standup. Errors: `forbidden`. */
  async function requireChangeable(call: Caller, standup: Standup, team: Team): Promise<Proof> {
    if (call.principal.id === standup.author.id) return [];
    if (call.principal.type === 'service_account' && !call.scopes.has('standups:write_any')) {
      throw new AppError(
        'forbidden',
        `Only its author ${standup.author.name}, or a token with the scope "standups:write_any" may change it.`,
      );
    }
    return authority.requireLead(call, team, {
      detail: `Only its author ${standup.author.name}, a lead of the team "${team.slug}", or an owner or admin of the workspace, may change it.`,
      reason: 'change_standup',
    });
  }

  /** Finds the day to which a standup is moved, on which it is in time or late like a new one. */
  async function findTargetDay(
    call: Call,
    attempt: number,
    standup: Standup,
    team: Team,
    date: string | undefined,
  ) {
    if (date === undefined || date === standup.date) return undefined;
    const {author} = standup;
    const isOwn = team.schedule?.clock === 'member' && author.type === 'member';
    const member = isOwn ? await records.find(call.workspace, author.id, call.deadline) : undefined;
    const dated = {member: author.id, timezone: member?.timezone ?? null};
    await standupDates.requireAllowedDate(call, date, team, dated);
    const day = await standupRuns.findDay(call, team, date, attempt);
    return {day, late: standupRuns.requireInTime(day, team, date, author)};
  }

  /** History raises no blockers, and an edit of it does not either. Errors: `validation_failed`. */
  async function planBlockersOfEdit(
    call: Call,
    standup: Standup,
    draft: Draft<Standup>,
    team: Team,
    change: StandupChange,
  ): Promise<CommitPart> {
    if (standup.source !== 'import') {
      return standupBlockers.planEdited(call, standup, draft, team, change);
    }
    if (change.blockers === undefined && change.resolved === undefined) return nothing;
    const pointer = change.blockers === undefined ? '#/resolved' : '#/blockers';
    const detail = 'The standup was imported, so it changes no blockers: send it to the blockers themselves.';
    throw fieldError('validation_failed', pointer, detail);
  }

  return {
    requireChangeable,
    async planEdit(
      call: Call,
      attempt: number,
      id: string,
      given: StandupChange,
      expected?: Precondition,
    ): Promise<Commit> {
      const {standup, team, version} = await requireStandup(call, id);
      const proof = await requireChangeable(call, standup, team);
      requireRevision(expected, standup.revision);
      const change = await resolveMentions(call, given, standup);
      const day = await standupRuns.findDay(call, team, standup.date, attempt);
      const target = await findTargetDay(call, attempt, standup, team, change.date);
      const draft = {...applyStandupChange(call, standup, change, team), late: target?.late ?? standup.late};
      const suffix = suffixOf(standup.id);
      const beside = {slack: await findSlackMessage(call, standup.id)};
      const blockers = await planBlockersOfEdit(call, standup, draft, team, change);
      if (isUnchangedByDraft(standup, draft)) {
        const unchanged = planNothing(standup, beside);
        return {...unchanged, ...joinCommitParts([unchanged, blockers])};
      }
      const moved = target !== undefined;
      const now = {revision: standup.revision + 1, late: draft.late};
      const own = {author: standup.author, suffix};
      const left = await standupRuns.planMove(call, day, {...own, now: moved ? null : now});
      const come =
        target === undefined ? nothing : await standupRuns.planMove(call, target.day, {...own, now});
      const move = findListsWithStandup(draft).map(({list, day: at = 0}) => ({list, day: at}));
      const revised = reviseWrite(standup, draft, moved ? {move} : {});
      return {
        guards: [
          ...proof,
          ...(change.answers ? [{check: 'unchanged', collection: 'teams', version} as const] : []),
          ...left.guards,
          ...come.guards,
          ...blockers.guards,
        ],
        writes: [revised, ...left.writes, ...come.writes, ...blockers.writes],
        events: [
          {type: 'standup.updated', about: suffix, revision: standup.revision + 1, team: standup.team_id},
          ...left.events,
          ...come.events,
          ...blockers.events,
        ],
        reply: {kind: 'resource', of: revised, beside},
      };
    },
    async planDelete(call: Call, attempt: number, id: string, expected?: Precondition): Promise<Commit> {
      const {standup, team} = await requireStandup(call, id);
      const proof = await requireChangeable(call, standup, team);
      requireRevision(expected, standup.revision);
      const day = await standupRuns.findDay(call, team, standup.date, attempt);
      const own = {author: standup.author, suffix: suffixOf(standup.id)};
      const left = await standupRuns.planMove(call, day, {...own, now: null});
      const blockers = await standupBlockers.leaving(call, 'remove')(standup, team);
      return {
        effect: 'release',
        guards: [...proof, ...left.guards, ...blockers.guards],
        writes: [...createRemoveStandupWrites(standup, 'remove'), ...left.writes, ...blockers.writes],
        events: [createDeletionEvent(standup), ...left.events, ...blockers.events],
        reply: {kind: 'empty'},
      };
    },
  };
}

/** Removes a standup. A job removes its comments and reactions, of which there may be many. */
export function createRemoveStandupWrites(standup: Standup, how: RemovalMode): Write[] {
  const {id} = standup;
  const work = {kind: 'clear-thread', standup: id, erase: how === 'erase'} as const;
  const ifListed = [lists.commentsOf(id), lists.reactionsOn(id)];
  return [createRemoveStandupWrite(standup, how), {do: 'begin-work', work, ifListed}];
}

export function createRemoveStandupWrite(standup: Standup, how: RemovalMode): Write {
  const {id, revision: from, author} = standup;
  return {
    do: 'remove',
    how,
    id,
    from,
    lists: findListsWithStandup(standup).map(({list}) => list),
    names: [author.id],
  };
}

/** Returns the event of a deletion, after which receivers and Slack remove their copies. */
export function createDeletionEvent({id, revision, team_id: team}: Standup): EventDraft {
  return {type: 'standup.deleted', about: suffixOf(id), revision, team};
}

function applyStandupChange(
  {principal}: Call,
  standup: Standup,
  change: StandupChange,
  team: Team,
): Draft<Standup> {
  const {date, metadata, answers} = change;
  const content = buildChangedContent(standup, {...change, answers: answers === null ? [] : answers}, team);
  const {object, format: before, ...kept} = toDraft(standup);
  const format = (change.format ?? before) === 'markdown' ? 'markdown' : undefined;
  const isContentChanged =
    content.update !== standup.update ||
    format !== before ||
    JSON.stringify(content.answers) !== JSON.stringify(standup.answers);
  return {
    object,
    ...(format !== undefined && {format}),
    ...kept,
    ...content,
    date: date ?? standup.date,
    edited: standup.edited || isContentChanged,
    edited_by: isContentChanged ? findPrincipalUnlessAuthor(standup.author, principal) : standup.edited_by,
    metadata: mergeMetadata(standup.metadata, metadata),
  };
}

function mergeMetadata(before: Metadata, patch: StandupChange['metadata']): Metadata {
  if (patch === undefined) return before;
  if (patch === null) return {};
  const merged = Object.entries({...before, ...patch}).filter(
    (entry): entry is [string, string] => entry[1] !== null,
  );
  if (merged.length > limits.metadataKeys) {
    throw fieldError(
      'validation_failed',
      '#/metadata',
      `\`metadata\` would have ${merged.length} keys; at most ${limits.metadataKeys} are allowed.`,
    );
  }
  return Object.fromEntries(merged);
}
