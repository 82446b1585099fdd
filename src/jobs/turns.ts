import type {Log} from '../domain/core/log.js';
import {type Perform, waitsForSlack, type Work, workName} from '../domain/core/work.js';
import type {FairGate, GateLane} from './fair-gate.js';
import type {Performers} from './performers.js';
import type {Id} from '../domain/core/ids.js';

/** The queue as turns use it: a turn asked for twice runs once, and one asked for while it runs, once more. */
export interface TurnQueue {
  /** Never rejects and never waits: a turn that cannot be queued is found by the pump. */
  add: (workspace: Id<'workspace'>, work: Work, overdue?: boolean) => void;
  readonly available: () => boolean;
}

export interface Turns {
  /**
   * There is new work: this process looks at once, or asks another one. `overdue`: somebody should have looked long ago. True when a
   * turn of this process begins after this.
   */
  wake: (workspace: Id<'workspace'>, work: Work, overdue?: boolean) => boolean;
  /** A slice of work in this process, as soon as the gate lets it in; `slow`: among its like. Never rejects. */
  run: (workspace: Id<'workspace'>, work: Work, slow?: boolean) => Promise<void>;
  /**
   * A turn from the queue: waits for its end, but not for one of the slow lane. Those wait there for seconds
   * when there are many, and share the places of the queue with the turns of everybody else. Turns of Slack
   * have a queue of their own.
   */
  take: (workspace: Id<'workspace'>, work: Work) => Promise<void>;
  /** Waits for the slices under way. */
  close: () => Promise<void>;
}

export interface TurnsParts {
  readonly performers: Performers;
  readonly queue: TurnQueue;
  readonly gate: FairGate;
  /** Whether work that is not known to be slow yet is likely to be. */
  readonly isDoubtful?: (workspace: Id<'workspace'>, work: Work) => boolean;
  readonly log: Log;
}

/** How long one turn works before the others get theirs. */
const sliceMs = 250;
/**
 * Turns that a process starts by itself, those at the gate included; past this number they go through the
 * queue, to whoever has room. Each lane has its own number, so that what waits in one takes nothing from the
 * others; for Slack each workspace has, since one alone may wait with messages for thousands of people. There
 * are no more slow turns than webhooks and replays.
 */
const maxDirect: Readonly<Record<GateLane, number>> = {quick: 64, slow: Number.POSITIVE_INFINITY, slack: 64};
/** Work remembered as slow; the oldest is forgotten first, and found out again by its next turn. */
const maxSlow = 10_000;

interface Running {
  again: boolean;
  lane: GateLane;
  readonly done: Promise<void>;
}

/**
 * Runs slices of work, one at a time for each piece of work in this process. Two processes may have a turn of the same work at once: the
 * store's claims decide, not the queue.
 */
export function createTurns(parts: TurnsParts): Turns {
  const {performers, queue, gate, isDoubtful = () => false, log} = parts;
  const running = new Map<string, Running>();
  const slow = new Set<string>();
  const stopping = new AbortController();
  /** How many turns there are for each number in `maxDirect`. */
  const counts = new Map<string, number>();

  function countOf(lane: GateLane, workspace: Id<'workspace'>): string {
    return lane === 'slack' ? `${lane} ${workspace}` : lane;
  }

  function count(lane: GateLane, workspace: Id<'workspace'>, by: 1 | -1): void {
    const name = countOf(lane, workspace);
    const turns = (counts.get(name) ?? 0) + by;
    if (turns === 0) counts.delete(name);
    else counts.set(name, turns);
  }

  async function pass(own: Running, key: string, workspace: Id<'workspace'>, work: Work): Promise<boolean> {
    const leave = await gate.enter(own.lane, workspace);
    if (leave === undefined) return false;
    const perform = performers[work.kind] as Perform;
    // This turn also serves those who asked while it waited: the pump asks each second, and slow turns wait
    // long.
    own.again = false;
    try {
      const until = performance.now() + sliceMs;
      const {more, slow: isSlow = false} = await perform({workspace, work, until, signal: stopping.signal});
      noteSlow(key, isSlow);
      return more;
    } catch (error) {
      log.warn(
        {workspace, work: workName(work), reason: String(error)},
        'a turn failed; the pump will ask again',
      );
      return false;
    } finally {
      leave();
    }
  }

  function laneOf(key: string, workspace: Id<'workspace'>, work: Work): GateLane {
    const {kind} = work;
    if (waitsForSlack(work)) return 'slack';
    // A replay makes very many deliveries, and none of them is urgent.
    return kind === 'replay' || slow.has(key) || isDoubtful(workspace, work) ? 'slow' : 'quick';
  }

  function noteSlow(key: string, isSlow: boolean): void {
    slow.delete(key);
    if (!isSlow) return;
    slow.add(key);
    const [oldest] = slow;
    if (slow.size > maxSlow && oldest !== undefined) slow.delete(oldest);
  }

  function start(key: string, workspace: Id<'workspace'>, work: Work): Promise<void> {
    const lane = laneOf(key, workspace, work);
    const entry: Running = {again: false, lane, done: Promise.resolve().then(() => loop(entry))};
    running.set(key, entry);
    count(lane, workspace, 1);
    return entry.done;

    async function loop(own: Running): Promise<void> {
      let more: boolean;
      do {
        more = await pass(own, key, workspace, work);
        count(own.lane, workspace, -1);
        own.lane = laneOf(key, workspace, work);
        count(own.lane, workspace, 1);
      } while ((own.again || (more && hasRoom(own.lane, workspace, 1))) && !stopping.signal.aborted);
      running.delete(key);
      count(own.lane, workspace, -1);
      if (more && !stopping.signal.aborted) queue.add(workspace, work);
    }
  }

  /** While this process has room, going through the queue would only cost; and without the queue there is nobody else. */
  function hasRoom(lane: GateLane, workspace: Id<'workspace'>, own = 0): boolean {
    const others = (counts.get(countOf(lane, workspace)) ?? 0) - own;
    return others < maxDirect[lane] || !queue.available();
  }

  async function run(workspace: Id<'workspace'>, work: Work, isSlow = false): Promise<void> {
    if (stopping.signal.aborted) return;
    const key = `${workspace} ${workName(work)}`;
    if (isSlow) noteSlow(key, true);
    const current = running.get(key);
    if (current === undefined) return start(key, workspace, work);
    current.again = true;
  }

  return {
    run,
    async take(workspace, work) {
      const turn = run(workspace, work);
      if (laneOf(`${workspace} ${workName(work)}`, workspace, work) !== 'slow') await turn;
    },
    wake(workspace, work, overdue) {
      if (stopping.signal.aborted) return false;
      const key = `${workspace} ${workName(work)}`;
      const isDirect = running.has(key) || hasRoom(laneOf(key, workspace, work), workspace);
      if (isDirect) void run(workspace, work);
      else queue.add(workspace, work, overdue);
      return isDirect;
    },
    async close() {
      stopping.abort();
      gate.close();
      await Promise.all([...running.values()].map(({done}) => done));
    },
  };
}
