// Hides a standup as soon as it is deleted on the page. The request to delete it is sent when the notice with
// *Undo* has gone.
import {useSyncExternalStore} from 'react';
import type {Problem} from '../../api/problem.ts';
import type {ShownStandup} from '../../api/schema.ts';
import {send} from '../../api/send.ts';
import {onSessionEnd} from '../../api/session.ts';
import {texts} from '../../texts/texts.ts';
import {wrapAsProblem} from '../as-problem.ts';
import {sendLater} from '../undo.ts';

interface StandupRemoval {
  readonly standup: ShownStandup;
  readonly problem?: Problem;
}

let removals: ReadonlyMap<string, StandupRemoval> = new Map();
const listeners = new Set<() => void>();

/** Deletions by standup id, both in progress and failed. A failed one contains the problem. */
export function useRemovals(): ReadonlyMap<string, StandupRemoval> {
  return useSyncExternalStore(subscribe, () => removals);
}

export function removeStandup(standup: ShownStandup): void {
  const {id, revision} = standup;
  setRemoval(id, {standup});
  sendLater({
    text: texts.history.deleted,
    takeBack: () => setRemoval(id, undefined),
    async send({keepalive}) {
      try {
        await send('delete', '/v1/standups/{standup}', {standup: id, revision, keepalive});
      } catch (error) {
        const problem = wrapAsProblem(error);
        if (problem.status !== 404) setRemoval(id, {standup, problem});
      }
    },
  });
}

/** Shows a standup again whose deletion failed. */
export function dismissRemoval(id: string): void {
  setRemoval(id, undefined);
}

function setRemoval(id: string, removal: StandupRemoval | undefined): void {
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

onSessionEnd(() => {
  removals = new Map();
});
