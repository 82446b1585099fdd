import {addDays} from '../parts/days.ts';
import type {SpanSearch, UsualSpan} from './search.ts';

/** The span requested from the API. A span without an end runs to today by each team's clock. */
export interface SpanQuery {
  readonly since: string;
  readonly until?: string;
}

/** Lengths of the preset spans in days, with today: whole weeks, so that each weekday counts equally. */
const weeks = {weeks: 4 * 7, quarter: 13 * 7} as const;

export function findChosenSpan({span = 'weeks', from}: SpanSearch): UsualSpan | 'own' {
  return from === undefined ? span : 'own';
}

export function toSpanQuery({span = 'weeks', from, until}: SpanSearch, today: string): SpanQuery {
  if (from !== undefined && until !== undefined) return {since: from, until};
  if (span === 'month') return {since: `${today.slice(0, 7)}-01`};
  return {since: addDays(today, 1 - weeks[span])};
}
