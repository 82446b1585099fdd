import {storeItem, readItem} from '../api/storage.ts';

const kept = 'standup:language';

export function readLanguage(): string | null {
  return readItem(kept);
}

/** Stores the chosen language, which takes effect when the page is reloaded. */
export function storeLanguage(language: string): void {
  storeItem(kept, language);
  location.reload();
}
