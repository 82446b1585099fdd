import type {PrincipalId} from '../../domain/core/access.js';
import {AppError} from '../../domain/core/errors.js';
import type {Id} from '../../domain/core/ids.js';
import {limits} from '../../domain/core/limits.js';

export type StreamSlots = ReturnType<typeof createStreamSlots>;

/**
 * Counts the open streams and the waiting requests of this process: for each principal, for each workspace, and
 * in total.
 */
export function createStreamSlots() {
  const taken = new Map<string, number>();
  const countOf = (name: string): number => taken.get(name) ?? 0;
  const all = '';

  function adjustStreamCount(name: string, change: 1 | -1): void {
    const count = countOf(name) + change;
    if (count === 0) taken.delete(name);
    else taken.set(name, count);
  }

  return {
    /**
     * Takes a slot; returns a function that releases it. Errors: `limit_reached` for too many of a principal or
     * a workspace, `service_unavailable` for too many in the process.
     */
    take(workspace: Id<'workspace'>, principal: PrincipalId): () => void {
      const holder = `${workspace} ${principal}`;
      const left = limits.streamsPerProcess - countOf(all);
      if (countOf(holder) >= limits.streamsPerPrincipal)
        throw createTooManyStreamsError(
          `You have ${countOf(holder)} event streams open, which is the limit.`,
        );
      if (left <= 0) {
        throw new AppError('service_unavailable', 'All event streams of this process are in use.');
      }
      // A workspace without streams still gets a slot, even if another workspace has many.
      if (countOf(workspace) >= left) {
        const sentence = `The workspace has ${countOf(workspace)} event streams open, and no more are left for all others.`;
        throw createTooManyStreamsError(sentence);
      }
      const names = [holder, workspace, all];
      for (const name of names) adjustStreamCount(name, 1);
      return () => {
        for (const name of names) adjustStreamCount(name, -1);
      };
    },
  };
}

function createTooManyStreamsError(sentence: string): AppError {
  return new AppError('limit_reached', `${sentence} Close one first.`);
}
