import type {ServiceContext} from '../core/context.js';
import type {RequestContext} from '../../domain/core/access.js';
import {suffixOf, storedSuffix} from '../../domain/core/ids.js';
import type {LogEntry} from '../../domain/events/event.js';

/**
 * Finds the channel in which the content of a failure event could not be posted; undefined if that content is
 * deleted.
 */
export type FindFailedChannel = (call: RequestContext, entry: LogEntry) => Promise<string | undefined>;

export function createFailedChannelFinder({records, slackPosts}: ServiceContext): FindFailedChannel {
  return async ({workspace, deadline}, {type, about}) => {
    if (type === 'slack.post_failed') return slackPosts.findChannel(workspace, storedSuffix(about), deadline);
    const run = await records.findBySuffix(workspace, storedSuffix<'run'>(about), deadline);
    if (run === undefined) return undefined;
    const report = {team: suffixOf(run.team_id), date: run.date};
    return (await slackPosts.listDigestChannels(workspace, [report], deadline))[0];
  };
}
