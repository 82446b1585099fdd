import {parseWire} from '../../domain/core/resource.js';
import {type Commit, type CommitPart, emptyCommit, joinParts} from '../../domain/commit/commit.js';
import type {Reader} from '../../domain/core/access.js';
import type {ListQuery} from '../../domain/core/lists.js';
import {scanPages} from './paging.js';
import type {Records} from '../../store/core/records.js';

/** Takes a resource away, or something out of it, and tells of it where somebody is to hear. */
export type Cleared = Pick<CommitPart, 'writes'> & Partial<Pick<CommitPart, 'events'>>;

/** Each has up to ten keys, and a commit touches at most 240. */
export const clearedAtOnce = 24;

/** Clears up. It also runs on a full store. */
export function clearUp(cleared: readonly Cleared[]): Commit {
  return {...emptyCommit, effect: 'release', ...joinParts(cleared)};
}

/**
 * Clears the first rows of a part of a list; `clear` answers undefined for a row that stays as it is. Ask for
 * it inside a plan: another process may be at the same work.
 */
export async function listCleared(
  records: Pick<Records, 'list'>,
  {workspace, deadline}: Reader,
  part: Omit<ListQuery, 'limit'>,
  clear: (row: never) => Cleared | undefined,
  limit = clearedAtOnce,
): Promise<readonly Cleared[]> {
  const found = await scanPages(
    (page) => records.list(workspace, {...part, ...page}, deadline),
    {limit},
    (rows) => rows.map(({json}) => clear(parseWire(json) as never)),
    Number.POSITIVE_INFINITY,
  );
  return found.rows;
}
