// A deleted standup is hidden at once, and deleted when its notice has gone without *Undo*.
import {useSyncExternalStore} from 'react';
import {api} from '../../api/client.ts';
import type {Problem} from '../../api/problem.ts';
import {onLeave, onSessionEnd, prepareToken} from '../../api/session.ts';
import {words} from '../../words/words.ts';
import {asProblem} from '../as-problem.ts';
import {listToasts, onToasts, toast} from '../toast.ts';
import type {ShownStandup} from './standup-filter.ts';

interface Removal {
  readonly standup: ShownStandup;
  readonly problem?: Problem;
}

let removals: ReadonlyMap<string, Removal> = new Map();
/** Those that have not been sent. */
const waiting = new Map<string, (isLeaving?: boolean) => Promise<void>>();
const listeners = new Set<() => void>();

/** By id: those that are being deleted, and those of which that has failed, with the problem. */
export function useRemovals(): ReadonlyMap<string, Removal> {
  return useSyncExternalStore(subscribe, () => removals);
}

export function removeStandup(standup: ShownStandup): void {
  const {id} = standup;
  prepareToken();
  set(id, {standup});
  const send = async (isLeaving = false): Promise<void> => {
    if (!waiting.delete(id)) return;
    forget();
    await sendRemoval(standup, isLeaving);
  };
  const undo = (): void => {
    if (waiting.delete(id)) forget();
    set(id, undefined);
  };
  toast({text: words.history.deleted, undo});
  const own = listToasts().at(-1)?.id;
  const forget = onToasts(() => {
    // *Undo* takes the notice away first.
    if (listToasts().every((one) => one.id !== own)) queueMicrotask(() => void send());
  });
  waiting.set(id, send);
}

/** After a problem: the standup is shown as before. */
export function forgetRemoval(id: string): void {
  set(id, undefined);
}

async function sendRemoval(standup: ShownStandup, isLeaving: boolean): Promise<void> {
  const {id, revision} = standup;
  const header = {'If-Match': `"${revision}"`};
  try {
    await api.DELETE('/v1/standups/{standup}', {params: {path: {standup: id}, header}, keepalive: isLeaving});
  } catch (error) {
    const problem = asProblem(error);
    if (problem.status !== 404) set(id, {standup, problem});
  }
}

function set(id: string, removal: Removal | undefined): void {
  const next = new Map(removals);
  if (removal === undefined) next.delete(id);
  else next.set(id, removal);
  removals = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

addEventListener('pagehide', () => {
  for (const send of waiting.values()) void send(true);
});

onLeave(() => Promise.all([...waiting.values()].map((send) => send())));

onSessionEnd(() => {
  waiting.clear();
  removals = new Map();
});
