import {catalogues} from './texts/compiled/index.js';
import type {Texts} from './texts/compiled/en.js';

/** The language of a reader without an account, by what the browser prefers. */
export interface PageLanguage {
  readonly locale: string;
  readonly texts: Texts;
}

const known: ReadonlyMap<string, Texts> = new Map(Object.entries(catalogues));
/** The number of languages of a header that are looked at. */
const most = 20;

/** Chooses the first language of `Accept-Language` (RFC 9110) that has texts, by its weight; else English. */
export function chooseLanguage(acceptLanguage = ''): PageLanguage {
  const wanted = acceptLanguage
    .slice(0, 1_000)
    .split(',', most)
    .map((part) => {
      const [tag = '', weight = 'q=1'] = part.split(';').map((piece) => piece.trim());
      return {tag, weight: Number(/^q=([\d.]+)$/.exec(weight)?.[1] ?? 0)};
    })
    .filter(({weight}) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight);
  for (const {tag} of wanted) {
    const texts = known.get(tag.split('-')[0]?.toLowerCase() ?? '');
    if (texts !== undefined && isLocale(tag)) return {locale: tag, texts};
  }
  return {locale: 'en', texts: catalogues.en};
}

function isLocale(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}
