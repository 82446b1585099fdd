import {addDays} from '../../domain/core/dates.js';
import {hasMean} from '../../domain/runs/week-trends.js';
import {suffixOf, type Id, storedSuffix} from '../../domain/core/ids.js';
import {lists} from '../../domain/core/lists.js';
import type {LogEntry} from '../../domain/events/event.js';
import {findMondayOf} from '../../domain/schedules/week.js';
import type {SlackRefresh} from '../../domain/slack/slack-post.js';
import type {Team} from '../../domain/teams/team.js';
import {createDayRange, listRecords} from '../core/paging.js';
import type {ServiceContext} from '../core/context.js';
import {isLastRunOfWeek} from '../runs/run-looks.js';
import {createDayRefreshes, type ListRefreshes} from './day-refreshes.js';

/** The numbers of weeks during which changes, and erasures, still update a summary. */
const [followedWeeks, keptWeeks] = [2, 58];

/** The maximum number of runs read: more than a team can have in a week. */
const manyRuns = 50;

/**
 * Lists the weekly summaries to create or update after an event. A summary is created when the last run of
 * its week is over (by the schedule, or because the team is paused). If that was missed, it is created when
 * the first run of the next week opens.
 */
export function createWeekRefreshes(context: ServiceContext): ListRefreshes {
  const {slackPosts, records, zones, clock} = context;
  const days = createDayRefreshes(context);

  async function findExistingSummaries(workspace: Id<'workspace'>, team: Team, mondays: readonly string[]) {
    const weeks = mondays.map((date) => ({team: suffixOf(team.id), date}));
    return slackPosts.listReports(workspace, 'week', weeks, days.read(workspace).deadline);
  }

  async function ensureSummaryRefresh(
    workspace: Id<'workspace'>,
    team: Team,
    monday: string,
  ): Promise<SlackRefresh[]> {
    const there = await findExistingSummaries(workspace, team, [monday]);
    const channel = team.slack_channel_id;
    const isThere = there.some(({item}) => item.kind === 'week');
    if (isThere || !team.slack_weekly_summary || channel === null) return there;
    return [...there, {channel, item: {kind: 'week', team: suffixOf(team.id), date: monday}, make: {}}];
  }

  async function listRunsBetween(workspace: Id<'workspace'>, team: Team, from: string, to: string) {
    const query = {list: lists.runsOfTeam(team.id), ...createDayRange(from, to), limit: manyRuns};
    return listRecords(records, days.read(workspace), query);
  }

  async function listRefreshesOfRun(workspace: Id<'workspace'>, {type, about}: LogEntry, team: Team) {
    const {deadline} = days.read(workspace);
    const run = await records.findBySuffix(workspace, storedSuffix<'run'>(about), deadline);
    if (run === undefined) return [];
    const monday = findMondayOf(run.date);
    if (type === 'run.opened') {
      const earlier = await listRunsBetween(workspace, team, monday, addDays(run.date, -1));
      return run.date > monday && earlier.length > 0
        ? []
        : ensureSummaryRefresh(workspace, team, addDays(monday, -7));
    }
    const missedClosing = run.missed_steps.some(({step}) => step === 'close');
    const ends = type === 'run.closed' || type === 'run.missed' || type === 'run.cancelled';
    return ends &&
      !missedClosing &&
      run.state !== 'open' &&
      (await isLastRunOfWeek(records, days.read(workspace), team, run))
      ? ensureSummaryRefresh(workspace, team, monday)
      : findExistingSummaries(workspace, team, [monday]);
  }

  const weeksOf = (team: Team, count: number): string[] => {
    const monday = findMondayOf(zones.dayIn(team.timezone, clock.now()));
    return Array.from({length: count}, (_, i) => addDays(monday, -7 * i));
  };

  /** An edited or deleted standup changes the means of its week, and their differences in the next one. */
  async function listRefreshesOfStandup(
    workspace: Id<'workspace'>,
    {about, revision, team: reference}: LogEntry,
  ): Promise<SlackRefresh[]> {
    const suffix = storedSuffix<'standup'>(about);
    const standup = await records.findRevision(workspace, suffix, revision, days.read(workspace).deadline);
    const team =
      reference === undefined ? undefined : (await days.listTeams(workspace)).byReference(reference);
    if (standup === undefined || !team?.questions.some(hasMean)) return [];
    const monday = findMondayOf(standup.date);
    return findExistingSummaries(workspace, team, [monday, addDays(monday, 7)]);
  }

  return async (workspace, entry) => {
    const {type, about, revision, team: reference} = entry;
    if (type === 'standup.updated' || type === 'standup.deleted')
      return listRefreshesOfStandup(workspace, entry);
    const isOfRun = type.startsWith('run.') && type !== 'run.reminded';
    const isOfBlocker = type.startsWith('blocker.');
    if (!isOfRun && !isOfBlocker && type !== 'member.left' && type !== 'team.updated') return [];
    const directory = await days.listTeams(workspace);
    const team = reference === undefined ? undefined : directory.byReference(reference);
    if (isOfRun) return team === undefined ? [] : listRefreshesOfRun(workspace, entry, team);
    // An erased resource has no revision to read.
    const {deadline} = days.read(workspace);
    const isKept = (await records.findRevision(workspace, about, revision, deadline)) !== undefined;
    const weeks = isKept ? followedWeeks : keptWeeks;
    const among = type === 'member.left' ? directory.teams : team === undefined ? [] : [team];
    const refreshes = await Promise.all(
      among.map((one) => findExistingSummaries(workspace, one, weeksOf(one, weeks))),
    );
    return refreshes.flat();
  };
}
