import type {Call, Caller, Principal, PrincipalId} from '../../domain/core/access.js';
import {
  type Absence,
  findListsWithAbsence,
  type NewAbsence,
  type AbsenceChange,
} from '../../domain/absences/absence.js';
import type {Commit, Guard} from '../../domain/commit/commit.js';
import {createWrite} from '../../domain/commit/writes.js';
import {addDays, dayNumber} from '../../domain/core/dates.js';
import {AppError, notFound} from '../../domain/core/errors.js';
import {isId} from '../../domain/core/ids.js';
import {limits} from '../../domain/core/limits.js';
import {lists, type Page, positionOf} from '../../domain/core/lists.js';
import {
  parseWire,
  type Draft,
  isUnchangedByDraft,
  toDraft,
  type WireJson,
} from '../../domain/core/resource.js';
import type {Member} from '../../domain/workspaces/workspace.js';
import type {ServiceContext} from '../core/context.js';
import {resolveMember} from '../core/member-references.js';
import type {Answer} from '../core/answers.js';
import {planNothing} from '../core/mutation.js';
import {type Precondition, requireRevision} from '../core/precondition.js';
import {
  type AbsenceQuery,
  createAbsenceExporter,
  createAbsenceLister,
  listAbsencesOf,
} from './absence-list.js';
import {createReasonAgeChecker, requireAbsenceDays} from './absence-days.js';
import {
  planAbsenceRemoval,
  readTeam,
  planAbsenceRevision,
  type RestateRequest,
  createRunUpdateJobWrites,
} from './absence-plans.js';
import {createAbsenceReasons, type ReadAbsence} from './absence-reasons.js';
import {type MemberReturn, createReturnPlanner, type EndedAbsences} from './come-back.js';
import {createAbsenceRights} from './absence-rights.js';

export type Absences = ReturnType<typeof createAbsences>;

export function createAbsences(context: ServiceContext) {
  const {clock, records, mutate, teams, zones, generateSuffix} = context;
  const listAbsences = createAbsenceLister(context);
  const rights = createAbsenceRights(context);
  const reasons = createAbsenceReasons(context);
  const requireKeptReason = createReasonAgeChecker(context);
  const exportAbsences = createAbsenceExporter(context);
  const planBack = createReturnPlanner(context);

  const asking = (): RestateRequest => ({now: clock.now(), asked: generateSuffix()});

  function findToday({timezone}: Pick<Member, 'timezone'>): string {
    return zones.dayIn(timezone ?? 'UTC', clock.now());
  }

  /** Checks that the member does not have too many absences. Errors: `limit_reached`. */
  async function createAbsenceLimitGuard(
    {workspace, deadline}: Call,
    member: PrincipalId,
    today: string,
  ): Promise<Guard> {
    const [list, past] = [
      lists.absencesOf(member),
      positionOf(dayNumber(addDays(today, -limits.daysBack)), 0),
    ];
    const {rows} = await records.list(
      workspace,
      {list, from: past, limit: limits.absencesPerMember},
      deadline,
    );
    if (rows.length < limits.absencesPerMember)
      return {check: 'length', list, below: limits.absencesPerMember, past};
    throw new AppError(
      'limit_reached',
      `A member has at most ${limits.absencesPerMember} absences that are to come or ended within a year. Delete some, or change one.`,
      {reason: 'many_absences'},
    );
  }

  async function planEnterAbsence(call: Call, input: NewAbsence): Promise<Commit> {
    const {member, proof} = await rights.requireMember(call, input.member, input.team ?? null);
    const today = findToday(member);
    const team =
      typeof input.team === 'string'
        ? await rights.requireOwnTeam(call, input.team, toPrincipal(member))
        : undefined;
    const {kind = 'away', from = today, until = from, reason = null} = input;
    requireAbsenceDays({kind, from, until}, {from: input.from !== undefined, today});
    await requireKeptReason(call, {until, reason});
    const draft: Draft<Absence> = {
      object: 'absence',
      member: toPrincipal(member),
      kind,
      from,
      until,
      reason,
      reason_for: await reasons.findAudience(call, member.id, team),
      team: team?.slug ?? null,
      team_id: team?.id ?? null,
      created_by: call.principal,
      source: null,
    };
    const suffix = generateSuffix();
    const created = createWrite('absence', suffix, draft, findListsWithAbsence(draft));
    return {
      guards: [...proof, await createAbsenceLimitGuard(call, member.id, today)],
      writes: [created, ...createRunUpdateJobWrites(member.id, [draft], asking())],
      events: [{type: 'absence.created', about: suffix, revision: 1, ...readTeam(draft)}],
      reply: {kind: 'resource', of: created},
    };
  }

  async function planSkipRun(call: Call, {date, team: reference, reason}: Parameters<Absences['skip']>[1]) {
    const team = reference === undefined ? undefined : await rights.requireTeam(call, reference);
    const there = await listAbsencesOf(records, call, call.principal.id, {from: date, until: date});
    const same = there.find(({kind, team_id}) => kind === 'skip' && team_id === (team?.id ?? null));
    if (same === undefined)
      return planEnterAbsence(call, {kind: 'skip', from: date, team: team?.id, reason: reason ?? null});
    return reason === undefined || reason === same.reason
      ? planNothing(same)
      : planAbsenceRevision(
          same,
          {...toDraft(same), reason, reason_for: await reasons.findAudience(call, same.member.id, team)},
          [],
          asking(),
        );
  }

  /** Finds an absence. One of a private team that the caller may not see is not found. Errors: `not_found`. */
  async function requireAbsence(access: Caller, id: string): Promise<Absence> {
    const found = isId('absence', id) ? await records.find(access.workspace, id, access.deadline) : undefined;
    if (found === undefined) throw notFound('absence');
    const ofTeam = found.team_id === null ? [] : [found.team_id];
    if ((await teams.listHidden(access, ofTeam)).size > 0) throw notFound('absence');
    return found;
  }

  async function planChangeAbsence(call: Call, id: string, change: AbsenceChange, expected?: Precondition) {
    const before = await requireAbsence(call, id);
    const proof = await rights.requireChangeable(call, before, change.team);
    requireRevision(expected, before.revision);
    const member = await records.find(call.workspace, before.member.id, call.deadline);
    const team =
      typeof change.team === 'string'
        ? await rights.requireOwnTeam(call, change.team, before.member)
        : undefined;
    const {kind = before.kind, from = before.from} = change;
    const {until = before.until, reason = before.reason} = change;
    const teamFields = change.team === undefined ? before : {team: team?.slug, team_id: team?.id};
    const isTextChanged = reason !== before.reason || change.team !== undefined;
    const about = change.team === undefined ? before.team_id : team?.id;
    const draft: Draft<Absence> = {
      ...toDraft(before),
      member: member === undefined ? before.member : toPrincipal(member),
      kind,
      from,
      until,
      reason,
      reason_for: isTextChanged
        ? await reasons.findAudience(call, before.member.id, about ? {id: about} : undefined)
        : before.reason_for,
      team: teamFields.team ?? null,
      team_id: teamFields.team_id ?? null,
    };
    if (isUnchangedByDraft(before, {...draft, member: before.member})) return planNothing(before);
    const today = findToday({timezone: member?.timezone ?? null});
    const isEarlier = until !== null && (before.until === null || until < before.until);
    const shortens = isEarlier && from >= before.from;
    requireAbsenceDays(draft, {from: from !== before.from, today, shortens});
    if (until !== before.until || reason !== before.reason) await requireKeptReason(call, draft);
    return planAbsenceRevision(before, draft, proof, asking());
  }

  async function planDeleteAbsence(call: Call, id: string, expected?: Precondition): Promise<Commit> {
    const absence = await requireAbsence(call, id);
    const guards = await rights.requireChangeable(call, absence);
    requireRevision(expected, absence.revision);
    const {writes, ...rest} = planAbsenceRemoval(absence);
    const days = createRunUpdateJobWrites(absence.member.id, [absence], asking());
    return {...rest, writes: [...writes, ...days], guards, reply: {kind: 'empty'}};
  }

  return {
    /**
     * Records that a member is away; absences may overlap. For another member the caller must be an owner,
     * an admin, or a lead of the only team to which the absence applies. Errors: `forbidden`,
     * `validation_failed`, `date_not_allowed`, `team_not_found`, `limit_reached`.
     */
    enterAbsence: (call: Call, input: NewAbsence): Promise<Answer<Absence>> =>
      mutate(call, () => planEnterAbsence(call, input)),
    /** Returns today in the caller's time zone. */
    async findToday({workspace, principal, deadline}: Caller): Promise<string> {
      const person = await records.find(workspace, principal.id, deadline);
      return findToday({timezone: person?.object === 'member' ? person.timezone : null});
    },
    /** Skips the caller's standup on a date, for all teams or one. An existing skip is returned. */
    skip: (
      call: Call,
      day: {
        readonly date: string;
        readonly team?: string | undefined;
        readonly reason?: string | null | undefined;
      },
    ): Promise<Answer<Absence>> => mutate(call, () => planSkipRun(call, day)),
    /** Ends all absences and skips of the caller for today (see come-back.ts). */
    async comeBack(call: Call, now: MemberReturn): Promise<EndedAbsences> {
      const {body} = await mutate<Partial<EndedAbsences>>(call, () => planBack(call, now, asking()));
      return {ended: 0, skipped: [], closed: false, ...parseWire(body)};
    },
    /** Returns an absence. `isWhole` is false if the reason is hidden from the caller. */
    async findAbsence(access: Caller, id: string): Promise<ReadAbsence> {
      const absence = await requireAbsence(access, id);
      return (await reasons.createShow(access))(absence);
    },
    /** Streams all matching absences, without pages. Ends with an error if the token ends. */
    exportAbsences: async (
      call: Call,
      query: Omit<AbsenceQuery, 'past' | 'limit'>,
    ): Promise<AsyncGenerator<readonly WireJson[], void, void>> =>
      exportAbsences(call, {...query, member: await resolveMember(records, call, query.member)}),
    /** Lists absences, latest end first. Errors: `team_not_found`. */
    listAbsences: async (access: Caller, query: AbsenceQuery): Promise<Page<WireJson<Absence>>> =>
      listAbsences(access, {...query, member: await resolveMember(records, access, query.member)}),
    /** Returns all absences of a member that overlap a date range. */
    listAbsencesOf: (
      access: Caller,
      member: PrincipalId,
      time: {readonly from: string; readonly until: string | null},
    ): Promise<Absence[]> => listAbsencesOf(records, access, member, time),
    /** Changes an absence. Errors: as `enterAbsence`. */
    changeAbsence: (
      call: Call,
      id: string,
      change: AbsenceChange,
      expected?: Precondition,
    ): Promise<Answer<Absence>> => mutate(call, () => planChangeAbsence(call, id, change, expected)),
    /** Deletes an absence. Errors: `forbidden` except for those who may enter it for the member. */
    deleteAbsence: (call: Call, id: string, expected?: Precondition): Promise<Answer<void>> =>
      mutate(call, () => planDeleteAbsence(call, id, expected)),
  };
}

function toPrincipal({id, name}: Member): Principal<'member'> {
  return {type: 'member', id, name};
}
