import type {Id} from '../domain/core/ids.js';
/**
 * A lane is a share of this process, which no other lane may use: slots of the gate, direct turns (`turns.ts`),
 * places of a queue (`turn-queue.ts`). A turn that waits holds only what is its lane's. `normal` and `low`
 * priority share our own store and processor; low are webhooks whose receivers are slow, and replays. Turns of
 * the lane `slack` wait for Slack.
 */
export type GateLane = 'normal' | 'low' | 'slack';

export interface FairGate {
  /**
   * Waits for a slot. Resolves with how to give it back, or with undefined once the gate is closed: what
   * waited has lost nothing.
   */
  enter: (lane: GateLane, workspace: Id<'workspace'>) => Promise<(() => void) | undefined>;
  /** Lets go whoever waits, and nobody in from now on. */
  close: () => void;
}

export interface GateLimits {
  /** Slots of each lane; none lends to another, so whatever fills one lane delays nobody in the others. */
  readonly slots: Readonly<Record<GateLane, number>>;
  /** The most that one workspace has of a lane at once. */
  readonly perWorkspace: number;
  /**
   * A slot of the low lane rests for so long after a turn (ms), so that its turns, however many, leave
   * processor time to the others. Its slots are free again one after the other: turns that begin together
   * would hold up everybody.
   */
  readonly lowRestMs: number;
}

type Admit = (leave: (() => void) | undefined) => void;

interface Lane {
  free: number;
  readonly restMs: number;
  /** From one slot that has rested to the next (ms), and when the last one has (monotonic ms). */
  readonly apartMs: number;
  restedAt: number;
  /** Slots held by each workspace. */
  readonly held: Map<Id<'workspace'>, number>;
  /**
   * Those who wait, by workspace. The map's order is that of admission: a workspace that has had a turn goes
   * to the end.
   */
  readonly waiting: Map<Id<'workspace'>, Admit[]>;
}

/**
 * Slots for turns, given out in rotation over the workspaces that wait for one: with any number of turns to
 * do, a workspace gets no more of a full lane than one that has a single turn to do.
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
    // Those passed over hold all they may, so they are few.
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
