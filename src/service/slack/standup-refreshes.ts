import type {ServiceContext} from '../core/context.js';
import type {RequestContext} from '../../domain/core/access.js';
import {type IdSuffix, storedSuffix} from '../../domain/core/ids.js';
import type {LogEntry} from '../../domain/events/event.js';
import type {SlackStandupRefresh} from '../../domain/slack/slack-post.js';

/** Returns the change that an event requires in the message of its standup. */
export type FindStandupRefresh = (
  call: RequestContext,
  entry: LogEntry,
) => Promise<SlackStandupRefresh | undefined>;

export function createStandupRefreshFinder({records, teams, slackPosts}: ServiceContext): FindStandupRefresh {
  async function findRefreshOfNewStandup(
    {workspace, deadline}: RequestContext,
    suffix: IdSuffix<'standup'>,
    {team: reference, revision}: LogEntry,
  ): Promise<SlackStandupRefresh | undefined> {
    if (reference === undefined) return undefined;
    const team = (await teams.fresh(workspace, deadline)).byReference(reference);
    const channel = team?.slack_channel_id ?? undefined;
    if (team === undefined || channel === undefined) return undefined;
    const standup = await records.findRevision(workspace, suffix, revision, deadline);
    if (standup === undefined) return undefined;
    const {team_id, date: day, author} = standup;
    const initial = {team: team_id, day, author: author.id, mode: team.slack_post_mode};
    return {channel, suffix, want: revision, initial};
  }

  return async (call, entry) => {
    const {type, revision} = entry;
    const suffix = storedSuffix<'standup'>(entry.about);
    if (type === 'standup.created') return findRefreshOfNewStandup(call, suffix, entry);
    if (type !== 'standup.updated' && type !== 'standup.deleted') return undefined;
    // An edited standup stays in the channel of its first post. If the team had no channel at that time, the
    // edit posts nothing.
    const channel = await slackPosts.findChannel(call.workspace, suffix, call.deadline);
    return channel === undefined
      ? undefined
      : {channel, suffix, want: type === 'standup.deleted' ? 'deleted' : revision};
  };
}
