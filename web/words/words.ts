// Every sentence of the app. English is whole and decides the shape; others are loaded when they are asked for.
import {en, type Words} from './en.ts';

export type Language = 'en' | 'de';

export const languages: Readonly<Record<Language, string>> = {en: 'English', de: 'Deutsch'};

const place = 'standup:language';

/** Chosen before anything is drawn. Read it while drawing, not in a constant of a module. */
export let words = en as Words;
/** For `Intl`, and `lang` of the page. */
export let locale = 'en-GB';

/** The language kept here, or else the first one of the browser that there is. */
export async function chooseLanguage(): Promise<void> {
  const kept = localStorage.getItem(place);
  if (kept === 'x-long') await loadPseudo();
  else await load(isLanguage(kept) ? kept : preferred());
}

/** Takes effect with the next page. */
export function keepLanguage(language: Language): void {
  localStorage.setItem(place, language);
  location.reload();
}

export function currentLanguage(): Language {
  return locale.startsWith('de') ? 'de' : 'en';
}

async function load(language: Language): Promise<void> {
  locale = navigator.languages.find((one) => one.startsWith(language)) ?? fallback[language];
  document.documentElement.lang = language;
  if (language === 'de') words = (await import('./de.ts')).de;
}

/** Words of screens after the first one: of everybody's, or also of those for who leads or runs something. */
export type Further = 'more' | 'leading';

/** Whatever loads such a screen loads its words too. */
export async function loadWords(further: Further): Promise<void> {
  const has = (screen: keyof Words): boolean => screen in words;
  const [more, leading] = await Promise.all([
    has('history') ? undefined : import('./en-more.ts'),
    further === 'more' || has('events') ? undefined : import('./en-leading.ts'),
  ]);
  words = {...words, ...more?.enMore, ...leading?.enLeading};
}

/** Long words from right to left: a language of the tests. */
async function loadPseudo(): Promise<void> {
  const {makeLong} = await import('./long.ts');
  const {enMore} = await import('./en-more.ts');
  const {enLeading} = await import('./en-leading.ts');
  words = makeLong({...en, ...enMore, ...enLeading});
  document.documentElement.lang = 'ar';
  document.documentElement.dir = 'rtl';
}

const fallback: Readonly<Record<Language, string>> = {en: 'en-GB', de: 'de-DE'};

function preferred(): Language {
  const found = navigator.languages.map((one) => one.slice(0, 2)).find(isLanguage);
  return found ?? 'en';
}

export function isLanguage(text: string | null): text is Language {
  return text !== null && text in languages;
}
