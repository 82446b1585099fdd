import {removeItem, storeItem, readItem} from '../api/storage.ts';

export type Theme = 'system' | 'light' | 'dark';

const storageKey = 'standup:theme';

export function readTheme(): Theme {
  const kept = readItem(storageKey);
  return kept === 'light' || kept === 'dark' ? kept : 'system';
}

export function chooseTheme(theme: Theme): void {
  if (theme === 'system') removeItem(storageKey);
  else storeItem(storageKey, theme);
  applyTheme();
}

export function applyTheme(): void {
  document.documentElement.dataset['theme'] = readTheme();
}
