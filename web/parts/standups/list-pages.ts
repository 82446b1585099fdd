import type {ShownStandup} from '../../api/schema.ts';
import type {StandupListPage} from './put-standup.ts';

/** Number of pages that load when the viewer scrolls. Each later page loads by a button. */
const freePages = 10;
/** Maximum number of standups on the page; to see others, the viewer must narrow the dates. */
export const mostShown = 1_000;

export interface ListProgress {
  /** True when the page is full: to see other standups, the viewer must narrow the dates. */
  readonly isFull: boolean;
  /** Number of empty pages at the end: the service scans a limited number of standups per page. */
  readonly emptyPages: number;
  /** True when the next page loads without a button press. */
  readonly isFree: boolean;
}

export function computePageProgress(
  pages: readonly Pick<StandupListPage, 'data'>[],
  hasMore: boolean,
): ListProgress {
  const isFull = pages.reduce((sum, {data}) => sum + data.length, 0) >= mostShown;
  const last = pages.findLastIndex(({data}) => data.length > 0);
  const emptyPages = pages.length - 1 - last;
  const isFree = hasMore && !isFull && emptyPages < freePages && pages.length < freePages + emptyPages;
  return {isFull, emptyPages, isFree};
}

/** True if the list's end is visible. A busy browser reports several observations, newest last. */
export function isEndNear(entries: readonly Pick<IntersectionObserverEntry, 'isIntersecting'>[]): boolean {
  return entries.at(-1)?.isIntersecting === true;
}

export function groupByDay(
  standups: readonly ShownStandup[],
): readonly (readonly [string, readonly ShownStandup[]])[] {
  return [...Map.groupBy(standups, ({date}) => date)];
}
