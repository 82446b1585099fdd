import type {RequestContext} from '../../domain/core/access.js';
import {type IdSuffix, storedSuffix, suffixOf} from '../../domain/core/ids.js';
import type {StandupCounts} from '../../domain/slack/standup-content.js';
import {emptyThread, presentThread} from '../../domain/standups/thread.js';
import type {Team} from '../../domain/teams/team.js';
import type {ServiceContext} from '../core/context.js';
import {createDayRefreshes, type ListRefreshes} from './day-refreshes.js';

/** True if a team's messages show how people answered in the dashboard. */
function showsAnswers(team: Team | undefined): boolean {
  return team !== undefined && team.slack_replies !== 'off';
}

/** Counts the reactions and comments of a standup; undefined if its team keeps them out of Slack. */
export function createAnswerCounter({teams, threads}: ServiceContext) {
  return async (
    {workspace, deadline}: RequestContext,
    team: IdSuffix<'team'>,
    standup: IdSuffix<'standup'>,
  ): Promise<StandupCounts | undefined> => {
    if (!showsAnswers((await teams.all({workspace, deadline})).bySuffix(team))) return undefined;
    const [thread = emptyThread] = await threads.list(workspace, [standup], deadline);
    return presentThread(thread, undefined);
  };
}

/** Lists the message whose counts a reaction or comment changes. That of an erased person is not looked for. */
export function createCountRefreshes(context: ServiceContext): ListRefreshes {
  const {records, slackPosts} = context;
  const days = createDayRefreshes(context);
  return async (workspace, entry) => {
    const {type, about, revision} = entry;
    if (type === 'comment.updated' || !showsAnswers(await days.findTeam(workspace, entry))) return [];
    const {deadline} = days.read(workspace);
    const suffix = storedSuffix<'comment' | 'reaction'>(about);
    const found = await records.findRevision(workspace, suffix, revision, deadline);
    if (found === undefined) return [];
    const standup = suffixOf(found.object === 'comment' ? found.standup : found.subject);
    const channel = await slackPosts.findChannel(workspace, standup, deadline);
    return channel === undefined ? [] : [{channel, item: {kind: 'counts', suffix: standup}}];
  };
}
