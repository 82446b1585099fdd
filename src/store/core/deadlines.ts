import {AppError} from '../../domain/core/errors.js';
import {deadlines} from '../../domain/core/limits.js';

const tickMs = 25;

/** Returns the deadline (monotonic ms) of one call of a command or of background work. */
export function newJobDeadline(): number {
  return performance.now() + deadlines.job;
}

interface PendingCall {
  deadline: number;
  reject: ((error: Error) => void) | undefined;
}

/**
 * Gives every Redis call a time limit. The `timeout` of node-redis has no effect once a command is sent, so a
 * frozen server would block callers. One timer serves all calls, since a timer for each costs more than the
 * call.
 */
export function createCallDeadlines() {
  let waiting: PendingCall[] = [];
  let timer: NodeJS.Timeout | undefined;

  /** Rejects the calls whose time limit has passed. */
  function rejectOverdueCalls(by: number): void {
    waiting = waiting.filter((entry) => {
      if (entry.reject === undefined) return false;
      if (entry.deadline > by) return true;
      entry.reject(createUnavailableError('The store did not answer in time.'));
      return false;
    });
    if (waiting.length === 0) stopTimer();
  }

  function stopTimer(): void {
    clearInterval(timer);
    timer = undefined;
  }

  return {
    /**
     * Returns a promise with a time limit: it rejects with `service_unavailable` once `deadline` (monotonic
     * ms) has passed. `recover` gets an error of the original promise, and tries again or throws another one.
     */
    race<T>(promise: Promise<T>, deadline: number, recover: (error: unknown) => Promise<T>) {
      return new Promise<T>((resolve, reject) => {
        const entry: PendingCall = {deadline, reject};
        waiting.push(entry);
        // Answers that have already arrived are read first, even if the process was blocked.
        timer ??= setInterval(() => setImmediate(rejectOverdueCalls, performance.now()), tickMs);
        const succeed = (value: T) => {
          entry.reject = undefined;
          resolve(value);
        };
        const fail = (error: unknown) => {
          entry.reject = undefined;
          reject(error);
        };
        promise.then(succeed, (error: unknown) => recover(error).then(succeed, fail));
      });
    },
    close: stopTimer,
  };
}

/** Creates the error for an operator whose command finds that the data has gone since it began. */
export function createLostDataError(): AppError {
  return new AppError('store_lost', 'Redis has lost its data since this began: restore it, then try again.');
}

export function createUnavailableError(message: string, cause?: unknown): AppError {
  return new AppError('service_unavailable', message, {cause});
}
