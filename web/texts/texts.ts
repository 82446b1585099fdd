// All messages of the app. English is complete and defines the type; other languages are loaded on demand.
import {languages, loadLanguage} from './compiled/index.ts';
import {en, type Texts} from './en.ts';

export type Language = keyof typeof languages;

export {languages};

let chosen: Language = 'en';

/** All messages in the chosen language. Read them while rendering: a constant would stay English. */
export let texts = en as Texts;
/** The locale for `Intl`, and for the page's `lang`. */
export let locale = 'en-GB';

/** Sets the language to `kept`, otherwise to the browser's first language that the app supports. */
export async function chooseLanguage(kept: string | null): Promise<void> {
  if (kept === 'x-long') await loadPseudo();
  else await loadLanguageTexts(isLanguage(kept) ? kept : findPreferredLanguage());
}

export function getCurrentLanguage(): Language {
  return chosen;
}

async function loadLanguageTexts(language: Language): Promise<void> {
  if (language !== 'en') texts = await loadLanguage[language]();
  chosen = language;
  locale = readTags().find((tag) => languageOf(tag) === language) ?? (language === 'en' ? 'en-GB' : language);
  document.documentElement.lang = language;
}

/**
 * Messages that are loaded in addition to those of the frame. `board`: messages of the board. `setup`: also
 * messages of the first run. `more`: messages of the board and of every member's other screens. `leading`:
 * also messages of leads' screens.
 */
export type ExtraMessages = 'board' | 'setup' | 'more' | 'leading';

/** Loads the messages of a screen; call it when loading the screen. */
export async function loadTexts(further: ExtraMessages): Promise<void> {
  const has = (screen: keyof Texts): boolean => screen in texts;
  const isMore = further === 'more' || further === 'leading';
  const [board, setup, more, leading] = await Promise.all([
    has('today') ? undefined : import('./compiled/en/today.ts'),
    further !== 'setup' || has('setup') ? undefined : import('./compiled/en/setup.ts'),
    !isMore || has('history') ? undefined : import('./en-more.ts'),
    further !== 'leading' || has('events') ? undefined : import('./en-leading.ts'),
  ]);
  texts = {...texts, ...board, ...setup, ...more?.enMore, ...leading?.enLeading};
}

/** Adds messages that a screen brings along. Those in another language than English are there already. */
export function addTexts(messages: Partial<Texts>): void {
  texts = {...messages, ...texts};
}

/** Long messages from right to left: a pseudo-language for tests. */
async function loadPseudo(): Promise<void> {
  texts = (await import('./long.ts')).createLongTexts();
  document.documentElement.lang = 'ar';
  document.documentElement.dir = 'rtl';
}

function findPreferredLanguage(): Language {
  const found = readTags().map(languageOf).find(isLanguage);
  return found ?? 'en';
}

/** The browser's languages as valid tags: some browsers return the system's locale, `en-US@posix`. */
function readTags(): readonly string[] {
  return navigator.languages.flatMap((name) => {
    try {
      return Intl.getCanonicalLocales(name.replace(/[.@].*$/, '').replaceAll('_', '-'));
    } catch {
      return [];
    }
  });
}

function languageOf(tag: string): string {
  return tag.split('-')[0] ?? '';
}

/** The text for a value of a set that the API may extend; undefined for an unknown value. */
export function findText<T>(group: Readonly<Record<string, T>>, value: string): T | undefined {
  return Object.hasOwn(group, value) ? group[value] : undefined;
}

export function isLanguage(text: string | null): text is Language {
  return text !== null && text in languages;
}
