import {suffixOf, type Id, storedSuffix} from '../../domain/core/ids.js';
import type {LogEntry} from '../../domain/events/event.js';
import {isExpected} from '../../domain/teams/team.js';
import {listMembershipsOf} from '../core/memberships.js';
import type {ServiceContext} from '../core/context.js';
import {findRunOn} from '../runs/run-looks.js';
import {createBlockerRefreshes, listOpenBlockers} from './blocker-refreshes.js';
import {createLeadNotices} from './lead-notices.js';
import {
  createDayRefreshes,
  type DayOfTeam,
  planDayRefreshItems,
  followedDays,
  keptDays,
  type ListRefreshes,
  openDays,
  type ReportRefresh,
} from './day-refreshes.js';

/** The number of runs read at once, each with all of its members. */
const runsAtOnce = 50;

/** Lists the messages to update after changes of memberships and absences, and after a member has left. */
export function createPeopleRefreshes(context: ServiceContext) {
  const {records} = context;
  const days = createDayRefreshes(context);
  const blockers = createBlockerRefreshes(context);
  const leadNotices = createLeadNotices(context);
  const findRole = (workspace: Id<'workspace'>, {about}: LogEntry, revision: number) =>
    records.findRevision(
      workspace,
      storedSuffix<'team_member'>(about),
      revision,
      days.read(workspace).deadline,
    );

  async function listTeamsOf(workspace: Id<'workspace'>, member: Id<'member'>): Promise<Set<Id<'team'>>> {
    const memberships = await listMembershipsOf(records, days.read(workspace), member);
    return new Set(memberships.map(({team_id}) => team_id));
  }

  async function listReportsExpectingMember(
    workspace: Id<'workspace'>,
    member: Id<'member'>,
    reports: readonly ReportRefresh[],
  ): Promise<ReportRefresh[]> {
    const kept: ReportRefresh[] = [];
    for (let start = 0; start < reports.length; start += runsAtOnce) {
      const some = reports.slice(start, start + runsAtOnce);
      const call = days.read(workspace);
      const runs = await Promise.all(some.map(({item}) => findRunOn(records, call, item.team, item.date)));
      kept.push(...some.filter((_, i) => runs[i]?.participants.some((one) => one.member === member)));
    }
    return kept;
  }

  const ofMembership: ListRefreshes = async (workspace, entry) => {
    const team = await days.findTeam(workspace, entry);
    if (team === undefined) return [];
    // The message of a day that is not over shows the number of members, which changes with the team.
    const open = planDayRefreshItems([team], days.daysOf(team, openDays, 1));
    const {type, revision} = entry;
    const before =
      type === 'team.member_updated' ? await findRole(workspace, entry, revision - 1) : undefined;
    const now = await findRole(workspace, entry, revision);
    if (before !== undefined && now !== undefined && isExpected(before) === isExpected(now)) return [];
    const left = type === 'team.member_removed' || now?.role === 'observer';
    return left ? [...open, ...(await days.reportsOfLast(workspace, followedDays, [team]))] : open;
  };

  /** Messages of days count current members. Reports count all members who were expected. */
  const ofAbsence: ListRefreshes = async (workspace, {type, about, revision}) => {
    // For a changed absence, its earlier days count too.
    const revisions = type.endsWith('.updated') ? [revision - 1, revision] : [revision];
    const {deadline} = days.read(workspace);
    const found = await Promise.all(
      revisions.map((number) =>
        records.findRevision(workspace, storedSuffix<'absence'>(about), number, deadline),
      ),
    );
    const spans = found.filter((absence) => absence !== undefined);
    const [absence] = spans;
    // An erased member has left already, and no day off of theirs has been shown since.
    if (absence === undefined) return [];
    const {team_id: only, member} = absence;
    const [directory, own] = await Promise.all([
      days.listTeams(workspace),
      listTeamsOf(workspace, member.id),
    ]);
    const affected = directory.teams.filter(({id}) => only === null || id === only);
    const covered = ({date}: DayOfTeam) =>
      spans.some(({from, until}) => from <= date && (until === null || date <= until));
    const current = affected.filter(({id}) => own.has(id));
    const open = current.flatMap((team) => days.daysOf(team, openDays, 1).filter(covered));
    const followed = affected.flatMap((team) => days.daysOf(team, followedDays, 1).filter(covered));
    const reports = await listReportsExpectingMember(
      workspace,
      member.id,
      await days.reportsOf(workspace, followed),
    );
    return [...planDayRefreshItems(current, open), ...reports];
  };

  /** Lists all messages that may name a deleted member; for an erased one, all that exist. */
  const ofLeaver: ListRefreshes = async (workspace, {about, revision}) => {
    const [{teams}, member] = await Promise.all([
      days.listTeams(workspace),
      records.findRevision(workspace, about, revision, days.read(workspace).deadline),
    ]);
    const reports = await days.reportsOfLast(
      workspace,
      member === undefined ? keptDays : followedDays,
      teams,
    );
    const open = await listOpenBlockers(records, days.read(workspace), teams);
    const theirs = open.filter(({acknowledged_by: by}) => by !== null && suffixOf(by.id) === about);
    const leadMessages =
      member === undefined
        ? await leadNotices.listShown(
            days.read(workspace),
            teams.map(({id}) => id),
          )
        : [];
    return [...reports, ...leadMessages, ...(await blockers.ofStandups(workspace, theirs))];
  };

  return {ofMembership, ofAbsence, ofLeaver};
}
