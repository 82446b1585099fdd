import {addDays} from '../parts/days.ts';
import type {SpanSearch, UsualSpan} from './search.ts';

/** The days that the API is asked for. Without an end they go to today by the clock of each team. */
export interface AskedSpan {
  readonly since: string;
  readonly until?: string;
}

/** Days back from today, today included: whole weeks, so that each weekday counts as often as the others. */
const weeks = {weeks: 4 * 7, quarter: 13 * 7} as const;

export function chosenSpan({span = 'weeks', from}: SpanSearch): UsualSpan | 'own' {
  return from === undefined ? span : 'own';
}

export function spanOf({span = 'weeks', from, until}: SpanSearch, today: string): AskedSpan {
  if (from !== undefined && until !== undefined) return {since: from, until};
  if (span === 'month') return {since: `${today.slice(0, 7)}-01`};
  return {since: addDays(today, 1 - weeks[span])};
}
