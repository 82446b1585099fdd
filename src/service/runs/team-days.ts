import {parseWire} from '../../domain/core/resource.js';
import type {Absence} from '../../domain/absences/absence.js';
import {everyScope, type RequestContext} from '../../domain/core/access.js';
import type {Blocker} from '../../domain/blockers/blocker.js';
import {addDays} from '../../domain/core/dates.js';
import {type ListName, lists} from '../../domain/core/lists.js';
import {listMemberAuthors, type Standup} from '../../domain/standups/standup.js';
import type {Team, TeamRole} from '../../domain/teams/team.js';
import type {Id} from '../../domain/core/ids.js';
import {createDayRange, listRecords} from '../core/paging.js';
import type {ServiceContext} from '../core/context.js';
import {listMembershipsOf} from '../core/memberships.js';
import {listAbsencesOf} from '../absences/absence-list.js';
import type {StandupDates} from './standup-dates.js';

/** Today's state of a team, for one of its members. */
export interface MemberTeamDay {
  readonly team: Team;
  readonly role: TeamRole;
  /** The date of a standup that the person would post now, perhaps of a run open past midnight. */
  readonly date: string;
  /** The number of members expected in the team. */
  readonly size: number;
  /** The number of expected members who have posted for today; a minimum if `more` is true. */
  readonly people: number;
  readonly more: boolean;
  /** The person's latest standup for today. */
  readonly own: Standup | undefined;
}

/** Some of a person's teams, and the teams that the person is not in. */
export interface PersonDay {
  /** The person's id; undefined for a person who is not a member yet. */
  readonly member: Id<'member'> | undefined;
  readonly days: readonly MemberTeamDay[];
  /** The position of the first of `days` among all teams of the person, and their number. */
  readonly from: number;
  readonly total: number;
  /**
   * The teams that the person is not in. Owners and admins see all of them; others see those without a
   * channel or with a public one. The team of a private channel stays hidden from people outside the channel.
   */
  readonly others: readonly Team[];
  /** Open blockers, newest first: the person's own, then those of teams that the person leads. */
  readonly blockers: readonly PersonBlocker[];
  /** True if the person is an owner or an admin, who may change every team. */
  readonly runsWorkspace: boolean;
  /** Today's date in the person's time zone. */
  readonly today: string;
  /** The person's current absence, or the next one. */
  readonly away: Absence | undefined;
}

/** A blocker, with the name of its team. */
export type PersonBlocker = Blocker & {readonly teamName: string};

/** The number of a day's standups that are read to count people. */
const maxRead = 100;

/** The number of blockers read for a person and for each team they lead, and that of these teams. */
const maxBlockersRead = 50;
const maxTeamsRead = 20;

export function createTeamDays(
  {records, teams, zones, clock, slackChannels}: ServiceContext,
  {standupDates}: {readonly standupDates: StandupDates},
) {
  async function listStandupDays(
    {workspace, deadline}: RequestContext,
    list: ListName<'standup'>,
    [first, last]: readonly [string, string],
  ): Promise<{standups: Standup[]; more: boolean}> {
    const query = {list, ...createDayRange(first, last), limit: maxRead};
    const {rows, next} = await records.list(workspace, query, deadline);
    const standups = rows.map(({json}) => parseWire(json));
    return {standups, more: next !== undefined};
  }

  async function listBlockers(
    call: RequestContext,
    member: Id<'member'>,
    teams: readonly Id<'team'>[],
  ): Promise<Blocker[]> {
    const wanted = [
      lists.blockersOf(member),
      ...teams.slice(0, maxTeamsRead).map((team) => lists.openBlockersOfTeam(team)),
    ];
    const found = await Promise.all(
      wanted.map((list) => listRecords(records, call, {list, limit: maxBlockersRead})),
    );
    const open = found.flat().filter(({state}) => state !== 'resolved');
    return [...new Map(open.map((blocker) => [blocker.id, blocker])).values()];
  }

  async function listPublicTeams({workspace, deadline}: RequestContext, among: readonly Team[]) {
    const channels = among.flatMap(({slack_channel_id: channel}) => channel ?? []);
    const open = await slackChannels.listPublic(workspace, channels, deadline);
    return among.filter(({slack_channel_id: channel}) => channel === null || open.has(channel));
  }

  async function findCurrentAbsence(call: RequestContext, member: Id<'member'> | undefined, today: string) {
    if (member === undefined) return undefined;
    const found = await listAbsencesOf(records, call, member, {from: today, until: null});
    const away = found.filter(({kind, team_id}) => kind === 'away' && team_id === null);
    const [next] = away.toSorted((a, b) => a.from.localeCompare(b.from));
    // If several absences overlap, the one that ends last gives the reason, as everywhere. They are sorted by
    // end.
    return away.find(({from}) => from <= today) ?? next;
  }

  return {
    /**
     * True if a person may know that a team exists: its members, owners and admins may, and everyone may if it is
     * open, and its channel is public or it has none.
     */
    async mayHearOf(call: RequestContext, member: Id<'member'> | undefined, team: Team): Promise<boolean> {
      const {workspace, deadline} = call;
      const [open, membership, person] = await Promise.all([
        listPublicTeams(call, [team]),
        member === undefined ? undefined : records.findMembership(workspace, team.id, member, deadline),
        member === undefined ? undefined : records.find(workspace, member, deadline),
      ]);
      return (
        (open.length > 0 && team.visibility === 'open') ||
        membership !== undefined ||
        (person !== undefined && person.role !== 'member')
      );
    },
    /**
     * Returns today's state of up to `most` teams of a person, from index `from` on. If the person has fewer
     * teams, returns the last ones. A person who is not a member is in no team. The number of reads does not
     * grow with the size of a team.
     */
    async findPersonDay(
      call: RequestContext,
      member: Id<'member'> | undefined,
      {from, most}: {readonly from: number; readonly most: number},
    ): Promise<PersonDay> {
      const now = clock.now();
      const middle = zones.dayIn('UTC', now);
      const [directory, person, memberships, own] = await Promise.all([
        teams.of({...call, principal: member && {type: 'member', id: member}, scopes: everyScope}),
        member === undefined ? undefined : records.find(call.workspace, member, call.deadline),
        member === undefined ? [] : listMembershipsOf(records, call, member),
        // A team's today is yesterday, today or tomorrow in UTC, and a run may have the date of the day
        // before.
        member === undefined
          ? []
          : listStandupDays(call, lists.standupsOfAuthor(member), [
              addDays(middle, -2),
              addDays(middle, 1),
            ]).then(({standups}) => standups),
      ]);
      const roles = new Map(memberships.map(({team_id, role}) => [team_id, role]));
      const mine = directory.teams.filter(({id}) => roles.has(id));
      const today = zones.dayIn(person?.timezone ?? mine[0]?.timezone ?? 'UTC', now);
      const away = await findCurrentAbsence(call, member, today);
      const start = from < mine.length ? from : Math.max(0, mine.length - most);
      const led = mine.filter(({id}) => roles.get(id) === 'lead').map(({id}) => id);
      const reading = member === undefined ? [] : listBlockers(call, member, led);
      const days = await Promise.all(
        mine.slice(start, start + most).map(async (team): Promise<MemberTeamDay> => {
          const date = await standupDates.findDate(call, team, {member, timezone: person?.timezone ?? null});
          const [{standups, more}, size, observers] = await Promise.all([
            listStandupDays(call, lists.standupsOfTeam(team.id), [date, date]),
            records.count(call.workspace, lists.teamMembers(team.id), call.deadline),
            records.count(call.workspace, lists.observersOf(team.id), call.deadline),
          ]);
          const expected = await records.listExpected(
            call.workspace,
            team.id,
            listMemberAuthors(standups),
            call.deadline,
          );
          const isOwn = (standup: Standup) =>
            standup.author.id === member && standup.team_id === team.id && standup.date === date;
          return {
            team,
            role: roles.get(team.id) ?? 'member',
            date,
            size: size - observers,
            people: expected.size,
            more,
            own: standups.find(isOwn) ?? own.find(isOwn),
          };
        }),
      );
      const runsWorkspace = person !== undefined && person.role !== 'member';
      const others = directory.teams.filter(({id}) => !roles.has(id));
      const blockers = (await reading).flatMap((blocker): PersonBlocker[] => {
        const team = directory.byReference(blocker.team_id);
        return team === undefined ? [] : [{...blocker, teamName: team.name}];
      });
      return {
        member,
        days,
        from: start,
        total: mine.length,
        others: runsWorkspace ? others : await listPublicTeams(call, others),
        blockers,
        runsWorkspace,
        today,
        away,
      };
    },
  };
}
