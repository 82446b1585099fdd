import type {RequestContext} from '../../domain/core/access.js';
import {type IdSuffix, storedSuffix, suffixOf} from '../../domain/core/ids.js';
import type {CommentContent} from '../../domain/slack/comment-content.js';
import {formatCommentField} from '../../domain/slack/slack-post.js';
import type {ServiceContext} from '../core/context.js';
import {createDayRefreshes, type ListRefreshes} from './day-refreshes.js';

export function createCommentContents({records}: ServiceContext) {
  return {
    /** Returns a comment as it is now; undefined if it, or its standup, was deleted. */
    async findComment(
      {workspace, deadline}: RequestContext,
      suffix: IdSuffix<'comment'>,
    ): Promise<CommentContent | undefined> {
      const comment = await records.findBySuffix(workspace, suffix, deadline);
      if (comment === undefined) return undefined;
      const standup = await records.find(workspace, comment.standup, deadline);
      return standup && {...comment, of: standup.author.name};
    },
  };
}

/** Lists the messages that show a comment. What was typed in Slack is there, and gets none. */
export function createCommentRefreshes(context: ServiceContext): ListRefreshes {
  const {records, slackPosts} = context;
  const days = createDayRefreshes(context);

  return async (workspace, entry) => {
    const {deadline} = days.read(workspace);
    const suffix = storedSuffix<'comment'>(entry.about);
    const item = {kind: 'comment', suffix} as const;
    const shown = await slackPosts.findCommentChannel(workspace, suffix, deadline);
    if (shown !== undefined) return [{channel: shown, item}];
    if (entry.type !== 'comment.created') return [];
    const team = await days.findTeam(workspace, entry);
    const comment = await records.findBySuffix(workspace, suffix, deadline);
    if (team === undefined || team.slack_replies === 'off') return [];
    if (comment === undefined || comment.source === 'slack') return [];
    const standup = suffixOf(comment.standup);
    const channel = await slackPosts.findChannel(workspace, standup, deadline);
    if (channel === undefined) return [];
    return [
      {channel, item, make: {standup}},
      {channel, item: {kind: 'standup', suffix: standup}, make: {[formatCommentField(suffix)]: '1'}},
    ];
  };
}
