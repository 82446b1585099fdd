// Small values that this browser keeps after the page is closed. If the browser refuses, by its settings or
// because its storage is full, the values last as long as the page.

const unkept = new Map<string, string>();

export function readItem(key: string): string | null {
  return unkept.get(key) ?? tryOrUndefined(() => localStorage.getItem(key)) ?? null;
}

/** Stores a value. Returns false if the browser refuses, so that the value lasts only as long as the page. */
export function storeItem(key: string, value: string): boolean {
  const isKept = tryOrUndefined(() => (localStorage.setItem(key, value), true)) ?? false;
  if (isKept) unkept.delete(key);
  else unkept.set(key, value);
  return isKept;
}

export function removeItem(key: string): void {
  unkept.delete(key);
  tryOrUndefined(() => localStorage.removeItem(key));
}

export function listItemKeys(prefix: string): readonly string[] {
  const kept = tryOrUndefined(() =>
    Array.from({length: localStorage.length}, (_, i) => localStorage.key(i) ?? ''),
  );
  return [...new Set([...(kept ?? []), ...unkept.keys()])].filter((key) => key.startsWith(prefix));
}

/** Sets or clears a flag that exists only in this tab, until the tab is closed. */
export function setTabFlag(key: string, isMarked: boolean): void {
  tryOrUndefined(() => (isMarked ? sessionStorage.setItem(key, '1') : sessionStorage.removeItem(key)));
}

/** Stores a value that exists only in this tab, until the tab is closed; undefined removes it. */
export function storeTabItem(key: string, value: string | undefined): void {
  tryOrUndefined(() =>
    value === undefined ? sessionStorage.removeItem(key) : sessionStorage.setItem(key, value),
  );
}

export function readTabItem(key: string): string | undefined {
  return tryOrUndefined(() => sessionStorage.getItem(key)) ?? undefined;
}

export function hasTabFlag(key: string): boolean {
  return tryOrUndefined(() => sessionStorage.getItem(key)) === '1';
}

function tryOrUndefined<Result>(act: () => Result): Result | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}
