import {isValidDate} from '../parts/days.ts';
import type {StandupListFilter} from '../parts/standups/standup-filter.ts';

/** Parameters in the address of the History page: its filters, or one standup. */
export interface HistorySearch extends StandupListFilter {
  readonly standup?: string;
}

export function readHistorySearch(search: Record<string, unknown>): HistorySearch {
  const read = <Name extends keyof HistorySearch>(name: Name, most: number, form = /./) => {
    const given = search[name];
    // The router parses a search such as "2026" as a number.
    const text = typeof given === 'string' || typeof given === 'number' ? String(given).slice(0, most) : '';
    return form.test(text) ? {[name]: text} : {};
  };
  const readDay = (name: 'from' | 'to') => {
    const text = String(search[name]);
    return isValidDate(text) ? {[name]: text} : {};
  };
  return {
    ...read('team', 80),
    ...read('author', 254),
    ...readDay('from'),
    ...readDay('to'),
    ...read('source', 40, /^[a-z][a-z_]*$/),
    ...read('q', 100),
    ...read('order', 3, /^asc$/),
    ...read('standup', 80),
  };
}
