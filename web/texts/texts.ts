// All messages of the app. English is complete and defines the type; other languages are loaded on demand.
import {en, type Texts} from './en.ts';

export type Language = 'en' | 'de';

export const languages: Readonly<Record<Language, string>> = {en: 'English', de: 'Deutsch'};

/** Set before the first rendering. Read it while rendering, not in a module-level constant. */
export let texts = en as Texts;
/** For `Intl`, and for the page's `lang`. */
export let locale = 'en-GB';

/**
 * `kept`: the language chosen in this browser; without it, the first supported one of the browser's
 * languages.
 */
export async function chooseLanguage(kept: string | null): Promise<void> {
  if (kept === 'x-long') await loadPseudo();
  else await load(isLanguage(kept) ? kept : preferred());
}

export function currentLanguage(): Language {
  return locale.startsWith('de') ? 'de' : 'en';
}

async function load(language: Language): Promise<void> {
  if (language === 'de') texts = (await import('./de.ts')).de;
  locale = readTags().find((tag) => tag.startsWith(language)) ?? fallback[language];
  document.documentElement.lang = language;
}

/**
 * Messages that the frame does not need: those of the board, also of every member's other screens, or also of
 * leads' screens.
 */
export type ExtraMessages = 'board' | 'more' | 'leading';

/** Loads the messages of a screen; call it when loading the screen. */
export async function loadTexts(further: ExtraMessages): Promise<void> {
  const has = (screen: keyof Texts): boolean => screen in texts;
  const [board, more, leading] = await Promise.all([
    has('today') ? undefined : import('./en/today.ts'),
    further === 'board' || has('history') ? undefined : import('./en-more.ts'),
    further !== 'leading' || has('events') ? undefined : import('./en-leading.ts'),
  ]);
  texts = {...texts, ...board, ...more?.enMore, ...leading?.enLeading};
}

/** Long messages from right to left: a pseudo-language for tests. */
async function loadPseudo(): Promise<void> {
  const {lengthenTexts: makeLong} = await import('./long.ts');
  const {today} = await import('./en/today.ts');
  const {enMore} = await import('./en-more.ts');
  const {enLeading} = await import('./en-leading.ts');
  texts = makeLong({...en, today, ...enMore, ...enLeading});
  document.documentElement.lang = 'ar';
  document.documentElement.dir = 'rtl';
}

const fallback: Readonly<Record<Language, string>> = {en: 'en-GB', de: 'de-DE'};

function preferred(): Language {
  const found = readTags()
    .map((tag) => tag.slice(0, 2))
    .find(isLanguage);
  return found ?? 'en';
}

/**
 * The browser's languages as valid tags for `Intl`: some browsers return the system's locale, such as
 * `en-US@posix`.
 */
function readTags(): readonly string[] {
  return navigator.languages.flatMap((name) => {
    try {
      return Intl.getCanonicalLocales(name.replace(/[.@].*$/, '').replaceAll('_', '-'));
    } catch {
      return [];
    }
  });
}

export function isLanguage(text: string | null): text is Language {
  return text !== null && text in languages;
}
