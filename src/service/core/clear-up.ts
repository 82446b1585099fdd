import {parseWire} from '../../domain/core/resource.js';
import {
  type Commit,
  type CommitPart,
  distinctGuards,
  emptyCommit,
  joinCommitParts,
} from '../../domain/commit/commit.js';
import type {RequestContext} from '../../domain/core/access.js';
import type {ListQuery} from '../../domain/core/lists.js';
import {scanPages} from './paging.js';
import type {Records} from '../../store/core/records.js';

/** Removes a resource or part of it, with the events if there are any. */
export type Removal = Pick<CommitPart, 'writes'> & Partial<Pick<CommitPart, 'guards' | 'events'>>;

/** Each has up to ten keys, and a commit touches at most 240. */
export const clearedAtOnce = 24;

/** Commits the removals. It also runs on a full store. */
export function removalCommit(cleared: readonly Removal[]): Commit {
  const all = joinCommitParts(cleared);
  return {...emptyCommit, effect: 'release', ...all, guards: distinctGuards(all.guards)};
}

/** The longest prefix that fits in a commit, at least one item: a guard has one key, a write about eight. */
export function removalsThatFit(cleared: readonly Removal[]): readonly Removal[] {
  let room = 240;
  const from = cleared.findIndex(({guards = [], writes}, i) => {
    room -= guards.length + 8 * writes.length;
    return room < 0 && i > 0;
  });
  return from === -1 ? cleared : cleared.slice(0, from);
}

/**
 * Plans the removal of the first rows in a range of a list; `clear` returns undefined for a row that stays as
 * it is. Call it inside a plan: another process may be doing the same work.
 */
export async function planRemovals(
  records: Pick<Records, 'list'>,
  {workspace, deadline}: RequestContext,
  part: Omit<ListQuery, 'limit'>,
  clear: (row: never) => Removal | undefined | Promise<Removal>,
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
