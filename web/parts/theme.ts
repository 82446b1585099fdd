import {forget, keep, readKept} from '../api/storage.ts';

export type Theme = 'system' | 'light' | 'dark';

const storageKey = 'standup:theme';

export function readTheme(): Theme {
  const kept = readKept(storageKey);
  return kept === 'light' || kept === 'dark' ? kept : 'system';
}

export function chooseTheme(theme: Theme): void {
  if (theme === 'system') forget(storageKey);
  else keep(storageKey, theme);
  applyTheme();
}

export function applyTheme(): void {
  document.documentElement.dataset['theme'] = readTheme();
}
