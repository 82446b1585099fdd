// Delays changes that the API cannot undo: they show at once, and are sent when the notice with *Undo* has
// gone or the page is left. So a change is sent once, and an undone change is never sent.
import {beforeSignOut, onSessionEnd, prepareToken} from '../api/session.ts';
import {listToasts, onToasts, toast} from './toast.ts';

interface UndoableAction {
  readonly text: string;
  /** `keepalive`: the page is being left. Must not throw. */
  readonly send: (options: {readonly keepalive: boolean}) => Promise<void>;
  readonly takeBack: () => void;
}

const waiting = new Set<(isLeaving?: boolean) => Promise<void>>();

/** Returns a function that sends the change now, and resolves when the service has answered. */
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
  const own = listToasts().at(-1)?.id;
  const forget = onToasts(() => {
    // *Undo* dismisses the notice before it calls back, so wait for the callback.
    if (listToasts().every(({id}) => id !== own)) queueMicrotask(() => void go());
  });
  waiting.add(go);
  return go;
}

// Leaving the page does not undo a change.
addEventListener('pagehide', () => {
  for (const go of waiting) void go(true);
});

beforeSignOut(() => Promise.all([...waiting].map((go) => go())));

onSessionEnd(() => waiting.clear());
