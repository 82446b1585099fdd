// Shows an object in its changed state before the change is sent, while the person may still press *Undo*.
import type {Problem} from '../api/problem.ts';
import {onSessionEnd} from '../api/session.ts';
import {wrapAsProblem} from '../parts/as-problem.ts';
import {createStore, useStore} from '../parts/store.ts';
import {sendLater} from '../parts/undo.ts';

interface DelayedAction {
  /** Id of the object to change. */
  readonly id: string;
  /** State in which the object is shown until the change is sent. */
  readonly as: string;
  readonly text: string;
  /** Sends the change. `keepalive`: the page is being left. */
  readonly run: (options: {readonly keepalive: boolean}) => Promise<unknown>;
}

interface DelayedActions {
  /** State in which the page shows an object while its change waits, by object id. */
  readonly shownAs: ReadonlyMap<string, string>;
  readonly problem: Problem | undefined;
}

const none: DelayedActions = {shownAs: new Map(), problem: undefined};
const pending = createStore(none);
/** Functions that send a waiting change now, by object id; each resolves at the service's answer. */
const sends = new Map<string, () => Promise<void>>();

function setPending(next: Partial<DelayedActions>): void {
  pending.set({...pending.get(), ...next});
}

function showPendingState(id: string, as: string | undefined): void {
  const shownAs = new Map(pending.get().shownAs);
  if (as === undefined) shownAs.delete(id);
  else shownAs.set(id, as);
  setPending({shownAs});
}

/** Shows a change at once; sends it when *Undo* has gone, or when the same object changes again. */
export function delayAction({id, as, text, run}: DelayedAction): void {
  if (pending.get().shownAs.get(id) === as) return;
  const before = sends.get(id)?.();
  setPending({problem: undefined});
  showPendingState(id, as);
  const end = (): void => {
    if (sends.get(id) !== go) return;
    sends.delete(id);
    showPendingState(id, undefined);
  };
  const go = sendLater({
    text,
    takeBack: end,
    async send(options) {
      if (before !== undefined) await before;
      await run(options).catch((error: unknown) => setPending({problem: wrapAsProblem(error)}));
      end();
    },
  });
  sends.set(id, go);
}

onSessionEnd(() => {
  sends.clear();
  pending.set(none);
});

export function usePendingStates(): DelayedActions {
  return useStore(pending);
}

export function dismissProblem(): void {
  setPending({problem: undefined});
}
