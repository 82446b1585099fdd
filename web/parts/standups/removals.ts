// Hides a deleted standup at once. The request is sent when the notice with *Undo* has gone.
import type {Problem} from '../../api/problem.ts';
import type {ShownStandup} from '../../api/schema.ts';
import {send} from '../../api/send.ts';
import {onSessionEnd} from '../../api/session.ts';
import {texts} from '../../texts/texts.ts';
import {wrapAsProblem} from '../as-problem.ts';
import {createStore, useStore} from '../store.ts';
import {sendLater} from '../undo.ts';

interface StandupRemoval {
  readonly standup: ShownStandup;
  readonly problem?: Problem;
}

const removals = createStore<ReadonlyMap<string, StandupRemoval>>(new Map());

/** Deletions by standup id, both in progress and failed. A failed one contains the problem. */
export function useRemovals(): ReadonlyMap<string, StandupRemoval> {
  return useStore(removals);
}

export function removeStandup(standup: ShownStandup): void {
  const {id, revision, thread} = standup;
  setRemoval(id, {standup});
  sendLater({
    text: texts.history.deleted({comments: thread.comments}),
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
  const next = new Map(removals.get());
  if (removal === undefined) next.delete(id);
  else next.set(id, removal);
  removals.set(next);
}

onSessionEnd(() => removals.set(new Map()));
