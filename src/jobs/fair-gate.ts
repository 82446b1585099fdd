import type {Id} from '../domain/core/ids.js';
/**
 * A share of this process: slots of the gate, direct slices (`work-runner.ts`) and slots of a queue
 * (`work-queue.ts`). No pool uses the share of another, and a waiting slice holds only resources of its own
 * pool. `normal` and `low` share our store and processor; `low` is for webhooks with slow receivers, and for
 * replays. Slices of the pool `slack` wait for Slack.
 */
export type GatePool = 'normal' | 'low' | 'slack';

export interface FairGate {
  /**
   * Waits for a slot. Resolves to a function that releases the slot, or to undefined once the gate is closed:
   * the waiting work is not lost.
   */
  enter: (pool: GatePool, workspace: Id<'workspace'>) => Promise<(() => void) | undefined>;
  /** Ends the wait of all slices, and admits none from now on. */
  close: () => void;
}

export interface GateLimits {
  /** Slots of each pool. No pool lends a slot to another, so a full pool delays no slice in the others. */
  readonly slots: Readonly<Record<GatePool, number>>;
  /** The maximum number of slots of a pool that one workspace has at once. */
  readonly perWorkspace: number;
  /**
   * How long a slot of the pool `low` rests after a slice (ms), so that its slices leave processor time to
   * the others. The slots become free one by one: slices that start together would delay all others.
   */
  readonly lowRestMs: number;
}

type Admit = (leave: (() => void) | undefined) => void;

interface Pool {
  free: number;
  readonly restMs: number;
  /**
   * The interval between two rested slots (ms), and the time at which the last one has rested (monotonic ms).
   */
  readonly apartMs: number;
  restedAt: number;
  /** Slots held by each workspace. */
  readonly held: Map<Id<'workspace'>, number>;
  /**
   * Waiting slices, by workspace. The map's order is the order of admission: a workspace that has had a slice
   * goes to the end.
   */
  readonly waiting: Map<Id<'workspace'>, Admit[]>;
}

/**
 * Gives slots to the waiting workspaces in rotation: with any number of waiting slices, a workspace gets no
 * more of a full pool than one with a single slice.
 */
export function createFairGate({slots, perWorkspace, lowRestMs}: GateLimits): FairGate {
  const pools: Readonly<Record<GatePool, Pool>> = {
    normal: createPool(slots.normal),
    low: createPool(slots.low, lowRestMs),
    slack: createPool(slots.slack),
  };
  let closed = false;

  function admitNextWorkspace(pool: Pool): void {
    if (pool.free === 0) return;
    // A skipped workspace holds its maximum, so there are few of them.
    for (const [workspace, queue] of pool.waiting) {
      if ((pool.held.get(workspace) ?? 0) >= perWorkspace) continue;
      const admit = queue.shift();
      pool.waiting.delete(workspace);
      if (queue.length > 0) pool.waiting.set(workspace, queue);
      admit?.(takeSlot(pool, workspace));
      return;
    }
  }

  function takeSlot(pool: Pool, workspace: Id<'workspace'>): () => void {
    pool.free -= 1;
    pool.held.set(workspace, (pool.held.get(workspace) ?? 0) + 1);
    return () => {
      const held = (pool.held.get(workspace) ?? 1) - 1;
      if (held === 0) pool.held.delete(workspace);
      else pool.held.set(workspace, held);
      if (pool.restMs === 0) releaseSlot(pool);
      else releaseAfterPause(pool);
    };
  }

  function releaseAfterPause(pool: Pool): void {
    const now = performance.now();
    pool.restedAt = Math.max(now + pool.restMs, pool.restedAt + pool.apartMs);
    setTimeout(releaseSlot, pool.restedAt - now, pool).unref();
  }

  function releaseSlot(pool: Pool): void {
    pool.free += 1;
    admitNextWorkspace(pool);
  }

  return {
    enter: (name, workspace) =>
      new Promise((resolve) => {
        if (closed) return resolve(undefined);
        const pool = pools[name];
        const queue = pool.waiting.get(workspace);
        if (queue === undefined) pool.waiting.set(workspace, [resolve]);
        else queue.push(resolve);
        admitNextWorkspace(pool);
      }),
    close() {
      closed = true;
      for (const {waiting} of Object.values(pools)) {
        const all = [...waiting.values()].flat();
        waiting.clear();
        for (const admit of all) admit(undefined);
      }
    },
  };
}

function createPool(slots: number, restMs = 0): Pool {
  return {free: slots, restMs, apartMs: restMs / slots, restedAt: 0, held: new Map(), waiting: new Map()};
}
