// Changes that the API cannot take back: they show at once, and are asked for when the notice that offers *Undo*
// has gone. So nothing is made twice, and nothing that was taken back has ever been heard of.
import {useSyncExternalStore} from 'react';
import type {Problem} from '../api/problem.ts';
import {onLeave, onSessionEnd, prepareToken} from '../api/session.ts';
import {asProblem} from '../parts/as-problem.ts';
import {listToasts, onToasts, toast} from '../parts/toast.ts';

interface Later {
  /** The object that is shown changed meanwhile. */
  readonly id: string;
  /** What it is shown as. */
  readonly as: string;
  readonly text: string;
  /** `keepalive`: the page is being left. */
  readonly run: (options: {readonly keepalive: boolean}) => Promise<unknown>;
}

interface Pending {
  /** By the id of an object. */
  readonly shownAs: ReadonlyMap<string, string>;
  readonly problem: Problem | undefined;
}

let pending: Pending = {shownAs: new Map(), problem: undefined};
const listeners = new Set<() => void>();
const waiting = new Set<(isLeaving?: boolean) => Promise<void>>();

function set(next: Partial<Pending>): void {
  pending = {...pending, ...next};
  for (const listener of listeners) listener();
}

function showAs(id: string, as: string | undefined): void {
  const shownAs = new Map(pending.shownAs);
  if (as === undefined) shownAs.delete(id);
  else shownAs.set(id, as);
  set({shownAs});
}

export function doLater({id, as, text, run}: Later): void {
  if (pending.shownAs.has(id)) return;
  prepareToken();
  let isOver = false;
  const takeBack = (): void => {
    if (isOver) return;
    end();
    showAs(id, undefined);
  };
  const go = async (isLeaving = false): Promise<void> => {
    if (isOver || !waiting.has(go)) return;
    end();
    dismiss();
    try {
      await run({keepalive: isLeaving});
    } catch (error) {
      set({problem: asProblem(error)});
    }
    showAs(id, undefined);
  };
  const end = (): void => {
    isOver = true;
    forget();
    waiting.delete(go);
  };
  set({problem: undefined});
  showAs(id, as);
  const dismiss = toast({text, undo: takeBack});
  const notice = listToasts().at(-1)?.id;
  // *Undo* takes the notice away first, then says that it was meant.
  const forget = onToasts(() => {
    if (!listToasts().some(({id: shown}) => shown === notice)) setTimeout(() => void go());
  });
  waiting.add(go);
}

// Whoever leaves the page has not taken it back.
addEventListener('pagehide', () => {
  for (const go of waiting) void go(true);
});

onLeave(() => Promise.all([...waiting].map((go) => go())));

onSessionEnd(() => {
  waiting.clear();
  set({shownAs: new Map(), problem: undefined});
});

export function usePending(): Pending {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => pending,
  );
}

export function dismissProblem(): void {
  set({problem: undefined});
}
