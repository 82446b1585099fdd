import type {ComposedMail} from '../domain/mail/mail-content.js';
import {catalogues} from './texts/compiled/index.js';
import type {Texts} from './texts/compiled/en.js';

/** The language and the time zone of the person who reads a mail. */
export interface Reader {
  readonly locale: string;
  readonly texts: Texts;
  /** Formats the day of an instant: "Thursday, December 3". */
  readonly day: (instant: string) => string;
  /** Formats the time of an instant: "11:00 AM". */
  readonly time: (instant: string) => string;
  /** Formats a date: "Thu, Nov 26". */
  readonly date: (date: string) => string;
  /** Joins names: "Platform, Sales, and Support". Empty for none. */
  readonly list: (names: readonly string[]) => string;
}

const texts: ReadonlyMap<string, Texts> = new Map(Object.entries(catalogues));

export function createReader({language, timezone}: ComposedMail): Reader {
  const [spoken = ''] = language.split('-');
  const own = texts.get(spoken);
  const locale = own === undefined ? 'en' : language;
  const format = (options: Intl.DateTimeFormatOptions) => (instant: string) =>
    new Intl.DateTimeFormat(locale, {...options, timeZone: timezone, calendar: 'gregory'}).format(
      Date.parse(instant),
    );
  return {
    locale,
    texts: own ?? catalogues.en,
    day: format({weekday: 'long', month: 'long', day: 'numeric'}),
    time: format({hour: 'numeric', minute: '2-digit'}),
    date: (date) =>
      new Intl.DateTimeFormat(locale, {
        weekday: 'short',
        month: 'short',
        day: 'numeric',
        timeZone: 'UTC',
        calendar: 'gregory',
      }).format(Date.parse(`${date}T00:00:00Z`)),
    list: (names) => new Intl.ListFormat(locale).format(names),
  };
}
