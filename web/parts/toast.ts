// Short notices at the bottom of the page. Any module may send one; `Toasts` shows them.
import {createStore} from './store.ts';
import {texts} from '../texts/texts.ts';

export interface Toast {
  readonly id: number;
  readonly text: string;
  readonly act: ToastAction | undefined;
  readonly ms: number;
}

interface ToastAction {
  readonly label: string;
  readonly run: () => unknown;
}

const most = 3;
/** The notices on the page, oldest first. */
export const toasts = createStore<readonly Toast[]>([]);
let count = 0;

/** Shows a notice for 6 s, or 10 s with `undo` or `next`. Returns a function that dismisses it. */
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
  toasts.set([...toasts.get(), {id, text, act, ms}].slice(-most));
  return () => dismissToast(id);
}

export function dismissToast(id: number): void {
  const others = toasts.get().filter((one) => one.id !== id);
  if (others.length < toasts.get().length) toasts.set(others);
}
