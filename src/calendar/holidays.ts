import {createCache} from '../domain/core/cache.js';
import {addDays} from '../domain/core/dates.js';
import type {HolidayRegion, NamedRegion, PublicHolidays} from '../domain/absences/holidays.js';
import {findNearMatches} from '../domain/core/text.js';
import {createThread} from './thread.js';

/** The largest number of cached years. Each year counts separately for each country or region. */
const maxYears = 2_000;
/** The largest number of countries whose regions are in the cache. */
const maxCountries = 300;
const hourMs = 3_600_000;
/** The last day in January to search: a holiday that begins in December may end in January. */
const newYear = '-01-11';

/** A public holiday of the package: `date` begins with the day there, the instants show the length. */
interface PackageHoliday {
  readonly date: string;
  readonly start: Date;
  readonly end: Date;
  readonly name: string;
}

type NamesByCode = Readonly<Record<string, string>>;

/** The questions that `holiday-worker.mjs` can answer, each with its arguments and its answer. */
interface HolidayQuestions {
  load: {readonly about: readonly []; readonly answer: null};
  countries: {readonly about: readonly []; readonly answer: NamesByCode};
  states: {readonly about: readonly [country: string]; readonly answer: NamesByCode};
  regions: {readonly about: readonly [country: string, state: string]; readonly answer: NamesByCode};
  year: {
    readonly about: readonly [year: number, country: string, ...parts: string[]];
    readonly answer: readonly PackageHoliday[];
  };
}

/** Public holidays, with a function that ends their thread. */
export interface LoadedHolidays extends PublicHolidays {
  close: () => Promise<void>;
}

/**
 * Creates the source of public holidays: the package `date-holidays`, in a thread that starts with the first
 * question.
 * Only public holidays count, without those of banks or schools. A substitute day counts beside the holiday
 * itself. Each day of a longer holiday counts; half days do not. Names are in English if possible, else in
 * the country's language.
 */
export function createPublicHolidays(): LoadedHolidays {
  const years = createCache<Promise<ReadonlyMap<string, string>>>(maxYears);
  const regions = createCache<Promise<readonly NamedRegion[]>>(maxCountries);
  const thread = createThread<HolidayQuestions>(new URL('./holiday-worker.mjs', import.meta.url));

  /** Lists the holidays of a year. All callers share one question to the thread. */
  function listHolidaysOfYear(
    {country, region}: HolidayRegion,
    year: number,
  ): Promise<ReadonlyMap<string, string>> {
    const key = `${country}/${region ?? ''}/${year}`;
    const known = years.get(key);
    if (known !== undefined) return known;
    const parts = region === null ? [] : splitRegionCode(region);
    const asked = thread.ask('year', year, country ?? '', ...parts).then(mapHolidayNamesByDate);
    years.set(key, asked);
    asked.catch(() => years.delete(key));
    return asked;
  }

  /** Lists countries or regions. The list is cached: it never changes and has a few hundred names. */
  function listRegionsOnce(country: string | null): Promise<readonly NamedRegion[]> {
    const key = country ?? '';
    const known = regions.get(key);
    if (known !== undefined) return known;
    const asked = country === null ? listCountries() : listSubregions(country);
    regions.set(key, asked);
    asked.catch(() => regions.delete(key));
    return asked;
  }

  async function listCountries(): Promise<readonly NamedRegion[]> {
    const countries = Object.entries(await thread.ask('countries'));
    return sortByName(countries.map(([country, name]) => ({country, region: null, name})));
  }

  async function listSubregions(country: string): Promise<readonly NamedRegion[]> {
    const states = Object.entries(await thread.ask('states', country));
    const parts = await Promise.all(
      states.map(async ([state, name]) => {
        const own = Object.entries(prefixRegionCodes(state, await thread.ask('regions', country, state)));
        return [[state, name] as const, ...own.map(([code, part]) => [code, `${name}, ${part}`] as const)];
      }),
    );
    return sortByName(parts.flat().map(([region, name]) => ({country, region, name})));
  }

  return {
    listRegions: listRegionsOnce,
    async list(region, from, until) {
      const found = new Map<string, string>();
      if (region.country === null) return found;
      const first = Number(from.slice(0, 4)) - (from.slice(4) < newYear ? 1 : 0);
      for (let year = first; year <= Number(until.slice(0, 4)); year++) {
        for (const [date, name] of await listHolidaysOfYear(region, year)) {
          if (date >= from && date <= until && !found.has(date)) found.set(date, name);
        }
      }
      return found;
    },
    async load() {
      const begun = performance.now();
      await thread.ask('load');
      return performance.now() - begun;
    },
    async findRegionError({country, region}) {
      if (country === null) {
        return region === null
          ? undefined
          : {member: 'region', detail: 'is a part of a country: name that as `country`, such as "DE"'};
      }
      const countries = await thread.ask('countries');
      if (!Object.hasOwn(countries, country)) {
        return {
          member: 'country',
          detail: `There are no holidays of "${country}".${suggestRegions(country, countries)}`,
        };
      }
      if (region === null) return undefined;
      const [state = '', part] = splitRegionCode(region);
      const states = await thread.ask('states', country);
      const parts = Object.hasOwn(states, state) ? await thread.ask('regions', country, state) : {};
      if (Object.hasOwn(states, state) && (part === undefined || Object.hasOwn(parts, part)))
        return undefined;
      const known = part === undefined ? states : prefixRegionCodes(state, parts);
      const detail = `${countries[country]} has no part "${region}" with holidays of its own.${suggestRegions(region, known)}`;
      return {member: 'region', detail};
    },
    close: () => thread.close(),
  };
}

function mapHolidayNamesByDate(holidays: readonly PackageHoliday[]): ReadonlyMap<string, string> {
  const days = new Map<string, string>();
  for (const {date, start, end, name} of holidays) {
    // The day there is in the text; the instants give the length, with tolerance for a clock change.
    const whole = Math.floor((Number(end) - Number(start)) / hourMs / 24 + 1 / 24);
    for (let i = 0; i < whole; i++) {
      const day = addDays(date.slice(0, 10), i);
      if (!days.has(day)) days.set(day, name);
    }
  }
  return days;
}

/** Splits a region code: `BY` is a state of the country, `BY-A` a part of that state. */
function splitRegionCode(region: string): string[] {
  const [, state = region, part] = /^([^-]+)-(.+)$/.exec(region) ?? [];
  return part === undefined ? [state] : [state, part];
}

function sortByName(regions: readonly NamedRegion[]): readonly NamedRegion[] {
  return regions.toSorted((a, b) => a.name.localeCompare(b.name, 'en'));
}

function prefixRegionCodes(state: string, parts: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(parts).map(([code, name]) => [`${state}-${code}`, name]));
}

/** Suggests the values that were probably meant, by code or by name. A short list is shown completely. */
function suggestRegions(typed: string, known: Readonly<Record<string, string>>): string {
  const codes = Object.keys(known);
  const byName = codes.filter((code) => known[code]?.toLowerCase().startsWith(typed.toLowerCase()));
  const near = findNearMatches(
    typed,
    codes.map((code) => code.toLowerCase()),
  );
  const byCode = near.map((code) => code.toUpperCase()).filter((code) => codes.includes(code));
  const meant = codes.length <= 8 ? codes : [...new Set([...byName, ...byCode])].slice(0, 8);
  const shown = meant.map((code) => `${code} (${known[code]})`).join(', ');
  return shown === '' ? '' : ` There is ${shown}.`;
}
