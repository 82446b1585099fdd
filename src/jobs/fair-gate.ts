import type {Id} from '../domain/core/ids.js';
/**
 * A lane is a share of this process, which no other lane may use: slots of the gate, direct turns
 * (`turns.ts`), places of a queue (`turn-queue.ts`). A waiting turn holds only resources of its lane.
 * `normal` and `low` priority share our own store and processor; low is for webhooks with slow receivers, and
 * for replays. Turns of the lane `slack` wait for Slack.
 */
export type GateLane = 'normal' | 'low' | 'slack';

export interface FairGate {
  /**
   * Waits for a slot. Resolves to a function that releases it, or to undefined once the gate is closed: the
   * waiting work is not lost.
   */
  enter: (lane: GateLane, workspace: Id<'workspace'>) => Promise<(() => void) | undefined>;
  /** Releases all waiting turns, and admits none from now on. */
  close: () => void;
}

export interface GateLimits {
  /** Slots of each lane; no lane lends to another, so a full lane delays no turn in the others. */
  readonly slots: Readonly<Record<GateLane, number>>;
  /** The most slots of a lane that one workspace has at once. */
  readonly perWorkspace: number;
  /**
   * How long a slot of the low lane rests after a turn (ms), so that its turns, however many, leave processor
   * time to the others. Its slots become free one after the other: turns that start together would delay all
   * others.
   */
  readonly lowRestMs: number;
}

type Admit = (leave: (() => void) | undefined) => void;

interface Lane {
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
   * Waiting turns, by workspace. The map's order is the order of admission: a workspace that has had a turn
   * goes to the end.
   */
  readonly waiting: Map<Id<'workspace'>, Admit[]>;
}

/**
 * Gives slots to turns in rotation over the waiting workspaces: with any number of waiting turns, a workspace
 * gets no more of a full lane than one with a single turn.
 */
export function createFairGate({slots, perWorkspace, lowRestMs}: GateLimits): FairGate {
  const lanes: Readonly<Record<GateLane, Lane>> = {
    normal: createLane(slots.normal),
    low: createLane(slots.low, lowRestMs),
    slack: createLane(slots.slack),
  };
  let closed = false;

  function admitNext(lane: Lane): void {
    if (lane.free === 0) return;
    // A skipped workspace holds its maximum, so there are few of them.
    for (const [workspace, queue] of lane.waiting) {
      if ((lane.held.get(workspace) ?? 0) >= perWorkspace) continue;
      const admit = queue.shift();
      lane.waiting.delete(workspace);
      if (queue.length > 0) lane.waiting.set(workspace, queue);
      admit?.(take(lane, workspace));
      return;
    }
  }

  function take(lane: Lane, workspace: Id<'workspace'>): () => void {
    lane.free -= 1;
    lane.held.set(workspace, (lane.held.get(workspace) ?? 0) + 1);
    return () => {
      const held = (lane.held.get(workspace) ?? 1) - 1;
      if (held === 0) lane.held.delete(workspace);
      else lane.held.set(workspace, held);
      if (lane.restMs === 0) release(lane);
      else rest(lane);
    };
  }

  function rest(lane: Lane): void {
    const now = performance.now();
    lane.restedAt = Math.max(now + lane.restMs, lane.restedAt + lane.apartMs);
    setTimeout(release, lane.restedAt - now, lane).unref();
  }

  function release(lane: Lane): void {
    lane.free += 1;
    admitNext(lane);
  }

  return {
    enter: (name, workspace) =>
      new Promise((resolve) => {
        if (closed) return resolve(undefined);
        const lane = lanes[name];
        const queue = lane.waiting.get(workspace);
        if (queue === undefined) lane.waiting.set(workspace, [resolve]);
        else queue.push(resolve);
        admitNext(lane);
      }),
    close() {
      closed = true;
      for (const {waiting} of Object.values(lanes)) {
        const all = [...waiting.values()].flat();
        waiting.clear();
        for (const admit of all) admit(undefined);
      }
    },
  };
}

function createLane(slots: number, restMs = 0): Lane {
  return {free: slots, restMs, apartMs: restMs / slots, restedAt: 0, held: new Map(), waiting: new Map()};
}
