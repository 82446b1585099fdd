import {useInfiniteQuery} from '@tanstack/react-query';
import {belongs} from './changes.ts';
import {type Blocker, type BlockerFilter, blockersQuery} from './queries.ts';

/** Blockers as a list shows them, and how it goes on. */
export interface ShownBlockers {
  readonly rows: readonly Blocker[];
  readonly isRead: boolean;
  readonly error: Error | null;
  readonly hasMore: boolean;
  readonly isReadingMore: boolean;
  readonly readMore: () => void;
  readonly readAgain: () => void;
}

/**
 * The blockers of a filter in the order that they are shown in: those that are open longest, or resolved
 * last.
 */
export function useBlockers(filter: BlockerFilter, enabled: boolean): ShownBlockers {
  const query = useInfiniteQuery({...blockersQuery(filter), enabled});
  const known = new Map(query.data?.pages.flatMap(({rows}) => rows.map((row) => [row.id, row])));
  const rows = [...known.values()].filter((row) => belongs(row, filter)).toSorted(inOrder(filter));
  return {
    rows,
    isRead: query.data !== undefined,
    error: query.error,
    hasMore: query.hasNextPage,
    isReadingMore: query.isFetchingNextPage,
    readMore: () => void query.fetchNextPage(),
    readAgain: () => void query.refetch(),
  };
}

function inOrder({state}: BlockerFilter): (a: Blocker, b: Blocker) => number {
  if (state === 'resolved') return (a, b) => (b.resolved_at ?? '').localeCompare(a.resolved_at ?? '');
  return (a, b) => a.created_at.localeCompare(b.created_at);
}
