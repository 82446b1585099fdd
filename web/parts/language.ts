import {keep, readKept} from '../api/storage.ts';
import type {Language} from '../texts/texts.ts';

const kept = 'standup:language';

export function readLanguage(): string | null {
  return readKept(kept);
}

/** Takes effect when the page is reloaded. */
export function keepLanguage(language: Language): void {
  keep(kept, language);
  location.reload();
}
