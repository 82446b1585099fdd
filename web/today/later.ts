// Objects that are shown as a change will leave them, until it is made or taken back.
import {useSyncExternalStore} from 'react';
import type {Problem} from '../api/problem.ts';
import {onSessionEnd} from '../api/session.ts';
import {asProblem} from '../parts/as-problem.ts';
import {sendLater} from '../parts/undo.ts';

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
  set({problem: undefined});
  showAs(id, as);
  const showAsIs = (): void => showAs(id, undefined);
  sendLater({
    text,
    takeBack: showAsIs,
    send: (options) =>
      run(options)
        .catch((error: unknown) => set({problem: asProblem(error)}))
        .then(showAsIs),
  });
}

onSessionEnd(() => set({shownAs: new Map(), problem: undefined}));

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
