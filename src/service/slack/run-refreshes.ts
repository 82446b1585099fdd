import type {RequestContext} from '../../domain/core/access.js';
import {suffixOf, type Id, storedSuffix} from '../../domain/core/ids.js';
import {parseWire} from '../../domain/core/resource.js';
import type {LogEntry} from '../../domain/events/event.js';
import type {Run} from '../../domain/runs/run.js';
import type {SlackRefresh} from '../../domain/slack/slack-post.js';
import type {Team} from '../../domain/teams/team.js';
import type {ServiceContext} from '../core/context.js';
import {createDayRefreshes, type ListRefreshes} from './day-refreshes.js';

/**
 * The maximum number of a team's revisions in which earlier channels are searched. After more changes during
 * a run, its message in an earlier channel is not updated.
 */
const followedRevisions = 10;

/** Lists the messages to update after a change of a run, or after a standup was edited or deleted. */
export function createRunRefreshes(context: ServiceContext) {
  const {records, slackPosts} = context;
  const days = createDayRefreshes(context);

  async function findRun(workspace: Id<'workspace'>, {about}: LogEntry): Promise<Run | undefined> {
    const {deadline} = days.read(workspace);
    return records.findBySuffix(workspace, storedSuffix<'run'>(about), deadline);
  }

  async function listTeamChannels(
    {workspace, deadline}: RequestContext,
    {id, revision, slack_channel_id: channel}: Team,
  ): Promise<string[]> {
    const range = {from: Math.max(1, revision - followedRevisions), to: revision - 1};
    const before = await records.listRevisions(workspace, suffixOf(id), range, deadline);
    const all = [channel, ...before.map((json) => parseWire(json).slack_channel_id)];
    return [...new Set(all.flatMap((one) => one ?? []))];
  }

  const ofRun: ListRefreshes = async (workspace, entry) => {
    const [team, run] = await Promise.all([days.findTeam(workspace, entry), findRun(workspace, entry)]);
    if (run === undefined) return [];
    const runKey = {team: suffixOf(run.team_id), date: run.date};
    const refreshes: SlackRefresh[] = await days.reportsOf(
      workspace,
      entry.type === 'run.opened' ? [] : [runKey],
    );
    if (team === undefined) return refreshes;
    const item = {kind: 'day', ...runKey} as const;
    const channel = team.slack_channel_id ?? undefined;
    if (entry.type === 'run.opened') {
      // If standups are posted individually in the channel, no message of the day is needed.
      const make = team.slack_post_mode === 'channel' ? {} : {make: {wanted: '1'}};
      return channel === undefined ? refreshes : [...refreshes, {channel, item, ...make}];
    }
    // The run may have opened when the team had another channel.
    for (const one of await listTeamChannels(days.read(workspace), team))
      refreshes.push({channel: one, item});
    if (channel === undefined) return refreshes;
    if (entry.type === 'run.closed' && team.slack_digest !== 'off' && !hasClosedTooLate(run)) {
      const report = {kind: 'digest', ...runKey} as const;
      refreshes.unshift({channel, item: report, make: {place: team.slack_digest}});
    }
    return refreshes;
  };

  const ofStandup: ListRefreshes = async (workspace, {type, about, revision}) => {
    const suffix = storedSuffix<'standup'>(about);
    const teamDay = await slackPosts.findTeamDay(workspace, suffix, days.read(workspace).deadline);
    if (teamDay === undefined) return [];
    const {team, day} = teamDay;
    const standup =
      type === 'standup.updated'
        ? await records.findRevision(workspace, suffix, revision, days.read(workspace).deadline)
        : undefined;
    const dates = new Set([day, standup?.date ?? day]);
    return days.reportsOf(
      workspace,
      [...dates].map((date) => ({team, date})),
    );
  };

  return {ofRun, ofStandup};
}

/** True for a run that closed too late, because the service was down. Such a run gets no report. */
function hasClosedTooLate({missed_steps}: Run): boolean {
  return missed_steps.some(({step}) => step === 'close');
}
