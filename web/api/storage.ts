// Small values that this browser keeps after the page is closed. A browser may refuse, by its settings or
// because its storage is full; then they last as long as the page.

const unkept = new Map<string, string>();

export function readKept(key: string): string | null {
  return unkept.get(key) ?? tried(() => localStorage.getItem(key)) ?? null;
}

/** Returns whether the value is kept beyond this page. */
export function keep(key: string, value: string): boolean {
  const isKept = tried(() => (localStorage.setItem(key, value), true)) ?? false;
  if (isKept) unkept.delete(key);
  else unkept.set(key, value);
  return isKept;
}

export function forget(key: string): void {
  unkept.delete(key);
  tried(() => localStorage.removeItem(key));
}

export function listKept(prefix: string): readonly string[] {
  const kept = tried(() => Array.from({length: localStorage.length}, (_, i) => localStorage.key(i) ?? ''));
  return [...new Set([...(kept ?? []), ...unkept.keys()])].filter((key) => key.startsWith(prefix));
}

/** Sets or clears a mark in this tab only; it lasts until the tab is closed. */
export function markTab(key: string, isMarked: boolean): void {
  tried(() => (isMarked ? sessionStorage.setItem(key, '1') : sessionStorage.removeItem(key)));
}

export function isTabMarked(key: string): boolean {
  return tried(() => sessionStorage.getItem(key)) === '1';
}

function tried<Result>(act: () => Result): Result | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}
