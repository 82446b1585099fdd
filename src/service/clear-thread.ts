import type {Comment} from '../domain/comments/comment.js';
import type {RemovalMode} from '../domain/commit/writes.js';
import type {Call} from '../domain/core/access.js';
import type {Id} from '../domain/core/ids.js';
import {lists} from '../domain/core/lists.js';
import type {Reaction} from '../domain/reactions/reaction.js';
import {createRemoveCommentWrite} from './comments/comment-records.js';
import {clearedAtOnce, makeRemovalCommit, planRemovals, type Removal} from './core/clear-up.js';
import type {ServiceContext} from './core/context.js';
import {createRemoveReactionWrite} from './reactions/reaction-records.js';

/**
 * Removes some of the comments on a standup that is gone, and of the reactions to it, without events: that of
 * the standup says it. Returns true if there may be more. Safe to run at any time, even twice at once.
 */
export function createThreadClearer({mutate, records}: ServiceContext) {
  async function planRemoval(call: Call, id: Id<'standup'>, how: RemovalMode): Promise<readonly Removal[]> {
    // In a store that was set back the standup may be there again.
    if ((await records.find(call.workspace, id, call.deadline)) !== undefined) return [];
    const comments = await planRemovals(records, call, {list: lists.commentsOf(id)}, (row: Comment) => ({
      writes: [createRemoveCommentWrite(row, how)],
    }));
    const left = clearedAtOnce - comments.length;
    if (left === 0) return comments;
    const clear = (row: Reaction) => ({writes: [createRemoveReactionWrite(row, how)]});
    const reactions = await planRemovals(records, call, {list: lists.reactionsOn(id)}, clear, left);
    return [...comments, ...reactions];
  }

  return async function clearThread(call: Call, id: Id<'standup'>, how: RemovalMode): Promise<boolean> {
    let cleared = 0;
    await mutate(call, async () => {
      const removals = await planRemoval(call, id, how);
      cleared = removals.length;
      return makeRemovalCommit(removals);
    });
    return cleared > 0;
  };
}
