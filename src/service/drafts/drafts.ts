import {emptyCommit, type Guard} from '../../domain/commit/commit.js';
import {type Call, type Caller, type RequestContext, requireScope} from '../../domain/core/access.js';
import {addDays, toInstant} from '../../domain/core/dates.js';
import {AppError, fieldError, notFound} from '../../domain/core/errors.js';
import {type Id, suffixOf} from '../../domain/core/ids.js';
import {limits} from '../../domain/core/limits.js';
import {
  createDraftPart,
  joinDraftTexts,
  type NewDraftPart,
  type StandupDraft,
} from '../../domain/drafts/draft.js';
import {findTeamToday} from '../../domain/runs/run-times.js';
import {isExpected, requireTeamAtPointer, type Team} from '../../domain/teams/team.js';
import type {Member} from '../../domain/workspaces/workspace.js';
import type {DraftPartRecord} from '../../store/drafts/draft-records.js';
import {findNamedTeam} from '../core/named-team.js';
import type {ServiceContext} from '../core/context.js';
import {findReferredMember, requireMember} from '../core/member-references.js';
import type {StandupDates} from '../runs/standup-dates.js';
import {requireAnswers} from '../standups/standup-content.js';

/** The team and the day of a draft. `date` left out: the day of a standup that the member would post now. */
export interface DraftDay {
  readonly team: string;
  readonly date?: string | undefined;
}

/**
 * Drafts: what programs prepare for a person's next standup. Only that person reads all parts. Service accounts
 * and leads write parts for others with `standups:write_any`, and change only those that they wrote themselves.
 */
export type Drafts = ReturnType<typeof createDrafts>;

export function createDrafts(context: ServiceContext, {standupDates}: {readonly standupDates: StandupDates}) {
  const {records, teams, zones, clock, authority, draftRecords, mutate} = context;

  /** Finds the member whose draft the caller may change. Errors: `insufficient_scope`, `not_found`. */
  async function requireTarget(call: Call, reference: string): Promise<Member> {
    const member = await findReferredMember(records, call, reference);
    if (member?.id !== call.principal.id) requireScope(call, 'standups:write_any');
    return member ?? requireMember(records, call, reference);
  }

  const findDate = (call: Caller, team: Team, {id, timezone}: Member) =>
    standupDates.findDate(call, team, {member: id, timezone});

  /** Errors: `date_not_allowed`. */
  function requireAllowedDate(date: string, team: Team, {timezone}: Member): void {
    const today = findTeamToday(team, timezone, zones, clock.now());
    const [first, last] = [addDays(today, -1), addDays(today, limits.draftDaysAhead)];
    if (first <= date && date <= last) return;
    throw fieldError(
      'date_not_allowed',
      '#/date',
      `A draft for "${team.slug}" may be dated from ${first} to ${last} (today there is ${today}), not ${date}.`,
    );
  }

  /**
   * Checks that the caller may write a part, as for a post. The guards keep a draft from being stored for a
   * person who has just left, or for a team that has just been deleted. Errors: `forbidden`.
   */
  async function requireWriter(call: Call, team: Team, member: Member): Promise<Guard[]> {
    const {workspace, principal, deadline} = call;
    const {id, name, revision, created_at, updated_at} = member;
    const isOwn = principal.id === id;
    const proof = isOwn
      ? []
      : [
          ...(await authority.requireLead(call, team, 'write drafts of other members')),
          ...(await authority.requireAccepted(call, team, member)),
        ];
    const membership = await records.findMembership(workspace, team.id, id, deadline);
    if (membership === undefined || !isExpected(membership)) {
      const reason = membership === undefined ? 'outside_team' : 'observer';
      const who = isOwn ? 'You cannot' : `${name} cannot`;
      const detail = `${who} post for the team "${team.slug}", so there is no draft for it. Who leads it can add members.`;
      throw new AppError('forbidden', detail, {reason, team: team.id});
    }
    return [
      ...proof,
      {check: 'membership', team: team.id, member: id, is: membership},
      {check: 'as-read', id, revision, created_at, updated_at},
    ];
  }

  async function requireQueriedTeam(call: Caller, reference: string): Promise<Team> {
    const team = await findNamedTeam(teams, call, reference);
    if (team === undefined) throw new Error('an unknown team is refused');
    return team;
  }

  return {
    /**
     * Returns the parts that the caller may read: the member reads all, a service account those that it wrote.
     * Errors: `not_found` for everyone else, `team_not_found`.
     */
    async findDraft(call: Caller, reference: string, {team: named, date}: DraftDay): Promise<StandupDraft> {
      const {workspace, principal, deadline} = call;
      const found = await findReferredMember(records, call, reference);
      const isOwn = found?.id === principal.id;
      if (principal.type === 'member' && !isOwn) throw notFound('draft');
      const member = found ?? (await requireMember(records, call, reference));
      const team = await requireQueriedTeam(call, named);
      const [{parts}, day] = await Promise.all([
        draftRecords.list(workspace, member.id, deadline),
        date ?? findDate(call, team, member),
      ]);
      const chosen = parts.filter(
        (one) => isOfDay(one, team, day) && (isOwn || one.part.updated_by.id === principal.id),
      );
      return presentDraft(member.id, team, day, chosen);
    },
    /**
     * Sets the part of a source. Errors: `not_found`, `insufficient_scope`, `team_not_found`, `forbidden`,
     * `date_not_allowed`, `validation_failed`, `limit_reached`.
     */
    setDraftPart: (call: Call, reference: string, input: NewDraftPart) =>
      mutate<void>(call, async () => {
        const member = await requireTarget(call, reference);
        // Read before the teams: a part of a team that is not among them was then of a deleted one.
        const {stored, parts} = await draftRecords.list(call.workspace, member.id, call.deadline);
        const all = await teams.all(call);
        const seen = await teams.among(all, call);
        const team = requireTeamAtPointer('#/team', seen, input.team, call);
        const guards = await requireWriter(call, team, member);
        if (input.date !== undefined) requireAllowedDate(input.date, team, member);
        const date = input.date ?? (await findDate(call, team, member));
        const {answers} = requireAnswers(input.answers ?? [], team, {partial: true});
        const {source} = input;
        const isSame = (one: DraftPartRecord) => isOfDay(one, team, date) && one.source === source;
        const before = parts.find(isSame);
        const gone = stored.filter((one) => all.bySuffix(one.team) === undefined);
        const kept = parts.filter((one) => !gone.includes(one));
        if (before === undefined) requireRoom(kept, call, member.id, {team, date});
        else if (member.id !== call.principal.id) requireOwnPart(call, before);
        const name = {member: member.id, team: suffixOf(team.id), date, source};
        const part = createDraftPart(input, answers, call.principal);
        const changedAt = stored.find(isSame)?.changedAt ?? null;
        return {
          ...emptyCommit,
          guards: [...guards, {check: 'draft-part', ...name, changedAt, count: stored.length}],
          writes: [{do: 'set-draft', ...name, json: JSON.stringify(part), gone}],
        };
      }),
    /**
     * Deletes the part of a source, or all parts: the member deletes any, others those that they wrote. Without
     * such a part nothing changes. Errors: `not_found`, `insufficient_scope`, `team_not_found`.
     */
    deleteDraftParts: (
      call: Call,
      reference: string,
      {team: named, date, source}: DraftDay & {readonly source?: string | undefined},
    ) =>
      mutate<void>(call, async () => {
        const member = await requireTarget(call, reference);
        const team = await requireQueriedTeam(call, named);
        const day = date ?? (await findDate(call, team, member));
        const {parts, stored} = await draftRecords.list(call.workspace, member.id, call.deadline);
        const mayDelete = ({part}: DraftPartRecord) =>
          [member.id, part.updated_by.id].includes(call.principal.id);
        const chosen = parts.filter(
          (one) => isOfDay(one, team, day) && (source ?? one.source) === one.source && mayDelete(one),
        );
        const names = chosen.map((one) => ({
          changedAt: one.changedAt,
          name: {member: member.id, team: one.team, date: day, source: one.source},
        }));
        return {
          ...emptyCommit,
          effect: 'release',
          guards: names.map(({name, changedAt}) => ({
            check: 'draft-part',
            ...name,
            changedAt,
            count: stored.length,
          })),
          writes: names.map(({name}) => ({do: 'set-draft', ...name, json: null})),
        };
      }),
    /** Lists all drafts of a member, for their export. Those of a deleted team are left out. */
    async listDrafts({workspace, deadline}: RequestContext, member: Id<'member'>): Promise<StandupDraft[]> {
      const [{parts}, directory] = await Promise.all([
        draftRecords.list(workspace, member, deadline),
        teams.all({workspace, deadline}),
      ]);
      const days = Map.groupBy(parts, ({team, date}) => `${team} ${date}`);
      return [...days.values()].flatMap((ofDay) => {
        const [first] = ofDay;
        if (first === undefined) return [];
        const team = directory.bySuffix(first.team);
        return team === undefined ? [] : presentDraft(member, team, first.date, ofDay);
      });
    },
  };
}

function isOfDay(part: DraftPartRecord, team: Team, date: string): boolean {
  return part.team === suffixOf(team.id) && part.date === date;
}

/** Refuses to replace a part that someone else wrote. Errors: `forbidden`. */
function requireOwnPart({principal}: Call, {source, part}: DraftPartRecord): void {
  if (part.updated_by.id === principal.id) return;
  const detail = `The part "${source}" of this draft is not yours. Use another \`source\`.`;
  throw new AppError('forbidden', detail);
}

/**
 * Requires room for a new part. Each writer has their own, so that no one fills what the member or another
 * program needs. Errors: `limit_reached`.
 */
function requireRoom(
  parts: readonly DraftPartRecord[],
  {principal}: Call,
  member: Id<'member'>,
  {team, date}: {readonly team: Team; readonly date: string},
): void {
  const {draftParts, draftPartsPerMember, draftPartsPerOtherWriter} = limits;
  const isOwn = principal.id === member;
  const written = parts.filter(({part}) => part.updated_by.id === principal.id);
  if (written.filter((one) => isOfDay(one, team, date)).length >= draftParts)
    throw new AppError('limit_reached', `A draft has at most ${draftParts} parts of you. Delete one first.`);
  const most = isOwn ? draftPartsPerMember : draftPartsPerOtherWriter;
  if (written.length >= most) {
    throw new AppError(
      'limit_reached',
      `You may write at most ${most} parts of the drafts of a member, in all teams and days. Delete some first.`,
    );
  }
  const ofOthers = parts.filter(({part}) => part.updated_by.id !== member).length;
  if (isOwn || ofOthers < draftPartsPerMember) return;
  throw new AppError(
    'limit_reached',
    `Others have written ${draftPartsPerMember} parts of the drafts of this member, in all teams and days. Wait until they are posted.`,
  );
}

function presentDraft(
  member: Id<'member'>,
  {id, slug}: Team,
  date: string,
  records: readonly DraftPartRecord[],
): StandupDraft {
  const parts = records.map(({source, part, changedAt}) => ({
    source,
    ...part,
    updated_at: toInstant(changedAt),
  }));
  return {object: 'draft', member, team: slug, team_id: id, date, update: joinDraftTexts(parts), parts};
}
