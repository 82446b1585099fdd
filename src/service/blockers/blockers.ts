import {
  type Call,
  type Caller,
  type PrincipalReference,
  requireScope,
  type RequestContext,
} from '../../domain/core/access.js';
import {
  type Blocker,
  nextStates,
  type BlockerChange,
  type NamedBlocker,
} from '../../domain/blockers/blocker.js';
import type {Commit, Guard} from '../../domain/commit/commit.js';
import type {Write} from '../../domain/commit/writes.js';
import {toInstant} from '../../domain/core/dates.js';
import {AppError, fieldError, notFound} from '../../domain/core/errors.js';
import {isId, suffixOf} from '../../domain/core/ids.js';
import {limits} from '../../domain/core/limits.js';
import {lists, type Page} from '../../domain/core/lists.js';
import {
  type Draft,
  isUnchangedByDraft,
  toDraft,
  type WireJson,
  parseWire,
} from '../../domain/core/resource.js';
import {requireTeamAtPointer, type Team} from '../../domain/teams/team.js';
import type {ServiceContext} from '../core/context.js';
import {resolveAuthor} from '../core/member-references.js';
import type {Answer} from '../core/answers.js';
import type {Proof} from '../core/authority.js';
import {planNothing} from '../core/mutation.js';
import {type Precondition, requireRevision} from '../core/precondition.js';
import {createNotifier} from '../inbox/notifications.js';
import {createAuthorFinder} from '../teams/authors.js';
import {type BlockerQuery, createBlockerLister} from './blocker-list.js';
import {
  createChangeBlockerWrites,
  createRaiseBlockerWrites,
  draftResolvedBlocker,
} from './blocker-records.js';

export interface NewRaised {
  /** The id or slug of a team; upper and lower case are the same. */
  readonly team: string;
  /** The text: 1–1,000 code points after trimming. The text is stored as sent. */
  readonly text: string;
  /** The member who is blocked: an id, an e-mail address or a Slack user. Left out: the caller. */
  readonly author?: string | undefined;
}

/** Operations on blockers, whose answers show the current names of the members who acted on them. */
export type Blockers = ReturnType<typeof createBlockers>;

export function createBlockers(context: ServiceContext) {
  const {mutate, records, teams, clock, generateSuffix, authority} = context;
  const requireAuthor = createAuthorFinder(context);
  const {nameActors, nameAnswer} = createActorNamer(context);
  const listBlockers = createBlockerLister(context);
  const planNotifications = createNotifier(context);

  /** Finds a blocker. One of a deleted team counts as deleted, even before the job has removed it. */
  async function requireBlocker(access: Caller, id: string): Promise<{blocker: Blocker; team: Team}> {
    const {workspace, deadline} = access;
    if (!isId('blocker', id)) throw notFound('blocker');
    const [blocker, directory] = await Promise.all([records.find(workspace, id, deadline), teams.of(access)]);
    const team = blocker && directory.byReference(blocker.team_id);
    if (blocker === undefined || team === undefined) throw notFound('blocker');
    return {blocker, team};
  }

  async function requireBlockersBelowLimit({workspace, deadline}: Caller, team: Team): Promise<Guard> {
    const list = lists.openBlockersOfTeam(team.id);
    const open = await records.count(workspace, list, deadline);
    if (open >= limits.openBlockersPerTeam) {
      const detail = `The team "${team.slug}" has ${open} blockers that are not resolved, which is as many as it may have. Resolve some first.`;
      throw new AppError('limit_reached', detail, {reason: 'many_blockers'});
    }
    return {check: 'length', list, below: limits.openBlockersPerTeam};
  }

  async function requireMayChange(
    call: Call,
    blocker: Blocker,
    team: Team,
    {text, state}: BlockerChange,
  ): Promise<Proof> {
    const {principal} = call;
    const {author} = blocker;
    if (principal.id === author.id) return [];
    // The member who acknowledged a blocker may undo that, or resolve the blocker.
    const isResponsible = blocker.state === 'acknowledged' && blocker.acknowledged_by?.id === principal.id;
    if (text === undefined && isResponsible && (state === 'raised' || state === 'resolved')) return [];
    if (principal.type === 'service_account' && !call.scopes.has('standups:write_any')) {
      throw new AppError(
        'forbidden',
        `Only its author ${author.name}, or a token with the scope "standups:write_any" may change it.`,
        {reason: 'not_author', person: author.name},
      );
    }
    if (text === undefined && (state === undefined || state === 'acknowledged')) {
      const membership = await records.findMembership(call.workspace, team.id, principal.id, call.deadline);
      if (membership !== undefined)
        return [{check: 'membership', team: team.id, member: principal.id, is: 'any'}];
      return authority.requireLead(call, team, {
        detail: `Only people of the team "${team.slug}", or an owner or admin of the workspace, may acknowledge this blocker.`,
        reason: 'acknowledge_blocker',
      });
    }
    const leads = `a lead of the team "${team.slug}", or an owner or admin of the workspace`;
    if (text === undefined && state === 'resolved')
      return authority.requireLead(call, team, {
        detail: `Only ${author.name}, who raised this blocker, the member who has acknowledged it, ${leads}, may resolve it.`,
        reason: 'resolve_blocker',
      });
    return authority.requireLead(call, team, {
      detail: `Only ${author.name}, who raised this blocker, ${leads}, may change it.`,
      reason: 'lead_only',
    });
  }

  async function planRaiseBlocker(call: Call, input: NewRaised): Promise<Commit> {
    if (input.author !== undefined) requireScope(call, 'standups:write_any');
    const directory = await teams.of(call);
    const team = requireTeamAtPointer('#/team', directory, input.team, call);
    const {author, proof, accepts} = await requireAuthor(call, input.author, team, 'raise a blocker');
    const room = await requireBlockersBelowLimit(call, team);
    const raised = {team, author, text: input.text, standup: null, question: null};
    const {created, ...made} = createRaiseBlockerWrites(raised, generateSuffix());
    return {
      guards: [{check: 'unchanged', collection: 'teams', version: directory.version}, ...proof, room],
      writes: [...made.writes, ...accepts.writes],
      events: [...made.events, ...accepts.events],
      reply: {kind: 'resource', of: created},
    };
  }

  /** Tells the author of a blocker that another one took it on or resolved it, if a standup raised it. */
  async function planNews(
    call: Call,
    {id, author, standup, state}: Blocker,
    {state: next}: Draft<Blocker>,
  ): Promise<Write[]> {
    if (standup === null || next === state || next === 'raised') return [];
    return planNotifications(call, {
      standup: suffixOf(standup),
      about: suffixOf(id),
      by: call.principal.id,
      others: [{id: author.id, reason: 'blocker'}],
    });
  }

  async function planChangeBlocker(
    call: Call,
    id: string,
    change: BlockerChange,
    expected?: Precondition,
  ): Promise<Commit> {
    const {blocker, team} = await requireBlocker(call, id);
    const proof = await requireMayChange(call, blocker, team, change);
    requireRevision(expected, blocker.revision);
    const draft = applyBlockerChange(blocker, change, call, toInstant(clock.now()));
    if (isUnchangedByDraft(blocker, draft)) return planNothing(blocker);
    const reopens = blocker.state === 'resolved' && draft.state !== 'resolved';
    const room = reopens ? [await requireBlockersBelowLimit(call, team)] : [];
    const {revised, ...made} = createChangeBlockerWrites(blocker, draft);
    const notifications = await planNews(call, blocker, draft);
    return {
      ...made,
      writes: [...made.writes, ...notifications],
      guards: [...proof, ...room],
      reply: {kind: 'resource', of: revised},
    };
  }

  return {
    /**
     * Raises a blocker. Errors: `team_not_found`, `limit_reached` if the team has too many open blockers,
     * `forbidden` for a member who is not in the team. With an author: `insufficient_scope` without
     * `standups:write_any`, `forbidden` except for leads of the team, owners and admins.
     */
    raiseBlocker: async (call: Call, input: NewRaised): Promise<Answer<NamedBlocker>> =>
      nameAnswer(call, await mutate(call, () => planRaiseBlocker(call, input))),
    /**
     * Acknowledges, resolves or reopens a blocker, or changes its text. A change without effect makes no
     * revision and no event. A member of the team may acknowledge a blocker, then undo that or resolve it.
     * The author, leads of the team, owners and admins may do everything. Errors: `not_found`, `forbidden`,
     * `precondition_failed`, `validation_failed` for a state that cannot follow, `limit_reached`.
     */
    changeBlocker: async (
      call: Call,
      id: string,
      change: BlockerChange,
      expected?: Precondition,
    ): Promise<Answer<NamedBlocker>> =>
      nameAnswer(call, await mutate(call, () => planChangeBlocker(call, id, change, expected))),
    async findBlocker(access: Caller, id: string): Promise<NamedBlocker> {
      const {blocker} = await requireBlocker(access, id);
      const [named] = await nameActors(access, [blocker]);
      if (named === undefined) throw notFound('blocker');
      return named;
    },
    /** Lists blockers, newest first. Errors: `team_not_found`. */
    async listBlockers(access: Caller, query: BlockerQuery): Promise<Page<WireJson<NamedBlocker>>> {
      const author = await resolveAuthor(records, access, query.author);
      const {rows, next} = await listBlockers(access, {...query, author});
      const named = await nameActors(access, rows);
      return {rows: named.map((blocker) => JSON.stringify(blocker)), next};
    },
  };
}

function applyBlockerChange(
  blocker: Blocker,
  {text = blocker.text, state = blocker.state}: BlockerChange,
  {principal}: Call,
  now: string,
): Draft<Blocker> {
  const updated = {...blocker, text};
  if (state === blocker.state) return toDraft(updated);
  if (!nextStates[blocker.state].includes(state)) {
    const may = nextStates[blocker.state].map((one) => `"${one}"`).join(' or ');
    const detail = `\`state\` cannot become "${state}": this blocker is "${blocker.state}" and may become ${may}.`;
    throw fieldError('validation_failed', '#/state', detail);
  }
  const {type, id} = principal;
  switch (state) {
    case 'acknowledged':
      return {...toDraft(updated), state, acknowledged_by: {type, id}, acknowledged_at: now};
    case 'resolved':
      return draftResolvedBlocker(updated, principal, now);
    case 'raised':
      return {
        ...toDraft(updated),
        state,
        acknowledged_by: null,
        acknowledged_at: null,
        resolved_by: null,
        resolved_at: null,
      };
  }
}

/** Adds the current names of the members who acknowledged or resolved a blocker. */
function createActorNamer({records}: ServiceContext) {
  async function nameActors({workspace, deadline}: RequestContext, blockers: readonly Blocker[]) {
    const actors = blockers.flatMap(({acknowledged_by, resolved_by}) => [acknowledged_by, resolved_by]);
    const ids = [...new Set(actors.flatMap((actor) => actor?.id ?? []))];
    const found = await records.findMany(workspace, ids, deadline);
    const names = new Map(ids.map((id, i) => [id, found[i]?.name ?? null]));
    const named = (actor: PrincipalReference | null): NamedBlocker['resolved_by'] =>
      actor && {...actor, name: names.get(actor.id) ?? null};
    return blockers.map((blocker) => ({
      ...blocker,
      acknowledged_by: named(blocker.acknowledged_by),
      resolved_by: named(blocker.resolved_by),
    }));
  }

  return {
    nameActors,
    /** Adds the names to the answer of a mutation, even if the answer is a repeated one. */
    async nameAnswer(access: RequestContext, answer: Answer<Blocker>): Promise<Answer<NamedBlocker>> {
      const [named] = await nameActors(access, [parseWire(answer.body)]);
      return {...answer, body: JSON.stringify(named)};
    },
  };
}
