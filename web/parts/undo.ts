// Delays changes that the API cannot undo. The page shows a change at once, but sends it only when the notice
// with *Undo* has gone or the page is left. If the person presses *Undo*, the change is never sent.
import {onBeforeSignOut, onSessionEnd, prepareToken} from '../api/session.ts';
import {toast, toasts} from './toast.ts';

interface UndoableAction {
  readonly text: string;
  /** Sends the change; must not throw. `keepalive`: the page is being left. */
  readonly send: (options: {readonly keepalive: boolean}) => Promise<void>;
  readonly takeBack: () => void;
}

const waiting = new Set<(isLeaving?: boolean) => Promise<void>>();

/** Delays a change while a notice offers *Undo*. The result sends it now and awaits the answer. */
export function sendLater({text, send, takeBack}: UndoableAction): () => Promise<void> {
  prepareToken();
  let sent: Promise<void> | undefined;
  const end = (): boolean => {
    forget();
    dismiss();
    return waiting.delete(go);
  };
  const go = (isLeaving = false): Promise<void> =>
    (sent ??= end() ? send({keepalive: isLeaving}) : Promise.resolve());
  const undo = (): void => {
    if (end()) takeBack();
  };
  const dismiss = toast({text, undo});
  const own = toasts.get().at(-1)?.id;
  const forget = toasts.listen(() => {
    // *Undo* dismisses the notice before it calls `takeBack`, so wait for that call before sending.
    if (toasts.get().every(({id}) => id !== own)) queueMicrotask(() => void go());
  });
  waiting.add(go);
  return go;
}

// Sends all waiting changes when the page is left: leaving does not undo them.
addEventListener('pagehide', () => {
  for (const go of waiting) void go(true);
});

onBeforeSignOut(() => Promise.all([...waiting].map((go) => go())));

onSessionEnd(() => waiting.clear());
