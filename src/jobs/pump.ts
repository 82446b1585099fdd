import {deadlines} from '../domain/limits.js';
import type {Log} from '../domain/log.js';
import type {Work} from '../domain/work.js';
import type {TurnQueue} from './turns.js';

export interface PumpParts {
  readonly ready: {
    holdPump(holder: string, leaseMs: number, deadline: number): Promise<boolean>;
    listDue(
      perWorkspace: number,
      deadline: number,
    ): Promise<{workspace: string; work: Work; overdueMs: number}[]>;
  };
  readonly queue: TurnQueue;
  /** For when the queue is away: this process does the work itself. */
  readonly run: (workspace: string, work: Work) => Promise<void>;
  /** Runs before each look. */
  readonly prepare: (deadline: number) => Promise<void>;
  /** Rare upkeep: trimming logs, sweeping claims. Goes on beside the looks, one at a time, until it is done or aborted. */
  readonly chores: (signal: AbortSignal) => Promise<void>;
  /** How often, in ms; only tests cannot wait for the usual. */
  readonly choresEveryMs?: number | undefined;
  readonly holder: string;
  readonly random: () => number;
  readonly log: Log;
}

const periodMs = 1_000;
const leaseMs = 3_000;
const hourMs = 3_600_000;
/** A process that never lives for an hour has its chores too. */
const firstChoresMs = 60_000;
const turnsPerWorkspace = 10;
/** Work that waits longer than this has lost its turn. */
const lateMs = 1_000;

/**
 * The safety net: about once a second one process asks for a turn for all work that is due, whoever should have done so and whatever
 * became of them. A plain timer, since a job scheduler does not tick again once the queue's data has been wiped.
 */
export function startPump(parts: PumpParts): {close(): Promise<void>} {
  const {ready, queue, run, prepare, chores, choresEveryMs = hourMs, holder, random, log} = parts;
  let choresAt = performance.now() + Math.min(firstChoresMs, choresEveryMs);
  let choring: Promise<void> | undefined;
  const stopping = new AbortController();
  let timer: NodeJS.Timeout;
  let beat = Promise.resolve();
  let closed = false;

  async function pump(): Promise<void> {
    const deadline = performance.now() + deadlines.job;
    if (!(await ready.holdPump(holder, leaseMs, deadline))) return;
    await prepare(deadline);
    for (const {workspace, work, overdueMs} of await ready.listDue(turnsPerWorkspace, deadline)) {
      if (queue.available()) queue.add(workspace, work, overdueMs > lateMs);
      else void run(workspace, work);
    }
    if (performance.now() < choresAt || choring !== undefined) return;
    choresAt = performance.now() + choresEveryMs;
    choring = chores(stopping.signal)
      .catch((error: unknown) => log.debug({reason: String(error)}, 'upkeep was broken off'))
      .finally(() => {
        choring = undefined;
      });
  }

  function schedule(): void {
    timer = setTimeout(
      () => {
        beat = pump()
          .catch((error: unknown) => log.debug({reason: String(error)}, 'the pump could not look'))
          .finally(() => {
            if (!closed) schedule();
          });
      },
      periodMs * (0.8 + 0.4 * random()),
    );
  }

  schedule();
  return {
    async close() {
      closed = true;
      clearTimeout(timer);
      stopping.abort();
      await beat;
      await choring;
    },
  };
}
