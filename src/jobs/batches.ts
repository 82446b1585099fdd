import type {Perform, Work} from '../domain/work.js';

export interface BatchParts<W extends Work> {
  /** Does a bounded part of the work; true while there is more. */
  readonly doSome: (workspace: string, work: W) => Promise<boolean>;
  /** Takes the work out of the ready set. */
  readonly settle: (workspace: string, work: W) => Promise<void>;
}

/** Does work that is too much for one commit, a batch at a time; starts again where it was after any interruption. */
export function createBatches<W extends Work>({doSome, settle}: BatchParts<W>): Perform<W> {
  return async function workInBatches({workspace, work, until}) {
    while (await doSome(workspace, work)) {
      if (performance.now() >= until) return {more: true};
    }
    await settle(workspace, work);
    return {more: false};
  };
}
