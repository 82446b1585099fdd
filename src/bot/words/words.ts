import {LRUCache} from 'lru-cache';
import {isolate} from './bidi.js';
import {en} from './en.js';
import {createTimes, type Times} from './times.js';

/** The catalogue of one language: the shape of the English one. One that lacks a sentence does not compile. */
export type Words = Widened<typeof en>;

type Widened<T> = T extends string
  ? string
  : T extends (...args: never[]) => string
    ? T
    : T extends readonly string[]
      ? readonly string[]
      : {readonly [K in keyof T]: Widened<T[K]>};

/** Whom a text is for: their locale as Slack names it (`en-US`), the catalogue that is nearest to it, and how days and times are told them. */
export interface Reader extends Times {
  readonly locale: string;
  readonly words: Words;
}

/** By language, or language and region: `de`, `de-AT`. */
export type Catalogues = ReadonlyMap<string, Words>;

const catalogues: Catalogues = new Map([['en', en]]);

/** Until Slack has told: days as messages in channels have them, with the number first. */
const defaultLocale = 'en-GB';

/** `de-AT`, else `de`, else English, which is complete. */
export function findWords(locale: string, from: Catalogues = catalogues): Words {
  for (let tag = locale; tag !== ''; tag = tag.slice(0, Math.max(0, tag.lastIndexOf('-')))) {
    const words = from.get(tag);
    if (words !== undefined) return words;
  }
  return en;
}

/** Making formatters costs more than using them; Slack has a few dozen locales. */
const kept = new LRUCache<string, Reader>({max: 100});

/** Somebody with this locale; what is no locale counts as not known. */
export function readerOf(locale: string = defaultLocale): Reader {
  let reader = kept.get(locale);
  if (reader === undefined) {
    reader = createReader(canonical(locale) ?? defaultLocale);
    kept.set(locale, reader);
  }
  return reader;
}

/** For a test's own catalogues; everybody else asks `readerOf`. */
export function createReader(locale: string, from?: Catalogues): Reader {
  const words = withIsolatedGaps(findWords(locale, from));
  return {locale, words, ...createTimes(locale, words.time)};
}

function canonical(locale: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(locale)[0];
  } catch {
    return undefined;
  }
}

/** The same catalogue; what is put into a gap keeps its direction to itself, whoever calls. */
function withIsolatedGaps<T>(part: T): T {
  if (typeof part === 'function') {
    const say = part as unknown as (...gaps: unknown[]) => string;
    return ((...gaps: unknown[]) =>
      say(...gaps.map((gap) => (typeof gap === 'string' ? isolate(gap) : gap)))) as unknown as T;
  }
  if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
  return Object.fromEntries(
    Object.entries(part).map(([name, inner]) => [name, withIsolatedGaps(inner)]),
  ) as T;
}
