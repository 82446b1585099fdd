import type {Id} from '../domain/core/ids.js';
/**
 * The pools of slots into which a process's capacity for work is divided. `normal` and `low` use our store
 * and processor; `low` is for replays and for webhooks with slow receivers. `slack` is for work that waits
 * for Slack, `mail` for work that waits for the mail server, and `away` for work that would be `normal` if its
 * server of a cluster answered. No pool uses the slots of another.
 */
export type GatePool = 'normal' | 'low' | 'slack' | 'mail' | 'away';

export type FairGate = ReturnType<typeof createFairGate>;

export interface GateLimits {
  /** The number of slots in each pool. Pools do not share slots, so a full pool delays only its own work. */
  readonly slots: Readonly<Record<GatePool, number>>;
  /** The maximum number of slots of a pool that one workspace may have at the same time. */
  readonly perWorkspace: number;
  /**
   * The time (ms) for which a slot of the pool `low` rests after its use, to leave processor time to other
   * work. Slots become free one by one, since work that starts together would delay everything else.
   */
  readonly lowRestMs: number;
}

type Admit = (leave: (() => void) | undefined) => void;

interface Pool {
  free: number;
  readonly restMs: number;
  /** The interval between two slots that become free after their rest (ms), from `restedAt` on. */
  readonly apartMs: number;
  restedAt: number;
  /** The number of slots that each workspace holds. */
  readonly held: Map<Id<'workspace'>, number>;
  /** The waiting time slices of each workspace. After its turn, a workspace moves to the end. */
  readonly waiting: Map<Id<'workspace'>, Admit[]>;
}

/** Gives slots to waiting workspaces in turn, however much work waits for each of them. */
export function createFairGate({slots, perWorkspace, lowRestMs}: GateLimits) {
  const pools: Readonly<Record<GatePool, Pool>> = {
    normal: createPool(slots.normal),
    low: createPool(slots.low, lowRestMs),
    slack: createPool(slots.slack),
    mail: createPool(slots.mail),
    away: createPool(slots.away),
  };
  let closed = false;

  function admitNextWorkspace(pool: Pool): void {
    if (pool.free === 0) return;
    // Only workspaces that already have their maximum number of slots are skipped here, and there are few of
    // them.
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
    /**
     * Waits for a slot. Resolves to a function that releases the slot, or to undefined when the gate is closed.
     * The work itself is not lost.
     */
    enter: (name: GatePool, workspace: Id<'workspace'>): Promise<(() => void) | undefined> =>
      new Promise((resolve) => {
        if (closed) return resolve(undefined);
        const pool = pools[name];
        const queue = pool.waiting.get(workspace);
        if (queue === undefined) pool.waiting.set(workspace, [resolve]);
        else queue.push(resolve);
        admitNextWorkspace(pool);
      }),
    /** Rejects all who wait for a slot, and gives out no more slots. */
    close(): void {
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
