// Hides a deleted comment at once. The request is sent when the notice with *Undo* has gone.
import type {Problem} from '../../api/problem.ts';
import type {Comment} from '../../api/schema.ts';
import {send} from '../../api/send.ts';
import {onSessionEnd} from '../../api/session.ts';
import {texts} from '../../texts/texts.ts';
import {wrapAsProblem} from '../as-problem.ts';
import {createStore, useStore} from '../store.ts';
import {sendLater} from '../undo.ts';

type Removals = ReadonlyMap<string, Problem | undefined>;

const removals = createStore<Removals>(new Map());

/** Deletions by comment id, both in progress and failed. A failed one has a problem. */
export function useCommentRemovals(): Removals {
  return useStore(removals);
}

export function removeComment({id, revision}: Comment): void {
  removals.set(new Map(removals.get()).set(id, undefined));
  sendLater({
    text: texts.thread.comments.deleted,
    takeBack: () => dismissCommentRemoval(id),
    async send({keepalive}) {
      try {
        await send('delete', '/v1/comments/{comment}', {comment: id, revision, keepalive});
      } catch (error) {
        const problem = wrapAsProblem(error);
        if (problem.status !== 404) removals.set(new Map(removals.get()).set(id, problem));
      }
    },
  });
}

/** Shows a comment again whose deletion was taken back or failed. */
export function dismissCommentRemoval(id: string): void {
  const next = new Map(removals.get());
  next.delete(id);
  removals.set(next);
}

onSessionEnd(() => removals.set(new Map()));
