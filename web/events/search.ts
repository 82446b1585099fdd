import {isValidDate} from '../parts/days.ts';

export const usualTimes = ['hour', 'day', 'week'] as const;
export type UsualTime = (typeof usualTimes)[number];

/** Filters of the events page, as the page's address stores them. */
export interface EventFilters {
  /** Event types and groups such as `standup.*`, separated by commas. */
  readonly types?: string | undefined;
  readonly last?: UsualTime | undefined;
  /** First and last day of the events, both included. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** Filters by object (`about`) and by actor, in the form of the API's parameters. */
  readonly about?: string | undefined;
  readonly actor?: string | undefined;
}

export interface EventsSearch extends EventFilters {
  readonly event?: string | undefined;
}

export const filterNames = ['types', 'last', 'from', 'to', 'about', 'actor'] as const;

export function readEventsSearch(given: Record<string, unknown>): EventsSearch {
  const read = (name: keyof EventsSearch, form: RegExp) => {
    const text = given[name];
    return typeof text === 'string' && form.test(text) ? {[name]: text} : {};
  };
  const readDay = (name: 'from' | 'to') => (isValidDate(String(given[name])) ? {[name]: given[name]} : {});
  const last = usualTimes.find((one) => one === given['last']);
  return {
    ...read('types', /^[a-z_.*]{1,60}(?:,[a-z_.*]{1,60}){0,49}$/),
    ...(last === undefined ? {...readDay('from'), ...readDay('to')} : {last}),
    ...read('about', /^[a-z]{2,4}_[0-9a-z]{26}$/),
    ...read('actor', /^(?:[a-z]{2,4}_[0-9a-z]{26}|system|operator)$/),
    ...read('event', /^evt_[0-9a-z]{26}$/),
  };
}
