import type {StandupListFilter} from '../parts/standups/standup-filter.ts';
import {dateInZone} from '../texts/format.ts';

/** Names of the filters, in display order. */
const names = ['q', 'team', 'author', 'from', 'to', 'source', 'order'] as const;
type FilterName = (typeof names)[number];

export function listActiveFilters(filter: StandupListFilter): readonly FilterName[] {
  return names.filter((name) => filter[name] !== undefined);
}

export function removeFilter(filter: StandupListFilter, name: FilterName): StandupListFilter {
  const {[name]: _, ...others} = filter;
  return others;
}

export function setSearchText(filter: StandupListFilter, q: string): StandupListFilter {
  return q === '' ? removeFilter(filter, 'q') : {...filter, q};
}

/** Drops empty filters, so that the page's address does not contain them. */
export function dropEmptyFilters(filter: StandupListFilter): StandupListFilter {
  return Object.fromEntries(
    Object.entries(filter).filter(([, value]) => value !== undefined && value !== ''),
  );
}

/** First days of the preset spans: 7 days and 30 days, each with today, and this year. */
export function findPresetStartDates(now: number): {
  readonly week: string;
  readonly month: string;
  readonly year: string;
} {
  const daysAgo = (days: number): string => dateInZone(now - (days - 1) * 86_400_000);
  return {week: daysAgo(7), month: daysAgo(30), year: `${dateInZone(now).slice(0, 4)}-01-01`};
}

/** Sets the first day of a filter, and removes its last day. */
export function setStartDate(filter: StandupListFilter, from: string): StandupListFilter {
  return {...removeFilter(filter, 'to'), from};
}
