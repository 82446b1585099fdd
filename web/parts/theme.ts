import {forget, keep, readKept} from '../api/storage.ts';

export type Theme = 'system' | 'light' | 'dark';

const place = 'standup:theme';

export function readTheme(): Theme {
  const kept = readKept(place);
  return kept === 'light' || kept === 'dark' ? kept : 'system';
}

export function chooseTheme(theme: Theme): void {
  if (theme === 'system') forget(place);
  else keep(place, theme);
  applyTheme();
}

export function applyTheme(): void {
  document.documentElement.dataset['theme'] = readTheme();
}
