import {noTurn, type Turn} from '../domain/core/tracer.js';
import type {Perform, Work} from '../domain/core/work.js';
import type {Id} from '../domain/core/ids.js';

/**
 * Does due steps one by one. `doStep` does one and returns whether more may be due; its commit also records when
 * the next one is due.
 */
export function createStepPerformer<W extends Work>(
  doStep: (workspace: Id<'workspace'>, work: W, turn: Turn) => Promise<boolean>,
): Perform<W> {
  return async function workStepByStep({workspace, work, until, turn = noTurn}) {
    while (await doStep(workspace, work, turn)) {
      if (performance.now() >= until) return {more: true};
    }
    return {more: false};
  };
}
