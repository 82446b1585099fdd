import {parseWire} from '../../domain/core/resource.js';
import type {Page, PageQuery} from '../../domain/core/lists.js';
import {type Call, type RequestContext, requireScope} from '../../domain/core/access.js';
import {createParameterError} from '../../domain/core/errors.js';
import {suffixOf, isId} from '../../domain/core/ids.js';
import {limits} from '../../domain/core/limits.js';
import {
  countStatusesByDate,
  countStatuses,
  groupStatuses,
  listParticipationDays,
  type MemberParticipation,
  type Participation,
  type MemberStatus,
  type TeamParticipation,
} from '../../domain/runs/participation.js';
import type {Team} from '../../domain/teams/team.js';
import {requireMember} from '../core/member-references.js';
import type {ServiceContext} from '../core/context.js';
import {listTeamsOfReference, listMembershipsOf} from '../core/memberships.js';
import type {TeamReader} from '../core/reach.js';
import {listTeamsBelowPosition} from '../teams/find-team.js';
import {
  type DateRangeQuery,
  chooseDateRange,
  type ClosedRun,
  findMemberStatuses,
  listClosedRuns,
  readAbsenceReasons,
  type DateRange,
} from './participation-runs.js';
import {requireTeam} from './run-views.js';

/** `days`: true to include the status of every member on each date. */
export interface ParticipationQuery extends DateRangeQuery {
  readonly days?: boolean;
}

/** `most`: the maximum number of report lines that one answer uses. */
export function createParticipation(context: ServiceContext, most: number = limits.participationLines) {
  const {records, teams, zones, clock} = context;
  const todayOf = ({timezone}: Pick<Team, 'timezone'>) => zones.dayIn(timezone, clock.now());

  /**
   * Returns the names of members who have left, as they were when reports were stored. Leaves out members who
   * were erased and those without a stored revision.
   */
  async function findNames({workspace, deadline}: RequestContext, gone: readonly MemberStatus[]) {
    const references = gone.map(({line: {member, revision}}) => ({suffix: suffixOf(member), revision}));
    const found = await records.findRevisions(workspace, references, deadline);
    return new Map(
      gone.flatMap(({line: {member}}, i) => {
        const json = found[i];
        return json === undefined ? [] : [[member, parseWire(json).name] as const];
      }),
    );
  }

  /** Creates the function that adds a member's days, if the query asks for them. */
  async function createMemberDaysAdder(
    call: RequestContext,
    statuses: readonly MemberStatus[],
    isAsked = false,
  ) {
    if (!isAsked) return () => ({});
    const reasonOf = await readAbsenceReasons(context, call, statuses);
    return (own: readonly MemberStatus[]) => ({days: listParticipationDays(own, reasonOf)});
  }

  /**
   * Returns the participation of a team, by default of the last 30 days. Errors: `invalid_parameter` for more
   * than 366 days, or for more people and runs than one answer can count.
   */
  async function findParticipationIn(
    team: Team,
    call: RequestContext,
    {days = false, ...given}: ParticipationQuery,
  ): Promise<Participation> {
    const span = chooseDateRange(given, todayOf(team));
    const budget = {left: days ? Math.min(most, limits.participationCells) : most};
    const {runs, isWhole} = await listClosedRuns(context, call, {team: team.id, ...span}, budget);
    if (!isWhole) throw createTooManyRunsError(span.since, runs.at(-1)?.date);
    const {statuses, people} = await findMemberStatuses(context, call, runs);
    const ofMembers = groupStatuses(statuses, ({line}) => line.member);
    const gone = [...ofMembers].flatMap(([id, own]) => (people.has(id) ? [] : own.slice(-1)));
    const namesOfGone = await findNames(call, gone);
    const showDays = await createMemberDaysAdder(call, statuses, days);
    const byMember = [...ofMembers].map(([id, own]) => ({
      member: {type: 'member', id, name: people.get(id)?.name ?? namesOfGone.get(id) ?? null} as const,
      counts: countStatuses(own),
      ...showDays(own),
    }));
    return {
      object: 'participation',
      team: team.slug,
      team_id: team.id,
      ...span,
      counts: countStatuses(statuses),
      by_date: countStatusesByDate(runs, statuses),
      by_member: byMember.toSorted((a, b) => compareNames(a.member, b.member)),
    };
  }

  /** Finds the participation of a team by its id or slug. Errors: as `findParticipationIn`; `not_found`. */
  async function findParticipation(
    call: TeamReader,
    reference: string,
    query: ParticipationQuery,
  ): Promise<Participation> {
    return findParticipationIn(await requireTeam(teams, call, reference), call, query);
  }

  /** Returns a member's participation in their current teams. Errors: as `findParticipation`. */
  async function findMemberParticipation(
    call: Call,
    reference: string,
    {days, ...given}: ParticipationQuery,
  ): Promise<MemberParticipation> {
    if (reference !== 'me' && !isId('member', reference)) requireScope(call, 'members:read');
    const {id, name, timezone} = await requireMember(records, call, reference);
    const [directory, memberships] = await Promise.all([
      teams.of(call),
      listMembershipsOf(records, call, id),
    ]);
    const own = memberships.flatMap(({team_id: team}) => directory.byReference(team) ?? []);
    const today = todayOf({timezone: timezone ?? 'UTC'});
    // In some time zones it is already tomorrow, and tomorrow's run may have closed there.
    const latest = own.map(todayOf).reduce((a, b) => (a > b ? a : b), today);
    const span = chooseDateRange(given, latest);
    const budget = {left: most};
    const runs: ClosedRun[] = [];
    for (const team of own) {
      const asked = {team: team.id, ...span};
      const found = await listClosedRuns(context, call, asked, budget, ({member}) => member === id);
      if (!found.isWhole) throw createTooManyRunsError(span.since, found.runs.at(-1)?.date);
      runs.push(...found.runs);
    }
    const {statuses} = await findMemberStatuses(context, call, runs);
    const showDays = await createMemberDaysAdder(call, statuses, days);
    const ofTeams = groupStatuses(statuses, ({run}) => run.team_id);
    return {
      object: 'member_participation',
      member: {type: 'member', id, name},
      ...span,
      counts: countStatuses(statuses),
      by_team: own
        .map(createTeamFields)
        .toSorted(compareTeamNames)
        .map((team) => {
          const teamStatuses = ofTeams.get(team.team_id) ?? [];
          return {...team, counts: countStatuses(teamStatuses), ...showDays(teamStatuses)};
        }),
    };
  }

  /**
   * Lists the participation of teams, newest team first, by default of each team's last 30 days. A page has
   * fewer teams than requested if more would be too much for one answer. Errors: `invalid_parameter`;
   * `insufficient_scope` for `member`.
   */
  async function listParticipation(
    call: Call,
    query: ParticipationQuery &
      PageQuery & {
        /** Restricts the list to the teams of this member: an id, an e-mail address, a Slack user or `me`. */
        readonly member?: string | undefined;
      },
  ): Promise<Page<TeamParticipation>> {
    const {days, member, past, limit, ...given} = query;
    const [directory, among] = await Promise.all([
      teams.of(call),
      listTeamsOfReference(records, call, member),
    ]);
    const wanted = listTeamsBelowPosition(directory, past, ({id}) => among?.has(id) !== false);
    const budget = {left: most};
    const page: {team: Team; span: DateRange; runs: readonly ClosedRun[]}[] = [];
    for (const {team} of wanted.slice(0, limit)) {
      const span = chooseDateRange(given, todayOf(team));
      const {runs, isWhole} = await listClosedRuns(context, call, {team: team.id, ...span}, budget);
      if (isWhole) page.push({team, span, runs});
      else if (page.length === 0) throw createTooManyRunsError(span.since, runs.at(-1)?.date);
      else break;
    }
    const all = page.flatMap(({runs}) => runs);
    const {statuses} = await findMemberStatuses(context, call, all);
    const ofTeams = groupStatuses(statuses, ({run}) => run.team_id);
    return {
      rows: page.map(({team, span, runs}) => {
        const own = ofTeams.get(team.id) ?? [];
        return {
          object: 'team_participation',
          ...createTeamFields(team),
          visibility: team.visibility,
          ...span,
          counts: countStatuses(own),
          ...(days === true && {by_date: countStatusesByDate(runs, own)}),
        };
      }),
      next: page.length < wanted.length ? wanted[page.length - 1]?.position : undefined,
    };
  }

  return {findParticipation, findParticipationIn, findMemberParticipation, listParticipation};
}

function createTeamFields({slug, id, name}: Team) {
  return {team: slug, team_id: id, team_name: name};
}

function compareTeamNames(a: {readonly team_name: string}, b: {readonly team_name: string}): number {
  return a.team_name.localeCompare(b.team_name);
}

function createTooManyRunsError(since: string, fits = since) {
  return createParameterError(
    'until',
    `The runs of so many people and days are too many for one answer: ask for them in parts, first from ${since} to ${fits}.`,
  );
}

/** Sorts people by name. People whose names were erased come last. */
function compareNames(
  a: {readonly name: string | null; readonly id: string},
  b: {readonly name: string | null; readonly id: string},
): number {
  const [left, right] = [a, b].map(
    ({name, id}) => `${name === null ? '1' : `0${name.toLowerCase()}`}\n${id}`,
  );
  return (left ?? '') < (right ?? '') ? -1 : 1;
}
