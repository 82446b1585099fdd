import {noSliceSpan, type SliceSpan} from '../domain/core/tracer.js';
import type {Perform, Work} from '../domain/core/work.js';
import type {Id} from '../domain/core/ids.js';

/**
 * Does due steps one by one. `doStep` does one and returns whether more may be due; its commit also records when
 * the next one is due.
 */
export function createStepPerformer<W extends Work>(
  doStep: (workspace: Id<'workspace'>, work: W, span: SliceSpan) => Promise<boolean>,
): Perform<W> {
  return async function workStepByStep({workspace, work, until, span = noSliceSpan}) {
    while (await doStep(workspace, work, span)) {
      if (performance.now() >= until) return {more: true};
    }
    return {more: false};
  };
}
