import type {Log} from '../domain/core/log.js';
import {missingWorkerMs, workerAdvice} from '../domain/core/work.js';
import type {Store} from '../store/store.js';
import {callDeadline} from './context.js';

const lookEveryMs = 10_000;

/** Creates the look for workers, which logs once that none has worked for a minute, and once that one is back. */
export function createWorkerWatch({waitingWork, clock}: Pick<Store, 'waitingWork' | 'clock'>, log: Log) {
  let seenAt = clock.now();
  let isMissed = false;
  let misses = 0;

  return async (): Promise<void> => {
    const workers = await waitingWork.listWorkers(callDeadline());
    const now = clock.now();
    seenAt = Math.max(Math.min(seenAt, now), ...workers.map(({silentMs}) => now - silentMs));
    const silentMs = now - seenAt;
    misses = silentMs < missingWorkerMs ? 0 : misses + 1;
    // A clock that leaps makes each worker look silent once.
    if (misses === 2) {
      isMissed = true;
      log.warn(
        {silent_s: Math.floor(silentMs / 1_000)},
        `no worker has worked for a minute: ${workerAdvice}`,
      );
    }
    if (misses === 0 && isMissed) {
      isMissed = false;
      log.info({workers: workers.length}, 'a worker works again');
    }
  };
}

/** Looks for workers until it is ended, in a process that is none itself. */
export function watchWorkers(store: Pick<Store, 'waitingWork' | 'clock'>, log: Log): {close: () => void} {
  const look = createWorkerWatch(store, log);
  const timer = setInterval(() => {
    // While the store is away nobody knows.
    look().catch((error: unknown) => log.debug({reason: String(error)}, 'could not look for workers'));
  }, lookEveryMs).unref();
  return {close: () => clearInterval(timer)};
}
