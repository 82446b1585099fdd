import type {Call} from '../../domain/core/access.js';
import type {IdSuffix} from '../../domain/core/ids.js';
import {lists} from '../../domain/core/lists.js';
import type {Resource} from '../../domain/core/resource.js';
import {makeRemovalCommit, planRemovals} from '../core/clear-up.js';
import type {ServiceContext} from '../core/context.js';
import {createRemoveCommentWrite} from './comment-records.js';

/**
 * Removes some of the comments of a deleted standup, without events: that of the standup says it. Returns true
 * if there is more. Safe to run at any time, even twice at once.
 */
export function createThreadPurger({mutate, records, clock, retention}: ServiceContext) {
  return async function purgeThread(call: Call, standup: IdSuffix<'standup'>): Promise<boolean> {
    const list = lists.commentsOf(standup);
    const {workspace, deadline} = call;
    if ((await records.count(workspace, list, deadline)) === 0) return false;
    const oldest = clock.now() - retention.events * 1_000;
    // A comment is erased completely once no stored event mentions it any more.
    const howOf = ({updated_at: at}: Resource) => (Date.parse(at) < oldest ? 'erase' : 'remove');
    let more = false;
    await mutate(call, async () => {
      more = false;
      // The standup is back in a store that was restored, or the work is from before that.
      if ((await records.findBySuffix(workspace, standup, deadline)) !== undefined)
        return makeRemovalCommit([]);
      const cleared = await planRemovals(records, call, {list}, (row: never) => {
        return {writes: [createRemoveCommentWrite(row, howOf(row))]};
      });
      more = cleared.length > 0;
      return makeRemovalCommit(cleared);
    });
    return more;
  };
}
