import {noSliceSpan, type SliceSpan} from '../domain/core/tracer.js';
import type {Perform, Work} from '../domain/core/work.js';
import type {Id} from '../domain/core/ids.js';
import {completeWork, type JobContext} from './context.js';

/**
 * Does work that is too large for one commit, batch by batch. It continues after any interruption. `doSome`
 * does a limited part. It returns true if there is more, or `later` if the rest has to wait a moment.
 */
export function createBatchPerformer<W extends Work>(
  context: JobContext,
  doSome: (workspace: Id<'workspace'>, work: W, span: SliceSpan) => Promise<boolean | 'later'>,
): Perform<W> {
  return async function workInBatches({workspace, work, until, span = noSliceSpan}) {
    const doNext = () => doSome(workspace, work, span);
    for (let more = await doNext(); more !== false; more = await doNext()) {
      // The work remains in the list of due work, so the scheduler finds it again later.
      if (more === 'later') return {more: false};
      if (performance.now() >= until) return {more: true};
    }
    await completeWork(context, workspace, work);
    return {more: false};
  };
}
