import {isolateDirection} from './bidi.js';
import {en, type Texts} from './compiled/en.js';
import {catalogues as compiled} from './compiled/index.js';
import {type Language, languages} from '../../domain/core/compiled/languages.js';

export type {Texts} from './compiled/en.js';

export interface Translation extends TimeFormats {
  readonly locale: string;
  readonly texts: Texts;
}

export {languages, type Language} from '../../domain/core/compiled/languages.js';

/** Returns the language of a locale; undefined if there is no catalogue in that language. */
export function languageOf(locale: string | undefined): Language | undefined {
  const [spoken] = locale?.split('-') ?? [];
  return languages.find((language) => language === spoken);
}

/** The catalogues by language, or by language and region: `de`, `de-AT`. */
type Catalogues = ReadonlyMap<string, Texts>;

const catalogues: Catalogues = new Map<string, Texts>(Object.entries(compiled));

/** The locale that formats English dates: “23 November”. */
const defaultLocale = 'en-GB';

/** Returns the catalogue for a locale: for `de-AT` its own, else that of `de`, else English. */
export function findCatalogue(locale: string, from: Catalogues = catalogues): Texts {
  for (let tag = locale; tag !== ''; tag = tag.slice(0, Math.max(0, tag.lastIndexOf('-')))) {
    const texts = from.get(tag);
    if (texts !== undefined) return texts;
  }
  return en;
}

/** Creates the translation for a locale. Days follow the catalogue's language. */
export function createTranslation(locale: string, from?: Catalogues): Translation {
  const texts = findCatalogue(locale, from);
  const spoken = texts === en ? defaultLocale : locale;
  return {locale: spoken, texts: isolateInsertedValues(texts), ...createTimes(spoken, texts.time)};
}

/** Returns the same catalogue with functions that isolate the direction of every inserted value. */
function isolateInsertedValues<T>(part: T): T {
  if (typeof part === 'function') {
    const format = part as unknown as (gaps: object) => string;
    return ((gaps: object) =>
      format(
        Object.fromEntries(
          Object.entries(gaps).map(([name, gap]) => [
            name,
            typeof gap === 'string' ? isolateDirection(gap) : gap,
          ]),
        ),
      )) as unknown as T;
  }
  if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
  return Object.fromEntries(
    Object.entries(part).map(([name, inner]) => [name, isolateInsertedValues(inner)]),
  ) as T;
}

interface TimeFormats {
  /**
   * Formats a calendar day (`YYYY-MM-DD`) in words: "Tuesday 24 November". No time zone moves the day. With
   * `today`, nearby days become "today", "yesterday" or "tomorrow", and a day of another year gets its year.
   */
  day: (date: string, today?: string) => string;
  /** Formats a calendar day in few letters, for headings: "Tue 24 Nov". */
  shortDay: (date: string) => string;
  /** Formats an instant (Unix ms) in words, in UTC. */
  plainInstant: (ms: number) => string;
}

interface TimeTexts {
  readonly instant: string;
  readonly plainInstant: (gaps: {readonly day: string; readonly time: string}) => string;
  readonly shortDay: (gaps: {
    readonly weekday: string;
    readonly day: string;
    readonly month: string;
  }) => string;
}

const dayMs = 86_400_000;

/** Every language shows the stored Gregorian day. UTC prevents a time zone from moving it. */
const calendarDay = {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  timeZone: 'UTC',
  calendar: 'gregory',
} as const;

const shortParts = {...calendarDay, weekday: 'short', month: 'short'} as const;

const clockTime = {hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone: 'UTC'} as const;

function createTimes(locale: string, texts: TimeTexts): TimeFormats {
  const thisYear = new Intl.DateTimeFormat(locale, calendarDay);
  const anyYear = new Intl.DateTimeFormat(locale, {...calendarDay, year: 'numeric'});
  const near = new Intl.RelativeTimeFormat(locale, {numeric: 'auto'});
  const clock = new Intl.DateTimeFormat(locale, clockTime);
  // The short months of British English have three letters, except one; American ones all have three.
  const short = new Intl.DateTimeFormat(locale === 'en-GB' ? 'en-US' : locale, shortParts);

  function formatDay(date: string, today?: string): string {
    const at = Date.parse(`${date}T00:00:00Z`);
    if (today === undefined) return thisYear.format(at);
    const days = (at - Date.parse(`${today}T00:00:00Z`)) / dayMs;
    if (Math.abs(days) <= 1) return near.format(days, 'day');
    return (date.slice(0, 4) === today.slice(0, 4) ? thisYear : anyYear).format(at);
  }

  function shortDay(date: string): string {
    const parts = short.formatToParts(Date.parse(`${date}T00:00:00Z`));
    const of = (wanted: string) => parts.find(({type}) => type === wanted)?.value ?? '';
    return texts.shortDay({weekday: of('weekday'), day: of('day'), month: of('month')});
  }

  const plainInstant = (ms: number): string =>
    texts.plainInstant({
      day: formatDay(new Date(ms).toISOString().slice(0, 10)),
      time: clock.format(ms),
    });

  return {day: formatDay, shortDay, plainInstant};
}
