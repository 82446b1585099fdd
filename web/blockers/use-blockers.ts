import {useInfiniteQuery} from '@tanstack/react-query';
import type {Blocker} from '../api/schema.ts';
import {listMatchingBlockers} from './lists.ts';
import {type BlockerListFilter, blockersQuery} from './queries.ts';

/** The blockers shown, in display order, and whether further pages can be loaded. */
export interface ShownBlockers {
  readonly rows: readonly Blocker[];
  readonly isRead: boolean;
  readonly error: Error | null;
  readonly hasMore: boolean;
  readonly isReadingMore: boolean;
  readonly readMore: () => void;
  readonly readAgain: () => void;
}

/** Loads the blockers that match a filter, in display order: longest open first, or latest resolved first. */
export function useBlockers(filter: BlockerListFilter, enabled: boolean): ShownBlockers {
  const query = useInfiniteQuery({...blockersQuery(filter), enabled});
  return {
    rows: listMatchingBlockers(query.data?.pages ?? [], filter),
    isRead: query.data !== undefined,
    error: query.error,
    hasMore: query.hasNextPage,
    isReadingMore: query.isFetchingNextPage,
    readMore: () => void query.fetchNextPage(),
    readAgain: () => void query.refetch(),
  };
}
