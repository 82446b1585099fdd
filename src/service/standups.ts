import {type Access, type Call, type Principal, requireScope} from '../domain/access.js';
import type {Guard} from '../domain/commit.js';
import {addDays, type Calendar} from '../domain/dates.js';
import {AppError, fieldError, notFound} from '../domain/errors.js';
import {drawnPart, isId} from '../domain/ids.js';
import {limits} from '../domain/limits.js';
import type {SlackPlace} from '../domain/slack-post.js';
import {type Draft, isSame, toDraft} from '../domain/resource.js';
import {
  type Metadata,
  presentRevision,
  type ShownStandup,
  type Source,
  type Standup,
  standupListings,
} from '../domain/standup.js';
import {type Team, unknownTeam} from '../domain/team.js';
import {textFault} from '../domain/text.js';
import type {Member} from '../domain/workspace.js';
import type {Authority, Proof} from './authority.js';
import {findReferredMember, isReferredAs} from './member-records.js';
import {type Answer, type Mutate, type Plan, planNothing} from './mutation.js';
import type {Page} from './page.js';
import {type Expected, requireRevision} from './precondition.js';
import {showPlaces} from './slack-places.js';
import {createExportStandups, type ExportParts, type ExportStandups} from './standup-export.js';
import {createListStandups, type StandupQuery} from './standup-list.js';
import type {Commits, DrawId, SlackPlaces} from './stores.js';

export interface NewStandup {
  /** Id or slug of a team, in any case. */
  readonly team: string;
  /** 1–4,000 code points after trimming; stored as sent. */
  readonly update: string;
  /** Calendar day; today in the team's zone when left out. */
  readonly date?: string | undefined;
  readonly metadata?: Metadata | undefined;
  /** Whose standup it is: a member by id, e-mail address or Slack user. The caller when left out. */
  readonly author?: string | undefined;
  readonly source: Source;
}

export interface StandupChange {
  readonly update?: string | undefined;
  readonly date?: string | undefined;
  /** A merge patch: null removes a key. */
  readonly metadata?: Readonly<Record<string, string | null>> | null | undefined;
}

export interface Standups {
  /**
   * Errors: `validation_failed`, `team_not_found`, `date_not_allowed`, `forbidden` for a member who is not in the team. With an author:
   * `insufficient_scope` without `standups:write_any`, `forbidden` but for those who lead the team or run the workspace.
   */
  postStandup(call: Call, input: NewStandup): Promise<Answer>;
  findStandup(access: Access & {deadline: number}, id: string): Promise<Standup>;
  /** The same with where it stands in Slack. */
  findShownStandup(access: Access & {deadline: number}, id: string): Promise<ShownStandup>;
  listStandups(access: Access & {deadline: number}, query: StandupQuery): Promise<Page>;
  listShownStandups(access: Access & {deadline: number}, query: StandupQuery): Promise<Page>;
  readonly exportStandups: ExportStandups;
  /** What a standup said before its changes, newest first. Errors: `not_found`. */
  listRevisions(
    access: Access & {deadline: number},
    id: string,
    page: {below?: number | undefined; limit: number},
  ): Promise<Page>;
  /** Changes what is given; a change without effect makes no revision and no event. */
  editStandup(call: Call, id: string, change: StandupChange, expected?: Expected): Promise<Answer>;
  deleteStandup(call: Call, id: string, expected?: Expected): Promise<Answer>;
  /** Takes back what the caller has posted: as `deleteStandup`, but `forbidden` to everybody except its author. Returns what it said. */
  retractStandup(call: Call, id: string): Promise<Standup>;
  /**
   * What a deleted standup said last, to its author, as long as it is kept (30 days); undefined for all others. `revision`: one that it had,
   * not more than 100 before its last.
   */
  findDeleted(
    access: Access & {deadline: number},
    standup: {readonly id: string; readonly revision: number},
  ): Promise<Standup | undefined>;
  /** The standup that a call with this idempotency key has posted, if any; as it is now. */
  findKept(call: Call): Promise<Standup | undefined>;
  /** Tells by event that Slack does not show a standup; once for each idempotency key. */
  reportUnposted(call: Call, standup: {drawn: string; revision: number; team: string}): Promise<void>;
}

export interface StandupParts extends ExportParts {
  readonly mutate: Mutate;
  readonly commits: Pick<Commits, 'findReply'>;
  readonly calendar: Calendar;
  readonly drawId: DrawId;
  readonly authority: Authority;
  readonly slackPosts: SlackPlaces;
}

export function createStandups(parts: StandupParts): Standups {
  const {mutate, commits, records, teams, calendar, clock, drawId, authority, slackPosts} = parts;
  const listStandups = createListStandups(parts);

  async function requireTeam(
    call: Call,
    reference: string,
    attempt: number,
  ): Promise<{team: Team; guard: Guard}> {
    let directory = attempt === 0 ? await teams.get(call.workspace, call.deadline) : undefined;
    let team = directory?.byReference(reference);
    if (team === undefined || directory === undefined) {
      directory = await teams.fresh(call.workspace, call.deadline);
      team = directory.byReference(reference);
    }
    if (team === undefined) throw fieldError('team_not_found', '#/team', unknownTeam(reference, directory));
    return {team, guard: {check: 'unchanged', collection: 'teams', version: directory.version}};
  }

  /** Whose standup a post makes. A member is in the team they post for; a service account is in none and posts for all. */
  async function requireAuthor(
    call: Call,
    reference: string | undefined,
    team: Team,
  ): Promise<{author: Principal; proof: Proof}> {
    const {workspace, principal, deadline} = call;
    if (principal.type === 'service_account') {
      return reference === undefined || reference === principal.id
        ? {author: principal, proof: []}
        : requireOther(call, reference, team);
    }
    const [place, member] = await Promise.all([
      records.findTeamPlace(workspace, team.id, principal.id, deadline),
      records.find<Member>(workspace, principal.id, deadline),
    ]);
    if (reference !== undefined && !(member && isReferredAs(member, reference))) {
      return requireOther(call, reference, team);
    }
    if (place === undefined || member === undefined) {
      throw new AppError('forbidden', `You are not in the team "${team.slug}", so you cannot post for it.`);
    }
    return {author: principal, proof: stillIn(team, member)};
  }

  /** Those who may write for a member of this team, and nobody else: the right is asked before it is told who there is. */
  async function requireOther(
    call: Call,
    reference: string,
    team: Team,
  ): Promise<{author: Principal; proof: Proof}> {
    const proof = await authority.requireLead(call, team, 'post for somebody else');
    const member = await findReferredMember(records, call, reference);
    if (member === undefined) {
      const detail = `There is no member "${reference}": \`author\` is the id, the e-mail address or the Slack user of one.`;
      throw fieldError('validation_failed', '#/author', detail);
    }
    const {id, name} = member;
    const place = await records.findTeamPlace(call.workspace, team.id, id, call.deadline);
    if (place === undefined) {
      const detail = `${name} is not in the team "${team.slug}". Add them to it first, then repeat.`;
      throw fieldError('validation_failed', '#/author', detail);
    }
    return {author: {type: 'member', id, name}, proof: [...proof, ...stillIn(team, member)]};
  }

  function requireAllowedDate(date: string, team: Team): void {
    const today = calendar.dayIn(team.timezone, clock.now());
    const [first, last] = [addDays(today, -limits.daysBack), addDays(today, 1)];
    if (date >= first && date <= last) return;
    throw fieldError(
      'date_not_allowed',
      '#/date',
      `A standup for "${team.slug}" may be dated from ${first} to ${last} (today there is ${today}).`,
    );
  }

  /** A standup of a team that has been deleted is gone, even while the job that removes it is still at work. */
  async function requireStandup(
    {workspace, deadline}: Access & {deadline: number},
    id: string,
  ): Promise<{standup: Standup; team: Team}> {
    if (!isId('standup', id)) throw notFound('standup');
    const [standup, directory] = await Promise.all([
      records.find<Standup>(workspace, id, deadline),
      teams.fresh(workspace, deadline),
    ]);
    const team = standup && directory.byReference(standup.team_id);
    if (standup === undefined || team === undefined) throw notFound('standup');
    return {standup, team};
  }

  async function findPlace(
    {workspace, deadline}: Pick<Call, 'workspace' | 'deadline'>,
    id: string,
  ): Promise<SlackPlace | null> {
    const [place] = await slackPosts.listPlaces(workspace, [drawnPart(id)], deadline);
    return place ?? null;
  }

  /** The author may change a standup, and so may the leads of its team, those who run the workspace, and programs that write for others. */
  async function requireChangeable(call: Call, standup: Standup, team: Team): Promise<Proof> {
    if (call.principal.id === standup.author.id) return [];
    if (call.principal.type === 'service_account' && !call.scopes.has('standups:write_any')) {
      throw new AppError(
        'forbidden',
        `Only ${standup.author.name}, who posted this standup, or a token with the scope "standups:write_any" may change it.`,
      );
    }
    return authority.requireLead(call, team, `change a standup of ${standup.author.name}`);
  }

  async function planPost(call: Call, input: NewStandup, attempt: number): Promise<Plan> {
    if (input.author !== undefined) requireScope(call, 'standups:write_any');
    requireText(input.update);
    const {team, guard} = await requireTeam(call, input.team, attempt);
    const date = input.date ?? calendar.dayIn(team.timezone, clock.now());
    if (input.date !== undefined) requireAllowedDate(date, team);
    const {author, proof} = await requireAuthor(call, input.author, team);
    const drawn = drawId();
    const draft: Draft<Standup> = {
      object: 'standup',
      team: team.slug,
      team_id: team.id,
      update: input.update,
      author,
      date,
      source: input.source,
      late: false,
      edited: false,
      metadata: input.metadata ?? {},
    };
    return {
      commit: {
        guards: [guard, ...proof],
        writes: [{do: 'create', kind: 'standup', drawn, draft, lists: standupListings(draft)}],
        events: [{type: 'standup.created', about: drawn, revision: 1, team: team.id}],
        reply: {status: 201, resource: {drawn, revision: 1}, beside: {slack: null}},
      },
    };
  }

  async function planEdit(call: Call, id: string, change: StandupChange, expected?: Expected): Promise<Plan> {
    if (change.update !== undefined) requireText(change.update);
    const {standup, team} = await requireStandup(call, id);
    const proof = await requireChangeable(call, standup, team);
    requireRevision(expected, standup.revision);
    if (change.date !== undefined && change.date !== standup.date) requireAllowedDate(change.date, team);
    const draft = changed(standup, change);
    const drawn = drawnPart(id);
    const beside = {slack: await findPlace(call, id)};
    if (isSame(standup, draft)) {
      const {commit, ...plan} = planNothing(standup);
      return {...plan, commit: {...commit, reply: {...commit.reply, beside}}};
    }
    const moved = draft.date !== standup.date;
    return {
      commit: {
        guards: proof,
        writes: [
          {
            do: 'revise',
            id,
            from: standup.revision,
            createdAt: standup.created_at,
            draft,
            ...(moved && {move: standupListings(draft).map(({list, day = 0}) => ({list, day}))}),
          },
        ],
        events: [
          {type: 'standup.updated', about: drawn, revision: standup.revision + 1, team: standup.team_id},
        ],
        reply: {status: 200, resource: {drawn, revision: standup.revision + 1}, beside},
      },
    };
  }

  async function planDelete(call: Call, id: string, expected?: Expected): Promise<Plan> {
    const {standup, team} = await requireStandup(call, id);
    const proof = await requireChangeable(call, standup, team);
    requireRevision(expected, standup.revision);
    return {
      commit: {
        effect: 'release',
        guards: proof,
        writes: [
          {do: 'remove', id, from: standup.revision, lists: standupListings(standup).map(({list}) => list)},
        ],
        events: [
          {type: 'standup.deleted', about: drawnPart(id), revision: standup.revision, team: standup.team_id},
        ],
        reply: {status: 204},
      },
    };
  }

  return {
    postStandup: (call, input) => mutate(call, (attempt) => planPost(call, input, attempt)),
    editStandup: (call, id, change, expected) => mutate(call, () => planEdit(call, id, change, expected)),
    deleteStandup: (call, id, expected) => mutate(call, () => planDelete(call, id, expected)),
    findStandup: async (access, id) => (await requireStandup(access, id)).standup,
    async retractStandup(call, id) {
      let retracted: Standup | undefined;
      await mutate(call, async () => {
        retracted = (await requireStandup(call, id)).standup;
        if (retracted.author.id === call.principal.id) return planDelete(call, id);
        throw new AppError(
          'forbidden',
          `Only ${retracted.author.name}, who posted this standup, may take it back.`,
        );
      });
      if (retracted === undefined) throw notFound('standup');
      return retracted;
    },
    async findDeleted({workspace, principal, deadline}, {id, revision}) {
      if (!isId('standup', id) || (await records.find(workspace, id, deadline)) !== undefined)
        return undefined;
      const range = {from: revision, to: revision + 100};
      const [last] = await records.listRevisions(workspace, drawnPart(id), range, deadline);
      const standup = last === undefined ? undefined : (JSON.parse(last) as Standup);
      return standup?.author.id === principal.id ? standup : undefined;
    },
    async findKept(call) {
      const made = (await commits.findReply(call))?.reply.resource;
      return made && records.findByDrawn<Standup>(call.workspace, made.drawn, call.deadline);
    },
    async reportUnposted(call, {drawn, revision, team}) {
      const event = {type: 'slack.post_failed', about: drawn, revision, team} as const;
      await mutate(call, async () => ({
        commit: {guards: [], writes: [], events: [event], reply: {status: 204}},
      }));
    },
    async findShownStandup(access, id) {
      const {standup} = await requireStandup(access, id);
      return {...standup, slack: await findPlace(access, id)};
    },
    listStandups,
    async listShownStandups(access, query) {
      const {rows, next} = await listStandups(access, query);
      return {rows: await showPlaces(slackPosts, access.workspace, rows, access.deadline), next};
    },
    exportStandups: createExportStandups(parts),
    async listRevisions(access, id, {below, limit}) {
      const {standup} = await requireStandup(access, id);
      const to = Math.min(below ?? standup.revision, standup.revision) - 1;
      const from = Math.max(1, to - limit + 1);
      const found = await records.listRevisions(access.workspace, drawnPart(id), {from, to}, access.deadline);
      const rows = found.map((json) => JSON.stringify(presentRevision(JSON.parse(json) as Standup)));
      return {rows, next: from > 1 ? from : undefined};
    },
  };
}

/** A standup of somebody who has left in the meantime would be one that nobody clears away. */
function stillIn(team: Team, {id, revision}: Member): Proof {
  return [
    {check: 'joined', team: team.id, member: id},
    {check: 'revision', id, revision},
  ];
}

function requireText(update: string): void {
  const fault = textFault(update, limits.update);
  if (fault !== undefined) throw fieldError('validation_failed', '#/update', `\`update\` ${fault}.`);
}

function changed(standup: Standup, {update, date, metadata}: StandupChange): Draft<Standup> {
  const text = update ?? standup.update;
  return {
    ...toDraft(standup),
    update: text,
    date: date ?? standup.date,
    edited: standup.edited || text !== standup.update,
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
