// Objects that are shown as a change will leave them, until it is made or taken back.
import {useSyncExternalStore} from 'react';
import type {Problem} from '../api/problem.ts';
import {onSessionEnd} from '../api/session.ts';
import {asProblem} from '../parts/as-problem.ts';
import {sendLater} from '../parts/undo.ts';

interface Later {
  /** The object that is shown changed meanwhile. */
  readonly id: string;
  /** The state that it is shown in. */
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
/** Sends the change that waits, and ends when that has been answered. By the id of an object. */
const sends = new Map<string, () => Promise<void>>();

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

/** A change of an object sends the one that waits before it: that can no longer be taken back. */
export function doLater({id, as, text, run}: Later): void {
  if (pending.shownAs.get(id) === as) return;
  const before = sends.get(id)?.();
  set({problem: undefined});
  showAs(id, as);
  const end = (): void => {
    if (sends.get(id) !== go) return;
    sends.delete(id);
    showAs(id, undefined);
  };
  const go = sendLater({
    text,
    takeBack: end,
    async send(options) {
      if (before !== undefined) await before;
      await run(options).catch((error: unknown) => set({problem: asProblem(error)}));
      end();
    },
  });
  sends.set(id, go);
}

onSessionEnd(() => {
  sends.clear();
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
