import {deadlines} from '../../../domain/core/limits.js';
import type {Id, IdSuffix} from '../../../domain/core/ids.js';
import type {StandupContent} from '../../../domain/slack/standup-content.js';
import type {ChannelViews} from '../../../service/slack/channel-views.js';
import {createMentions, type Mentions} from '../rich-text/mentions.js';

/**
 * The people whom a standup of a team (drawn half of its id) may notify by their names; undefined for
 * nobody.
 */
export type FindMentions = (
  workspace: Id<'workspace'>,
  team: IdSuffix<'team'>,
  standup: Pick<StandupContent, 'update' | 'answers'>,
) => Promise<Mentions | undefined>;

export function createFindMentions({listNameable}: Pick<ChannelViews, 'listNameable'>): FindMentions {
  return async (workspace, team, standup) => {
    const call = {workspace, deadline: performance.now() + deadlines.job};
    const people = await listNameable(call, team, standup);
    return people && createMentions(people);
  };
}
