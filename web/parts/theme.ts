export type Theme = 'system' | 'light' | 'dark';

const place = 'standup:theme';

export function readTheme(): Theme {
  const kept = localStorage.getItem(place);
  return kept === 'light' || kept === 'dark' ? kept : 'system';
}

export function chooseTheme(theme: Theme): void {
  if (theme === 'system') localStorage.removeItem(place);
  else localStorage.setItem(place, theme);
  applyTheme();
}

export function applyTheme(): void {
  document.documentElement.dataset['theme'] = readTheme();
}
