import {isolateDirection} from './bidi.js';
import {en, type Texts} from './compiled/en.js';
import {catalogues as compiled} from './compiled/index.js';
import {type Language, languages} from '../../domain/core/compiled/languages.js';
import {createTimes, type TimeFormats} from './times.js';

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
export type Catalogues = ReadonlyMap<string, Texts>;

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
