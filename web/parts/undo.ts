// Changes that the API cannot take back: they show at once, and are sent when the notice that offers *Undo*
// has gone or the page is left. So nothing is made twice, and nothing that was taken back has ever been heard
// of.
import {onLeave, onSessionEnd, prepareToken} from '../api/session.ts';
import {listToasts, onToasts, toast} from './toast.ts';

interface Later {
  readonly text: string;
  /** `keepalive`: the page is being left. It throws nothing. */
  readonly send: (options: {readonly keepalive: boolean}) => Promise<void>;
  readonly takeBack: () => void;
}

const waiting = new Set<(isLeaving?: boolean) => Promise<void>>();

/** Gives what sends it now, and ends with its answer. */
export function sendLater({text, send, takeBack}: Later): () => Promise<void> {
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
    // *Undo* takes the notice away first, then says that it was meant.
    if (listToasts().every(({id}) => id !== own)) queueMicrotask(() => void go());
  });
  waiting.add(go);
  return go;
}

// A person who leaves the page has not taken it back.
addEventListener('pagehide', () => {
  for (const go of waiting) void go(true);
});

onLeave(() => Promise.all([...waiting].map((go) => go())));

onSessionEnd(() => waiting.clear());
