import type {Log} from '../domain/core/log.js';
import {createSliceSpan, noTracer, type Tracer} from '../domain/core/tracer.js';
import {type Perform, waitsForSlack, type Work, workName} from '../domain/core/work.js';
import type {FairGate, GatePool} from './fair-gate.js';
import type {WorkQueue} from './work-queue.js';
import type {Id} from '../domain/core/ids.js';

/** A handler for each kind of work. */
export type Performers = {readonly [K in Work['kind']]: Perform<Extract<Work, {kind: K}>>};

/** The length of a time slice (ms). Afterwards other work gets its turn. */
const sliceMs = 250;
/**
 * The largest number of time slices that run or wait in this process without the queue. For Slack it is per
 * workspace. Low priority needs no number, because webhooks and replays limit it.
 */
const maxDirect: Readonly<Record<GatePool, number>> = {
  normal: 64,
  low: Number.POSITIVE_INFINITY,
  slack: 64,
  mail: 16,
  away: Number.POSITIVE_INFINITY,
};
/**
 * The time (ms) after which a slice surely waits for a server of the cluster that does not answer. Another
 * slice then gets its slot.
 */
const stuckMs = 1_000;
/**
 * The number of remembered pieces of work with low priority. The oldest is dropped first, and is detected
 * again at its next time slice.
 */
const maxLow = 10_000;

interface RunningWork {
  again: boolean;
  pool: GatePool;
  readonly done: Promise<void>;
}

/**
 * Runs time slices of work, only one at a time for each piece of work. Two processes may run the same work
 * at once, because claims in the store prevent conflicts. `isDoubtful`: true for work that will probably wait
 * for a slow receiver, although this is not certain yet. `isFrozen`: true for a read-only workspace, whose
 * work is passed by. `serverOf`: the server of a cluster that has a workspace; undefined for another store.
 */
export function createWorkRunner({
  performers,
  queue,
  gate,
  isDoubtful = () => false,
  isFrozen = async () => false,
  serverOf = () => undefined,
  tracer = noTracer,
  log,
}: {
  readonly performers: Performers;
  readonly queue: WorkQueue;
  readonly gate: FairGate;
  readonly isDoubtful?: (workspace: Id<'workspace'>, work: Work) => boolean;
  readonly isFrozen?: (workspace: Id<'workspace'>) => Promise<boolean>;
  readonly serverOf?: (workspace: Id<'workspace'>) => string | undefined;
  readonly tracer?: Tracer;
  readonly log: Log;
}) {
  const running = new Map<string, RunningWork>();
  const low = new Set<string>();
  /** The servers that did not answer the last slice. */
  const away = new Set<string>();
  const stopping = new AbortController();
  /** The number of current time slices for each limit in `maxDirect`. */
  const counts = new Map<string, number>();

  function formatCounterName(pool: GatePool, workspace: Id<'workspace'>): string {
    return pool === 'slack' ? `${pool} ${workspace}` : pool;
  }

  function addToCount(pool: GatePool, workspace: Id<'workspace'>, by: 1 | -1): void {
    const name = formatCounterName(pool, workspace);
    const total = (counts.get(name) ?? 0) + by;
    if (total === 0) counts.delete(name);
    else counts.set(name, total);
  }

  async function runOneSlice(own: RunningWork, key: string, workspace: Id<'workspace'>, work: Work) {
    const leave = await enterGate(own, key, workspace, work);
    if (leave === undefined) return false;
    const perform = performers[work.kind] as Perform;
    // A time slice that waits for its slot also serves the requests that arrive meanwhile, so these need no
    // slice of their own. The scheduler sends a request every second.
    own.again = false;
    const startedAt = performance.now();
    const span = createSliceSpan(tracer, workspace, work.kind, startedAt);
    const server = serverOf(workspace);
    let isStuck = false;
    const timer = own.pool === 'normal' && server !== undefined ? setTimeout(giveUpSlot, stuckMs) : undefined;

    function giveUpSlot(): void {
      isStuck = true;
      if (server !== undefined) away.add(server);
      leave?.();
    }

    try {
      // Only a slice records the results of deliveries, and it claims no others then.
      if (work.kind !== 'deliver' && (await isFrozen(workspace))) return false;
      const slice = {workspace, work, until: startedAt + sliceMs, signal: stopping.signal, span};
      const {more, lowPriority = false} = await perform(slice);
      notePriority(key, lowPriority);
      if (server !== undefined) away.delete(server);
      span.end();
      return more;
    } catch (error) {
      log.warn(
        {workspace, work: workName(work), reason: String(error)},
        'a slice of work failed; it will be retried',
      );
      span.end('internal_error');
      return false;
    } finally {
      clearTimeout(timer);
      if (!isStuck) leave();
    }
  }

  /** Waits for a slot. Work whose server is found to be away meanwhile goes on to the slots for such work. */
  async function enterGate(own: RunningWork, key: string, workspace: Id<'workspace'>, work: Work) {
    const leave = await gate.enter(own.pool, workspace);
    if (leave === undefined || own.pool !== 'normal' || choosePool(key, workspace, work) !== 'away')
      return leave;
    leave();
    addToCount(own.pool, workspace, -1);
    own.pool = 'away';
    addToCount(own.pool, workspace, 1);
    return gate.enter(own.pool, workspace);
  }

  function choosePool(key: string, workspace: Id<'workspace'>, work: Work): GatePool {
    const {kind} = work;
    if (waitsForSlack(work)) return 'slack';
    if (kind === 'send-mail') return 'mail';
    // A replay creates very many deliveries, none of which is urgent.
    if (kind === 'replay' || low.has(key) || isDoubtful(workspace, work)) return 'low';
    return away.has(serverOf(workspace) ?? '') ? 'away' : 'normal';
  }

  function notePriority(key: string, isLow: boolean): void {
    low.delete(key);
    if (!isLow) return;
    low.add(key);
    const [oldest] = low;
    if (low.size > maxLow && oldest !== undefined) low.delete(oldest);
  }

  function startWork(key: string, workspace: Id<'workspace'>, work: Work): Promise<void> {
    const pool = choosePool(key, workspace, work);
    const entry: RunningWork = {again: false, pool, done: Promise.resolve().then(() => repeatSlices(entry))};
    running.set(key, entry);
    addToCount(pool, workspace, 1);
    return entry.done;

    async function repeatSlices(own: RunningWork): Promise<void> {
      let more: boolean;
      do {
        more = await runOneSlice(own, key, workspace, work);
        addToCount(own.pool, workspace, -1);
        own.pool = choosePool(key, workspace, work);
        addToCount(own.pool, workspace, 1);
      } while ((own.again || (more && hasFreeSlot(own.pool, workspace, 1))) && !stopping.signal.aborted);
      running.delete(key);
      addToCount(own.pool, workspace, -1);
      if (more && !stopping.signal.aborted) queue.add(workspace, work);
    }
  }

  /**
   * True if this process can run more work itself, which is cheaper than the queue. Without the queue, no
   * other process can be asked.
   */
  function hasFreeSlot(pool: GatePool, workspace: Id<'workspace'>, own = 0): boolean {
    const others = (counts.get(formatCounterName(pool, workspace)) ?? 0) - own;
    return others < maxDirect[pool] || !queue.available();
  }

  /** Runs a time slice of work in this process as soon as there is a slot. It never rejects. */
  async function runInThisProcess(workspace: Id<'workspace'>, work: Work, lowPriority = false) {
    if (stopping.signal.aborted) return;
    const key = `${workspace} ${workName(work)}`;
    if (lowPriority) notePriority(key, true);
    const current = running.get(key);
    if (current === undefined) return startWork(key, workspace, work);
    current.again = true;
  }

  return {
    runHere: runInThisProcess,
    /**
     * Runs a time slice from the queue, and waits for its end unless it has low priority, sends mails, or waits
     * for the store. Such slices wait for seconds, and many of them would occupy the queue for everything else.
     * Slack has a queue of its own.
     */
    async runQueued(workspace: Id<'workspace'>, work: Work): Promise<void> {
      const run = runInThisProcess(workspace, work);
      const pool = choosePool(`${workspace} ${workName(work)}`, workspace, work);
      if (pool === 'normal' || pool === 'slack') await run;
    },
    /**
     * Reports new work. This process does the work, or asks another process to do it. `overdue`: the work
     * should have started long ago. Returns true when a time slice of this process starts after this call.
     */
    wake(workspace: Id<'workspace'>, work: Work, overdue?: boolean): boolean {
      if (stopping.signal.aborted) return false;
      const key = `${workspace} ${workName(work)}`;
      const isDirect = running.has(key) || hasFreeSlot(choosePool(key, workspace, work), workspace);
      if (isDirect) void runInThisProcess(workspace, work);
      else queue.add(workspace, work, overdue);
      return isDirect;
    },
    /** Waits for the time slices in progress. */
    async close(): Promise<void> {
      stopping.abort();
      gate.close();
      await Promise.all([...running.values()].map(({done}) => done));
    },
  };
}
