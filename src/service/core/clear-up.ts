import {parseWire} from '../../domain/core/resource.js';
import {
  type Commit,
  type CommitPart,
  removeDuplicateGuards,
  emptyCommit,
  joinCommitParts,
} from '../../domain/commit/commit.js';
import type {RequestContext} from '../../domain/core/access.js';
import type {ListQuery} from '../../domain/core/lists.js';
import type {Records} from '../../store/core/records.js';
import {scanPages} from './paging.js';

/** The removal of a resource or of a part of it, with events if there are any. */
export type Removal = Pick<CommitPart, 'writes'> & Partial<Pick<CommitPart, 'guards' | 'events'>>;

/** The number of resources removed by one commit, each with up to ten of the commit's 240 keys. */
export const clearedAtOnce = 24;

/** Returns a commit with these removals. The commit succeeds even if the store is full. */
export function makeRemovalCommit(cleared: readonly Removal[]): Commit {
  const all = joinCommitParts(cleared);
  return {...emptyCommit, effect: 'release', ...all, guards: removeDuplicateGuards(all.guards)};
}

/**
 * Returns as many of the removals, from the first on, as fit into one commit, but at least one. A guard has
 * one key, a write about eight, the start of work two beside the one that all of it shares.
 */
export function takeRemovalsThatFit(cleared: readonly Removal[]): readonly Removal[] {
  let room = 240;
  const from = cleared.findIndex(({guards = [], writes}, i) => {
    const works = writes.filter((write) => write.do === 'begin-work').length;
    room -= guards.length + 8 * (writes.length - works) + 2 * works;
    return room < 0 && i > 0;
  });
  return from === -1 ? cleared : cleared.slice(0, from);
}

/**
 * Plans the removal of the first rows in a range of a list. `clear` returns undefined for a row that stays.
 * Call this function inside a plan, since another process may do the same work.
 */
export async function planRemovals(
  records: Records,
  {workspace, deadline}: RequestContext,
  part: Omit<ListQuery, 'limit'>,
  clear: (row: never) => Removal | undefined | Promise<Removal | undefined>,
  limit = clearedAtOnce,
): Promise<readonly Removal[]> {
  const found = await scanPages(
    (page) => records.list(workspace, {...part, ...page}, deadline),
    {limit},
    (rows) => Promise.all(rows.map(async ({json}) => clear(parseWire(json) as never))),
    Number.POSITIVE_INFINITY,
  );
  return found.rows;
}
