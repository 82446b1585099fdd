import type {LogEntry, LogPosition} from '../../domain/events/event.js';
import {deadlines} from '../../domain/core/limits.js';
import type {RedisCommands} from '../core/connection.js';
import type {EventLog} from './event-log.js';
import {workspaceKeys} from '../core/keys.js';
import type {Id} from '../../domain/core/ids.js';

/** An event with its JSON. */
export interface TailEvent extends LogEntry {
  readonly json: string;
}

/** One reader that waits at the end of a workspace's event log. */
export interface TailConsumer {
  /**
   * Waits for new events. `grown`: there are events after `after`. `shrunk`: the log ends before `after`,
   * because data was lost or restored. `still`: nothing happened within `withinMs`, or `signal` was aborted.
   */
  wait: (after: number, withinMs: number, signal: AbortSignal) => Promise<'grown' | 'shrunk' | 'still'>;
  /** Returns the events after a position, as `EventLog.readOn` does. Simultaneous readers share a read. */
  read: (position: LogPosition, limit: number) => Promise<readonly TailEvent[] | undefined>;
  close: () => void;
}

/** The interval (ms) of the checks for events from other processes. */
const pollMs = 250;
/** The minimum time between two checks (ms). Events that come faster are read together. */
const gatherMs = 20;

interface Waiter {
  readonly after: number;
  /** The checks started before the wait. Only a later check can show that the log ends too early. */
  readonly since: number;
  readonly resolve: (state: 'grown' | 'shrunk' | 'still') => void;
}

interface Tail {
  readonly workspace: Id<'workspace'>;
  consumers: number;
  newest: number;
  looks: number;
  looking: boolean;
  woken: boolean;
  lookedAt: number;
  timer: NodeJS.Timeout | undefined;
  readonly waiters: Set<Waiter>;
  readonly pages: Map<string, Promise<readonly TailEvent[] | undefined>>;
}

/** Tells readers that a log has grown. There is one check per workspace, however many readers it has here. */
export function createEventTail({call}: RedisCommands, log: Pick<EventLog, 'readOn' | 'render'>) {
  const tails = new Map<string, Tail>();
  let closed = false;

  function scheduleLogCheck(tail: Tail, delayMs: number): void {
    clearTimeout(tail.timer);
    tail.timer = setTimeout(() => void checkLogForNewEvents(tail), delayMs);
  }

  async function checkLogForNewEvents(tail: Tail): Promise<void> {
    tail.looking = true;
    tail.woken = false;
    tail.looks += 1;
    const number = tail.looks;
    tail.lookedAt = performance.now();
    const head = workspaceKeys(tail.workspace).head();
    try {
      const deadline = performance.now() + deadlines.request;
      const newest = Number((await call<string | null>(deadline, ['HGET', head, 'sequence'])) ?? -1);
      tail.newest = newest;
      for (const waiter of tail.waiters) {
        if (newest > waiter.after) waiter.resolve('grown');
        else if (newest < waiter.after && number > waiter.since) waiter.resolve('shrunk');
      }
    } catch {
      // The store is unavailable. Readers find this out by their own reads, and another check follows.
    }
    tail.looking = false;
    if (!closed && tail.consumers > 0) scheduleLogCheck(tail, tail.woken ? gatherMs : pollMs);
  }

  function addTailConsumer(workspace: Id<'workspace'>): Tail {
    const known = tails.get(workspace);
    if (known !== undefined) {
      known.consumers += 1;
      return known;
    }
    const tail: Tail = {
      workspace,
      consumers: 1,
      newest: 0,
      looks: 0,
      looking: false,
      woken: false,
      lookedAt: 0,
      timer: undefined,
      waiters: new Set(),
      pages: new Map(),
    };
    tails.set(workspace, tail);
    scheduleLogCheck(tail, 0);
    return tail;
  }

  function removeTailConsumer(tail: Tail): void {
    tail.consumers -= 1;
    if (tail.consumers > 0) return;
    clearTimeout(tail.timer);
    tails.delete(tail.workspace);
  }

  function waitForEvents(tail: Tail, after: number, withinMs: number, signal: AbortSignal) {
    if (signal.aborted) return Promise.resolve('still' as const);
    if (tail.newest > after) return Promise.resolve('grown' as const);
    return new Promise<'grown' | 'shrunk' | 'still'>((resolve) => {
      const stay = (): void => waiter.resolve('still');
      const late = setTimeout(stay, withinMs);
      const waiter: Waiter = {
        after,
        since: tail.looks,
        resolve(state) {
          clearTimeout(late);
          signal.removeEventListener('abort', stay);
          tail.waiters.delete(waiter);
          resolve(state);
        },
      };
      signal.addEventListener('abort', stay, {once: true});
      tail.waiters.add(waiter);
    });
  }

  async function readEventPage(
    {workspace}: Tail,
    position: LogPosition,
    limit: number,
  ): Promise<readonly TailEvent[] | undefined> {
    const deadline = performance.now() + deadlines.request;
    const entries = await log.readOn(workspace, position, limit, deadline);
    if (entries === undefined) return undefined;
    const bodies = await log.render(workspace, entries, deadline);
    return entries.map((entry, i) => ({...entry, json: bodies[i] ?? ''}));
  }

  return {
    open(workspace: Id<'workspace'>): TailConsumer {
      const tail = addTailConsumer(workspace);
      let open = true;
      return {
        wait: (after, withinMs, signal) => waitForEvents(tail, after, withinMs, signal),
        read(position, limit) {
          const key = `${position.sequence} ${position.id ?? ''} ${limit}`;
          const known = tail.pages.get(key);
          if (known !== undefined) return known;
          const page = readEventPage(tail, position, limit).finally(() => tail.pages.delete(key));
          tail.pages.set(key, page);
          return page;
        },
        close() {
          if (open) removeTailConsumer(tail);
          open = false;
        },
      };
    },
    /** Reports that a commit of this process has written events. */
    wake(workspace: Id<'workspace'>): void {
      const tail = tails.get(workspace);
      if (tail === undefined || tail.woken) return;
      tail.woken = true;
      if (!tail.looking) scheduleLogCheck(tail, Math.max(0, tail.lookedAt + gatherMs - performance.now()));
    },
    close(): void {
      closed = true;
      for (const tail of tails.values()) clearTimeout(tail.timer);
      tails.clear();
    },
  };
}
