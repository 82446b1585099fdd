import type {Log} from '../domain/log.js';
import {type Perform, type Work, workName} from '../domain/work.js';
import type {Performers} from './performers.js';

/** The queue as turns use it: a turn asked for twice runs once, and one asked for while it runs, once more. */
export interface TurnQueue {
  /** Never rejects and never waits: a turn that cannot be queued is found by the pump. */
  add(workspace: string, work: Work, overdue?: boolean): void;
  readonly available: () => boolean;
}

export interface Turns {
  /** There is new work: this process looks at once, or asks whoever works. */
  wake(workspace: string, work: Work): void;
  /** A slice of work, as a queued turn or the pump asks for it. Never rejects. */
  run(workspace: string, work: Work): Promise<void>;
  /** Waits for the slices under way. */
  close(): Promise<void>;
}

export interface TurnsParts {
  readonly performers: Performers;
  readonly queue: TurnQueue;
  /** False in a process that only serves requests. */
  readonly works: boolean;
  readonly log: Log;
}

/** How long one turn works before the others get theirs. */
const sliceMs = 250;
/** Turns that a process starts by itself; past this number they go through the queue. */
const maxDirect = 64;

interface Running {
  again: boolean;
  readonly done: Promise<void>;
}

/**
 * Runs slices of work, one at a time for each piece of work in this process. Two processes may have a turn of the same work at once: the
 * store's claims decide, not the queue.
 */
export function createTurns({performers, queue, works, log}: TurnsParts): Turns {
  const running = new Map<string, Running>();
  const stopping = new AbortController();

  async function slice(workspace: string, work: Work): Promise<boolean> {
    const perform = performers[work.kind] as Perform;
    try {
      const until = performance.now() + sliceMs;
      return (await perform({workspace, work, until, signal: stopping.signal})).more;
    } catch (error) {
      log.warn(
        {workspace, work: workName(work), reason: String(error)},
        'a turn failed; the pump will ask again',
      );
      return false;
    }
  }

  function start(key: string, workspace: string, work: Work): Promise<void> {
    const entry: Running = {again: false, done: Promise.resolve().then(() => loop(entry))};
    running.set(key, entry);
    return entry.done;

    async function loop(own: Running): Promise<void> {
      let more: boolean;
      do {
        own.again = false;
        more = await slice(workspace, work);
      } while (own.again && !stopping.signal.aborted);
      running.delete(key);
      if (!more || stopping.signal.aborted) return;
      if (queue.available()) queue.add(workspace, work);
      else setImmediate(() => void run(workspace, work));
    }
  }

  async function run(workspace: string, work: Work): Promise<void> {
    if (!works || stopping.signal.aborted) return;
    const key = `${workspace} ${workName(work)}`;
    const current = running.get(key);
    if (current === undefined) return start(key, workspace, work);
    current.again = true;
  }

  return {
    run,
    wake(workspace, work) {
      if (stopping.signal.aborted) return;
      const known = running.has(`${workspace} ${workName(work)}`);
      if (works && (known || running.size < maxDirect || !queue.available())) void run(workspace, work);
      else queue.add(workspace, work);
    },
    async close() {
      stopping.abort();
      await Promise.all([...running.values()].map(({done}) => done));
    },
  };
}
