import type {Perform, Work} from '../domain/core/work.js';
import type {Id} from '../domain/core/ids.js';

export interface BatchParts<W extends Work> {
  /**
   * Does a bounded part of the work; true while there is more, `later` when the rest has to wait a moment.
   */
  readonly doSome: (workspace: Id<'workspace'>, work: W) => Promise<boolean | 'later'>;
  /** Removes the work from the ready set. */
  readonly complete: (workspace: Id<'workspace'>, work: W) => Promise<void>;
}

/** Does work that is too much for one commit, one batch at a time; continues after any interruption. */
export function createBatchPerformer<W extends Work>({doSome, complete}: BatchParts<W>): Perform<W> {
  return async function workInBatches({workspace, work, until}) {
    for (let more = await doSome(workspace, work); more !== false; more = await doSome(workspace, work)) {
      // The work stays due, so the scheduler finds it again.
      if (more === 'later') return {more: false};
      if (performance.now() >= until) return {more: true};
    }
    await complete(workspace, work);
    return {more: false};
  };
}
