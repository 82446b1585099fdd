import type {RequestContext} from '../../domain/core/access.js';
import {addDays} from '../../domain/core/dates.js';
import {suffixOf, type Id, type IdSuffix} from '../../domain/core/ids.js';
import {deadlines} from '../../domain/core/limits.js';
import type {LogEntry} from '../../domain/events/event.js';
import type {SlackRefresh} from '../../domain/slack/slack-post.js';
import type {Team} from '../../domain/teams/team.js';
import type {ServiceContext} from '../core/context.js';

/** Lists the messages of days, standups, reports and weeks that change after an event. */
export type ListRefreshes = (workspace: Id<'workspace'>, entry: LogEntry) => Promise<readonly SlackRefresh[]>;

/** The number of days after a run in which changes update its report; those of standups do longer. */
export const followedDays = 14;

/** The number of days after a run during which its report may exist at all. */
export const keptDays = 400;

/** The number of days for which a run may be open: past midnight, and later for members to the west. */
export const openDays = 2;

const lookedForAtOnce = 1_000;

export interface DayOfTeam {
  readonly team: IdSuffix<'team'>;
  readonly date: string;
}

export interface ReportRefresh extends SlackRefresh {
  readonly item: DayOfTeam & SlackRefresh['item'] & {readonly kind: 'digest' | 'copy'};
}

/** The functions shared by all code that lists messages to refresh. */
export function createDayRefreshes({slackPosts, teams, zones, clock, monotonic}: ServiceContext) {
  const within = () => monotonic() + deadlines.job;
  const listTeams = (workspace: Id<'workspace'>) => teams.all({workspace, deadline: within()});

  /** Returns the days of a team, from `before` days before today to `after` days after today. */
  function daysOf(team: Team, before: number, after: number): DayOfTeam[] {
    const today = zones.dayIn(team.timezone, clock.now());
    return Array.from({length: before + 1 + after}, (_, i) => ({
      team: suffixOf(team.id),
      date: addDays(today, i - before),
    }));
  }

  /** Returns the existing reports of these days, also those that people have posted. */
  async function reportsOf(workspace: Id<'workspace'>, days: readonly DayOfTeam[]): Promise<ReportRefresh[]> {
    const reports: ReportRefresh[] = [];
    for (let start = 0; start < days.length; start += lookedForAtOnce) {
      const named = days.slice(start, start + lookedForAtOnce);
      const shown = await slackPosts.listReports(workspace, 'digest', named, within());
      reports.push(...(shown as ReportRefresh[]));
    }
    return reports;
  }

  return {
    listTeams,
    daysOf,
    reportsOf,
    /** Returns the context for one read: an event may need hundreds, each with a job's time limit. */
    read: (workspace: Id<'workspace'>): RequestContext => ({workspace, deadline: within()}),
    /** Returns the current state of an event's team. */
    findTeam: async (workspace: Id<'workspace'>, {team}: LogEntry) =>
      team === undefined ? undefined : (await listTeams(workspace)).byReference(team),
    /** Returns the reports of these teams in the last `count` days. */
    reportsOfLast(workspace: Id<'workspace'>, count: number, among: readonly Team[]) {
      const days = among.flatMap((team) => daysOf(team, count, 0));
      return reportsOf(workspace, days);
    },
  };
}

/** Returns the messages of these days, for teams with a channel. */
export function planDayRefreshItems(teams: readonly Team[], days: readonly DayOfTeam[]): SlackRefresh[] {
  const channels = new Map(teams.map(({id, slack_channel_id: channel}) => [suffixOf(id), channel]));
  return days.flatMap(({team, date}): SlackRefresh[] => {
    const channel = channels.get(team) ?? undefined;
    return channel === undefined ? [] : [{channel, item: {kind: 'day', team, date}}];
  });
}
