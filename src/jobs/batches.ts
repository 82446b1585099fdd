import type {Perform, Work} from '../domain/core/work.js';
import type {Id} from '../domain/core/ids.js';

export interface BatchParts<W extends Work> {
  /**
   * Does a limited part of the work. Returns true if there is more, or `later` if the rest has to wait a
   * moment.
   */
  readonly doSome: (workspace: Id<'workspace'>, work: W) => Promise<boolean | 'later'>;
  /** Removes the work from the list of due work. */
  readonly complete: (workspace: Id<'workspace'>, work: W) => Promise<void>;
}

/** Does work that is too large for one commit, batch by batch. It continues after any interruption. */
export function createBatchPerformer<W extends Work>({doSome, complete}: BatchParts<W>): Perform<W> {
  return async function workInBatches({workspace, work, until}) {
    for (let more = await doSome(workspace, work); more !== false; more = await doSome(workspace, work)) {
      // The work remains in the list of due work, so the scheduler finds it again later.
      if (more === 'later') return {more: false};
      if (performance.now() >= until) return {more: true};
    }
    await complete(workspace, work);
    return {more: false};
  };
}
