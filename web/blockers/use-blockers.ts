import {useInfiniteQuery} from '@tanstack/react-query';
import {belongs} from './changes.ts';
import {type Blocker, type BlockerFilter, blockersQuery} from './queries.ts';

/** Blockers in display order, with the state of paging. */
export interface ShownBlockers {
  readonly rows: readonly Blocker[];
  readonly isRead: boolean;
  readonly error: Error | null;
  readonly hasMore: boolean;
  readonly isReadingMore: boolean;
  readonly readMore: () => void;
  readonly readAgain: () => void;
}

/** The blockers that match a filter, in display order: longest open first, or latest resolved first. */
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
