import {en} from './en.js';

/** The catalogue of one language: the shape of the English one. */
export type Words = Widened<typeof en>;

type Widened<T> = T extends string
  ? string
  : T extends (...args: never[]) => string
    ? T
    : T extends readonly string[]
      ? readonly string[]
      : {readonly [K in keyof T]: Widened<T[K]>};

/** Whom a text is for: their locale as Slack names it (`en-US`), and the catalogue that is nearest to it. */
export interface Reader {
  readonly locale: string;
  readonly words: Words;
}

const defaultLocale = 'en-US';

/** English is complete; the seam for others is here. */
export function readerOf(locale: string = defaultLocale): Reader {
  return {locale, words: en};
}
