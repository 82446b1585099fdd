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

/** The words of screens that come after the first one: whatever loads such a screen loads them too. */
export async function loadMoreWords(): Promise<void> {
  const isWhole: boolean = 'history' in words;
  if (!isWhole) words = {...words, ...(await import('./en-more.ts')).enMore};
}

/** Long words from right to left: a language of the tests. */
async function loadPseudo(): Promise<void> {
  const {makeLong} = await import('./long.ts');
  const {enMore} = await import('./en-more.ts');
  words = makeLong({...en, ...enMore});
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
