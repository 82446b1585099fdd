// Short notices at the bottom of the page. Any module may send one; `Toasts` shows them.
import {texts} from '../texts/texts.ts';

export interface Toast {
  readonly id: number;
  readonly text: string;
  readonly act: ToastAction | undefined;
  readonly ms: number;
}

/** A button of a notice. */
interface ToastAction {
  readonly label: string;
  readonly run: () => unknown;
}

const most = 3;
let shown: readonly Toast[] = [];
let count = 0;
const listeners = new Set<() => void>();

/**
 * Shows a notice, and returns a function that dismisses it. The notice stays 10 s with `undo` or a `next`
 * step, otherwise 6 s.
 */
export function toast({
  text,
  undo,
  next,
  ms = undo === undefined && next === undefined ? 6_000 : 10_000,
}: {
  readonly text: string;
  readonly undo?: (() => unknown) | undefined;
  readonly next?: ToastAction | undefined;
  readonly ms?: number | undefined;
}): () => void {
  count += 1;
  const id = count;
  const act = undo === undefined ? next : {label: texts.parts.undo, run: undo};
  setToasts([...shown, {id, text, act, ms}].slice(-most));
  return () => dismissToast(id);
}

export function dismissToast(id: number): void {
  if (shown.some((one) => one.id === id)) setToasts(shown.filter((one) => one.id !== id));
}

export function listToasts(): readonly Toast[] {
  return shown;
}

export function onToasts(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function dismissAll(): void {
  setToasts([]);
}

function setToasts(next: readonly Toast[]): void {
  shown = next;
  for (const listener of listeners) listener();
}
