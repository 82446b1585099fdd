// Short notices at the foot of the page. `Toasts` shows them; anybody may send one.

export interface Toast {
  readonly id: number;
  readonly text: string;
  readonly undo: (() => unknown) | undefined;
  readonly ms: number;
}

const most = 3;
let shown: readonly Toast[] = [];
let count = 0;
const listeners = new Set<() => void>();

/** Shows a notice, and gives what takes it away again. With `undo` it stays 10 s, otherwise 6. */
export function toast({
  text,
  undo,
  ms = undo === undefined ? 6_000 : 10_000,
}: {
  readonly text: string;
  readonly undo?: (() => unknown) | undefined;
  readonly ms?: number | undefined;
}): () => void {
  count += 1;
  const id = count;
  set([...shown, {id, text, undo, ms}].slice(-most));
  return () => dismissToast(id);
}

export function dismissToast(id: number): void {
  if (shown.some((one) => one.id === id)) set(shown.filter((one) => one.id !== id));
}

export function listToasts(): readonly Toast[] {
  return shown;
}

export function onToasts(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function dismissAll(): void {
  set([]);
}

function set(next: readonly Toast[]): void {
  shown = next;
  for (const listener of listeners) listener();
}
