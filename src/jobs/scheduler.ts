import {setTimeout as pause} from 'node:timers/promises';
import {deadlines} from '../domain/core/limits.js';
import type {Log} from '../domain/core/log.js';
import type {Work, WorkSide} from '../domain/core/work.js';
import type {Id} from '../domain/core/ids.js';
import type {Ready} from '../store/core/ready.js';

export interface SchedulerParts {
  readonly ready: Pick<Ready, 'holdScheduler' | 'listDue'>;
  /** Slack work has its own scheduler, in a process that serves Slack. */
  readonly side: WorkSide;
  readonly wake: (workspace: Id<'workspace'>, work: Work, overdue: boolean) => void;
  /** Runs before each look. */
  readonly prepare?: (deadline: number) => Promise<void>;
  /**
   * Rare upkeep: trimming logs, sweeping claims. Runs beside the looks, one at a time, until it is done or
   * aborted.
   */
  readonly chores?: (signal: AbortSignal) => Promise<void>;
  /** Whether chores, which give up and erase data by the store's clock, may trust it now. */
  readonly mayChore?: () => boolean;
  /** The interval in ms; set only by tests, which cannot wait for the usual one. */
  readonly choresEveryMs?: number | undefined;
  /** The interval of looks in ms; set only by tests, whose time runs faster. */
  readonly schedulerIntervalMs?: number | undefined;
  readonly holder: string;
  readonly random: () => number;
  readonly log: Log;
}

const periodMs = 1_000;
const leaseMs = 3_000;
const hourMs = 3_600_000;
/** Short, so that a process that never lives for an hour runs its chores too. */
const firstChoresMs = 60_000;
/** The share of a workspace in a look that finds very much work. */
const itemsPerWorkspace = 10;
/**
 * The maximum number of slices requested at one look, for one workspace too if there is room. The next look
 * begins with those that had to wait.
 */
const itemsPerLook = 500;
/**
 * The maximum for one workspace. Slack accepts fewer messages a second, so requesting more slices would only
 * cost.
 */
const mostOfOne = {service: itemsPerLook, slack: 100} as const;
/** Slices are requested in portions, not all in the same instant. */
const askedAtOnce = 16;
const pauseMs = 25;
/** The request for work that has waited longer than this (ms) was lost. */
const lateMs = 1_000;

/**
 * The safety net: about once a second one process requests a slice for all due work, whichever process should
 * have done so. It uses a plain timer, since a job scheduler does not tick again once the queue's data has
 * been wiped.
 */
export function startScheduler(parts: SchedulerParts): {close: () => Promise<void>} {
  const {
    ready,
    side,
    wake,
    prepare,
    chores,
    mayChore = () => true,
    choresEveryMs = hourMs,
    schedulerIntervalMs = periodMs,
    holder,
    random,
    log,
  } = parts;
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
    const {due, next} = await ready.listDue(look, deadline);
    from = next;
    for (let i = 0; i < due.length && !stopping.signal.aborted; i += askedAtOnce) {
      if (i > 0) await pause(pauseMs);
      for (const {workspace, work, overdueMs} of due.slice(i, i + askedAtOnce)) {
        wake(workspace, work, overdueMs > lateMs);
      }
    }
    if (chores === undefined || performance.now() < choresAt || runningChores !== undefined || !mayChore())
      return;
    choresAt = performance.now() + choresEveryMs;
    runningChores = chores(stopping.signal)
      .catch((error: unknown) => log.debug({reason: String(error)}, 'upkeep was interrupted'))
      .finally(() => {
        runningChores = undefined;
      });
  }

  function scheduleNextLook(inMs: number): void {
    timer = setTimeout(() => {
      currentLook = wakeDueWork()
        .catch((error: unknown) =>
          log.debug({reason: String(error)}, 'the scheduler could not look for due work'),
        )
        .finally(() => {
          if (!closed) scheduleNextLook(schedulerIntervalMs * (0.8 + 0.4 * random()));
        });
    }, inMs);
  }

  // Immediately, or a process that ends within a second of each start would never look.
  scheduleNextLook(0);
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
