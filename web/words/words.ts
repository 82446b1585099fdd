// Every sentence of the app. English is whole and decides the shape; others are loaded when they are asked
// for.
import {en, type Words} from './en.ts';

export type Language = 'en' | 'de';

export const languages: Readonly<Record<Language, string>> = {en: 'English', de: 'Deutsch'};

/** Chosen before anything is rendered. Read it while rendering, not in a constant of a module. */
export let words = en as Words;
/** For `Intl`, and `lang` of the page. */
export let locale = 'en-GB';

/** `kept`: the language chosen in this browser, or else the first one of the browser that there is. */
export async function chooseLanguage(kept: string | null): Promise<void> {
  if (kept === 'x-long') await loadPseudo();
  else await load(isLanguage(kept) ? kept : preferred());
}

export function currentLanguage(): Language {
  return locale.startsWith('de') ? 'de' : 'en';
}

async function load(language: Language): Promise<void> {
  if (language === 'de') words = (await import('./de.ts')).de;
  locale = readTags().find((tag) => tag.startsWith(language)) ?? fallback[language];
  document.documentElement.lang = language;
}

/**
 * Words that the frame does not need: of the board, also of everybody's other screens, or also of those who
 * lead.
 */
export type Further = 'board' | 'more' | 'leading';

/** Whatever loads such a screen loads its words too. */
export async function loadWords(further: Further): Promise<void> {
  const has = (screen: keyof Words): boolean => screen in words;
  const [board, more, leading] = await Promise.all([
    has('today') ? undefined : import('./en/today.ts'),
    further === 'board' || has('history') ? undefined : import('./en-more.ts'),
    further !== 'leading' || has('events') ? undefined : import('./en-leading.ts'),
  ]);
  words = {...words, ...board, ...more?.enMore, ...leading?.enLeading};
}

/** Long words from right to left: a language of the tests. */
async function loadPseudo(): Promise<void> {
  const {makeLong} = await import('./long.ts');
  const {today} = await import('./en/today.ts');
  const {enMore} = await import('./en-more.ts');
  const {enLeading} = await import('./en-leading.ts');
  words = makeLong({...en, today, ...enMore, ...enLeading});
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
 * The browser's languages as tags that `Intl` takes: some browsers hand on what the system says, such as
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
