import {chooseLanguage} from '../../../web/texts/texts.ts';

/** The browser APIs that code without a page uses: storage and languages. */
export interface FakeBrowser {
  readonly storage: Storage;
  /** Sets the browser's language, and applies it as a reload of the page does. */
  speak(language: string): Promise<void>;
  close(): void;
}

export function createFakeBrowser(): FakeBrowser {
  const storage = createStorage();
  let languages: readonly string[] = ['en-GB'];
  const parts = {
    localStorage: storage,
    document: {documentElement: {lang: ''}},
    navigator: {
      get languages() {
        return languages;
      },
    },
  };
  const before = Object.keys(parts).map(
    (name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const,
  );
  for (const [name, value] of Object.entries(parts)) {
    Object.defineProperty(globalThis, name, {value, configurable: true});
  }
  return {
    storage,
    speak: async (language) => {
      languages = [language];
      await chooseLanguage(localStorage.getItem('standup:language'));
    },
    close: () => {
      for (const [name, own] of before) {
        if (own === undefined) Reflect.deleteProperty(globalThis, name);
        else Object.defineProperty(globalThis, name, own);
      }
    },
  };
}

function createStorage(): Storage {
  const kept = new Map<string, string>();
  return {
    get length() {
      return kept.size;
    },
    key: (index) => [...kept.keys()][index] ?? null,
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
    clear: () => kept.clear(),
  };
}
