import type {Id} from '../../domain/core/ids.js';
/** Waits up to `timeoutMs` for a free slot, and returns its release; at once if one is free. */
export type Enter = (workspace: Id<'workspace'>, timeoutMs: number) => (() => void) | Promise<() => void>;

/** Limits how many requests run at a time. Workspaces take turns, so that a busy one delays no other. */
export function createFairSemaphore(count: () => number): Enter {
  const waiting = new Map<string, Set<() => void>>();
  let taken = 0;

  function releaseSlot(): void {
    taken -= 1;
    for (const [workspace, queue] of waiting) {
      if (taken >= count()) return;
      const [enter] = queue;
      // Moves the workspace to the end of the queue. This loop may then reach it again, after all others.
      waiting.delete(workspace);
      if (queue.size > 1) waiting.set(workspace, queue);
      enter?.();
    }
  }

  return (workspace, timeoutMs) => {
    if (waiting.size === 0 && taken < count()) {
      taken += 1;
      return releaseSlot;
    }
    return new Promise((resolve) => {
      const queue = waiting.get(workspace) ?? new Set();
      waiting.set(workspace, queue);
      const enter = (): void => {
        clearTimeout(timer);
        queue.delete(enter);
        if (queue.size === 0 && waiting.get(workspace) === queue) waiting.delete(workspace);
        taken += 1;
        resolve(releaseSlot);
      };
      const timer = setTimeout(enter, timeoutMs);
      queue.add(enter);
    });
  };
}
