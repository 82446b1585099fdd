import type {Log} from '../domain/log.js';
import {type Perform, type Work, workName} from '../domain/work.js';
import type {FairGate, GateLane} from './fair-gate.js';
import type {Performers} from './performers.js';

/** The queue as turns use it: a turn asked for twice runs once, and one asked for while it runs, once more. */
export interface TurnQueue {
  /** Never rejects and never waits: a turn that cannot be queued is found by the pump. */
  add(workspace: string, work: Work, overdue?: boolean): void;
  readonly available: () => boolean;
}

export interface Turns {
  /** There is new work: this process looks at once, or asks whoever works. `overdue`: somebody should have looked long ago. */
  wake(workspace: string, work: Work, overdue?: boolean): void;
  /** A slice of work in this process, as soon as the gate lets it in; `slow`: among its like. Never rejects. */
  run(workspace: string, work: Work, slow?: boolean): Promise<void>;
  /**
   * A turn from the queue: waits for its end, but not for one of the slow lane. Those wait there for seconds when there are many, and with
   * the places of the queue would keep them from the turns of everybody else.
   */
  take(workspace: string, work: Work): Promise<void>;
  /** Waits for the slices under way. */
  close(): Promise<void>;
}

export interface TurnsParts {
  readonly performers: Performers;
  readonly queue: TurnQueue;
  readonly gate: FairGate;
  /** Whether work that is not known to be slow yet is likely to be. */
  readonly isDoubtful?: (workspace: string, work: Work) => boolean;
  /** False in a process that only serves requests. */
  readonly works: boolean;
  readonly log: Log;
}

/** How long one turn works before the others get theirs. */
const sliceMs = 250;
/** Turns that a process starts by itself, those at the gate included; past this number they go through the queue, to whoever has room. */
const maxDirect = 64;
/** Work remembered as slow; the oldest is forgotten first, and found out again by its next turn. */
const maxSlow = 10_000;

interface Running {
  again: boolean;
  readonly done: Promise<void>;
}

/**
 * Runs slices of work, one at a time for each piece of work in this process. Two processes may have a turn of the same work at once: the
 * store's claims decide, not the queue.
 */
export function createTurns(parts: TurnsParts): Turns {
  const {performers, queue, gate, isDoubtful = () => false, works, log} = parts;
  const running = new Map<string, Running>();
  const slow = new Set<string>();
  const stopping = new AbortController();
  /** In the slow lane or waiting for it: they take no room from the others. */
  let slowTurns = 0;

  async function slice(key: string, workspace: string, work: Work): Promise<boolean> {
    const lane = laneOf(key, workspace, work);
    if (lane === 'slow') slowTurns += 1;
    try {
      return await pass(lane, key, workspace, work);
    } finally {
      if (lane === 'slow') slowTurns -= 1;
    }
  }

  async function pass(lane: GateLane, key: string, workspace: string, work: Work): Promise<boolean> {
    const leave = await gate.enter(lane, workspace);
    if (leave === undefined) return false;
    const perform = performers[work.kind] as Perform;
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

  function laneOf(key: string, workspace: string, work: Work): GateLane {
    const {kind} = work;
    if (kind === 'post-slack' || kind === 'read-slack' || kind === 'finish-team') return 'slack';
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

  function start(key: string, workspace: string, work: Work): Promise<void> {
    const entry: Running = {again: false, done: Promise.resolve().then(() => loop(entry))};
    running.set(key, entry);
    return entry.done;

    async function loop(own: Running): Promise<void> {
      let more: boolean;
      do {
        own.again = false;
        more = await slice(key, workspace, work);
      } while ((own.again || (more && isDirect())) && !stopping.signal.aborted);
      running.delete(key);
      if (more && !stopping.signal.aborted) queue.add(workspace, work);
    }
  }

  /** While this process has room, going through the queue would only cost; and without the queue there is nobody else. */
  function isDirect(): boolean {
    return running.size - slowTurns <= maxDirect || !queue.available();
  }

  async function run(workspace: string, work: Work, isSlow = false): Promise<void> {
    if (!works || stopping.signal.aborted) return;
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
      if (stopping.signal.aborted) return;
      const known = running.has(`${workspace} ${workName(work)}`);
      const hasRoom = running.size - slowTurns < maxDirect || !queue.available();
      if (works && (known || hasRoom)) void run(workspace, work);
      else queue.add(workspace, work, overdue);
    },
    async close() {
      stopping.abort();
      gate.close();
      await Promise.all([...running.values()].map(({done}) => done));
    },
  };
}
