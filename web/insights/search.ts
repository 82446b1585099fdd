import {isValidDate} from '../parts/days.ts';

/** Preset spans of days, besides the default: the last four weeks. */
export const usualSpans = ['month', 'weeks', 'quarter'] as const;
export type UsualSpan = (typeof usualSpans)[number];

export interface SpanSearch {
  readonly span?: UsualSpan | undefined;
  /** First and last day of a custom range (`from`, `until`). Either both are set, or neither is. */
  readonly from?: string | undefined;
  readonly until?: string | undefined;
}

export type TrendStep = 'day' | 'week';

export interface InsightsSearch extends SpanSearch {
  /** The steps of the charts of answers and blockers; undefined: by week. */
  readonly by?: 'day' | undefined;
}

export interface OverviewSearch extends SpanSearch {
  /** `all`: all teams of the workspace; undefined: the viewer's own teams. */
  readonly teams?: 'all' | undefined;
}

export function readSpanSearch({span, from, until}: Record<string, unknown>): SpanSearch {
  if (typeof from === 'string' && typeof until === 'string' && isValidDate(from) && isValidDate(until)) {
    return from <= until ? {from, until} : {from: until, until: from};
  }
  return span === 'month' || span === 'quarter' ? {span} : {};
}

export function readInsightsSearch(given: Record<string, unknown>): InsightsSearch {
  return {...readSpanSearch(given), ...(given['by'] === 'day' && {by: 'day'})};
}

export function readOverviewSearch(given: Record<string, unknown>): OverviewSearch {
  return {...readSpanSearch(given), ...(given['teams'] === 'all' && {teams: 'all'})};
}
