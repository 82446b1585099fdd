import {setTimeout as pause} from 'node:timers/promises';
import {deadlines} from '../domain/core/limits.js';
import type {Work, WorkSide} from '../domain/core/work.js';
import type {Id} from '../domain/core/ids.js';
import type {JobContext} from './context.js';

/** The work that one scheduler finds, and what it does beside that. */
export interface Schedule {
  /** The kind of work that this scheduler finds. Slack work has its own scheduler. */
  readonly side: WorkSide;
  readonly wake: (workspace: Id<'workspace'>, work: Work, overdue: boolean) => void;
  /** Runs before each search for work. */
  readonly prepare?: (deadline: number) => Promise<void>;
  /**
   * Does rare maintenance, such as shortening logs. It runs beside the searches for work, one at a time,
   * until it is done or aborted.
   */
  readonly chores: (signal: AbortSignal) => Promise<void>;
  /** The interval of the maintenance in ms. */
  readonly choresEveryMs: number;
}

const periodMs = 1_000;
const leaseMs = 3_000;
/** The time until the first maintenance. It is short, so that a process with a short life also does it. */
const firstChoresMs = 60_000;
/** The number of time slices that each workspace gets first, if a search finds very much work. */
const itemsPerWorkspace = 10;
/**
 * The largest number of time slices requested after one search. One workspace may get all of them if there is
 * room. The next search begins with those that had to wait.
 */
const itemsPerLook = 500;
/** The largest number of requests for one workspace. Slack accepts only few messages a second. */
const mostOfOne = {service: itemsPerLook, slack: 100} as const;
/** The number of time slices requested at once. The others follow after a pause. */
const askedAtOnce = 16;
const pauseMs = 25;
/** Work that has waited longer than this (ms) is late, because its request must have been lost. */
const lateMs = 1_000;

/**
 * Finds due work about once a second and requests time slices for it, if another process has failed to do so.
 * It uses a plain timer, because a job scheduler would stop when the queue's data is deleted.
 */
export function startScheduler(
  {store: {ready, clock}, schedulerIntervalMs = periodMs, holder, random, log}: JobContext,
  {side, wake, prepare, chores, choresEveryMs}: Schedule,
): {close: () => Promise<void>} {
  let choresAt = performance.now() + Math.min(firstChoresMs, choresEveryMs);
  let runningChores: Promise<void> | undefined;
  const stopping = new AbortController();
  let from = 0;
  let timer: NodeJS.Timeout;
  let currentLook = Promise.resolve();
  let closed = false;

  async function wakeDueWork(): Promise<void> {
    const deadline = performance.now() + deadlines.job;
    if (!(await ready.holdScheduler(side, holder, leaseMs, deadline))) return;
    await prepare?.(deadline);
    const look = {
      side,
      from,
      perWorkspace: itemsPerWorkspace,
      mostOfOne: mostOfOne[side],
      atMost: itemsPerLook,
    };
    const {due, next, failures} = await ready.listDue(look, deadline);
    from = next;
    if (failures.length > 0) {
      const fields = {workspaces: failures.length, reason: String(failures[0])};
      log.debug(fields, 'some workspaces could not be searched for due work');
    }
    for (let i = 0; i < due.length && !stopping.signal.aborted; i += askedAtOnce) {
      if (i > 0) await pause(pauseMs);
      for (const {workspace, work, overdueMs} of due.slice(i, i + askedAtOnce)) {
        wake(workspace, work, overdueMs > lateMs);
      }
    }
    // The maintenance deletes data by the store's clock.
    if (performance.now() < choresAt || runningChores !== undefined || !clock.isSteady()) return;
    choresAt = performance.now() + choresEveryMs;
    runningChores = chores(stopping.signal)
      .catch((error: unknown) => log.debug({reason: String(error)}, 'upkeep was interrupted'))
      .finally(() => {
        runningChores = undefined;
      });
  }

  function scheduleNextSearch(inMs: number): void {
    timer = setTimeout(() => {
      currentLook = wakeDueWork()
        .catch((error: unknown) =>
          log.debug({reason: String(error)}, 'the scheduler could not look for due work'),
        )
        .finally(() => {
          if (!closed) scheduleNextSearch(schedulerIntervalMs * (0.8 + 0.4 * random()));
        });
    }, inMs);
  }

  // The first search is immediate, because a process that always ends within a second would otherwise never
  // search.
  scheduleNextSearch(0);
  return {
    async close() {
      closed = true;
      clearTimeout(timer);
      stopping.abort();
      await currentLook;
      await runningChores;
    },
  };
}
