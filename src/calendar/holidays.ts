import type Holidays from 'date-holidays';
import {LRUCache} from 'lru-cache';
import {addDays} from '../domain/dates.js';
import type {HolidayRegion, PublicHolidays} from '../domain/holidays.js';
import {nearMatches} from '../domain/text.js';

/** Years of regions that are kept: making one takes from 5 to 100 ms. */
const maxYears = 2_000;
const hourMs = 3_600_000;
/** A holiday that begins in December may end in January. */
const newYear = '-01-11';

/**
 * Public holidays by the package `date-holidays`, which is loaded when somebody has chosen a country: that takes a quarter of a second. Only
 * what is a public holiday counts, not what banks or schools have; days in lieu count beside the day itself; of a holiday of several days
 * each counts, and of half a day none. Names are English where there is one, else of the country.
 */
export function createPublicHolidays(): PublicHolidays {
  const years = new LRUCache<string, ReadonlyMap<string, string>>({max: maxYears});
  let loading: Promise<typeof Holidays> | undefined;

  function load(): Promise<typeof Holidays> {
    loading ??= import('date-holidays').then((found) => found.default);
    return loading;
  }

  async function listYear(region: HolidayRegion, year: number): Promise<ReadonlyMap<string, string>> {
    const key = `${region.country}/${region.region ?? ''}/${year}`;
    let days = years.get(key);
    if (days === undefined) {
      days = daysOf(await load(), region, year);
      years.set(key, days);
    }
    return days;
  }

  return {
    async list(region, from, until) {
      const found = new Map<string, string>();
      if (region.country === null) return found;
      const first = Number(from.slice(0, 4)) - (from.slice(4) < newYear ? 1 : 0);
      for (let year = first; year <= Number(until.slice(0, 4)); year++) {
        for (const [date, name] of await listYear(region, year)) {
          if (date >= from && date <= until && !found.has(date)) found.set(date, name);
        }
      }
      return found;
    },
    async findFault({country, region}) {
      if (country === null) {
        return region === null
          ? undefined
          : {member: 'region', detail: 'is a part of a country: name that as `country`, such as "DE"'};
      }
      const calendars = new (await load())();
      const countries = calendars.getCountries('en');
      if (!Object.hasOwn(countries, country)) {
        return {
          member: 'country',
          detail: `There are no holidays of "${country}".${suggest(country, countries)}`,
        };
      }
      if (region === null) return undefined;
      const [state = '', part] = split(region);
      const states = calendars.getStates(country, 'en') ?? {};
      const parts = Object.hasOwn(states, state) ? (calendars.getRegions(country, state, 'en') ?? {}) : {};
      if (Object.hasOwn(states, state) && (part === undefined || Object.hasOwn(parts, part)))
        return undefined;
      const known = part === undefined ? states : prefixed(state, parts);
      const detail = `${countries[country]} has no part "${region}" with holidays of its own.${suggest(region, known)}`;
      return {member: 'region', detail};
    },
  };
}

function daysOf(Calendars: typeof Holidays, {country, region}: HolidayRegion, year: number) {
  const [state, part] = region === null ? [] : split(region);
  const options = {types: ['public' as const]};
  const calendar =
    part !== undefined
      ? new Calendars(country ?? '', state ?? '', part, options)
      : state !== undefined
        ? new Calendars(country ?? '', state, options)
        : new Calendars(country ?? '', options);
  const days = new Map<string, string>();
  for (const {date, start, end, name} of calendar.getHolidays(year, 'en') ?? []) {
    // The text has the day in the country, the instants its length; clocks may change on it.
    const whole = Math.floor((Number(end) - Number(start)) / hourMs / 24 + 1 / 24);
    for (let i = 0; i < whole; i++) {
      const day = addDays(date.slice(0, 10), i);
      if (!days.has(day)) days.set(day, name);
    }
  }
  return days;
}

/** `BY` is a part of a country, `BY-A` a part of that. */
function split(region: string): string[] {
  const [, state = region, part] = /^([^-]+)-(.+)$/.exec(region) ?? [];
  return part === undefined ? [state] : [state, part];
}

function prefixed(state: string, parts: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(parts).map(([code, name]) => [`${state}-${code}`, name]));
}

/** What was probably meant, by code or by name; all of a short list. */
function suggest(typed: string, known: Readonly<Record<string, string>>): string {
  const codes = Object.keys(known);
  const byName = codes.filter((code) => known[code]?.toLowerCase().startsWith(typed.toLowerCase()));
  const near = nearMatches(
    typed,
    codes.map((code) => code.toLowerCase()),
  );
  const byCode = near.map((code) => code.toUpperCase()).filter((code) => codes.includes(code));
  const meant = codes.length <= 8 ? codes : [...new Set([...byName, ...byCode])].slice(0, 8);
  const shown = meant.map((code) => `${code} (${known[code]})`).join(', ');
  return shown === '' ? '' : ` There is ${shown}.`;
}
