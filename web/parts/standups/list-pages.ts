import type {StandupListPage} from './put-standup.ts';
import type {ShownStandup} from './standup-filter.ts';

/** The number of pages loaded by scrolling; more need a press. */
const freePages = 10;
/** The maximum of standups on the page; beyond it the viewer must narrow the dates. */
export const mostShown = 1_000;

export interface ListProgress {
  /** The viewer must narrow the dates to see more. */
  readonly isFull: boolean;
  /** The number of empty pages at the end: a search scans a bounded number of standups for each page. */
  readonly emptyPages: number;
  /** The next page comes without a press. */
  readonly isFree: boolean;
}

export function progressOf(pages: readonly Pick<StandupListPage, 'data'>[], hasMore: boolean): ListProgress {
  const isFull = pages.reduce((sum, {data}) => sum + data.length, 0) >= mostShown;
  const last = pages.findLastIndex(({data}) => data.length > 0);
  const emptyPages = pages.length - 1 - last;
  const isFree = hasMore && !isFull && emptyPages < freePages && pages.length < freePages + emptyPages;
  return {isFull, emptyPages, isFree};
}

/** A busy browser reports several entries at once, newest last. */
export function isNear(entries: readonly Pick<IntersectionObserverEntry, 'isIntersecting'>[]): boolean {
  return entries.at(-1)?.isIntersecting === true;
}

export function groupByDay(
  standups: readonly ShownStandup[],
): readonly (readonly [string, readonly ShownStandup[]])[] {
  const days = new Map<string, ShownStandup[]>();
  for (const standup of standups) {
    const day = days.get(standup.date);
    if (day === undefined) days.set(standup.date, [standup]);
    else day.push(standup);
  }
  return [...days];
}
