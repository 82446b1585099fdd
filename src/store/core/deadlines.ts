import {AppError} from '../../domain/core/errors.js';

/**
 * Resolves or rejects like `promise`, or rejects with `service_unavailable` once `deadline` (monotonic ms)
 * has passed. `recover` gets the rejection, and returns another attempt or throws the error for the caller.
 */
export type Race = <T>(
  promise: Promise<T>,
  deadline: number,
  recover: (error: unknown) => Promise<T>,
) => Promise<T>;

export interface Deadlines {
  readonly race: Race;
  close: () => void;
}

const tickMs = 25;

interface PendingCall {
  deadline: number;
  reject: ((error: Error) => void) | undefined;
}

/**
 * Our own deadline on every Redis call: node-redis' `timeout` stops applying once the command is sent, so a
 * frozen server would hang a caller. One coarse timer serves all calls, since a timer per call costs more
 * than the call.
 */
export function createCallDeadlines(): Deadlines {
  let waiting: PendingCall[] = [];
  let timer: NodeJS.Timeout | undefined;

  /** Rejects the calls that are past their deadline. */
  function rejectOverdueCalls(by: number): void {
    waiting = waiting.filter((entry) => {
      if (entry.reject === undefined) return false;
      if (entry.deadline > by) return true;
      entry.reject(unavailableError('The store did not answer in time.'));
      return false;
    });
    if (waiting.length === 0) stopTimer();
  }

  function stopTimer(): void {
    clearInterval(timer);
    timer = undefined;
  }

  return {
    race<T>(promise: Promise<T>, deadline: number, recover: (error: unknown) => Promise<T>) {
      return new Promise<T>((resolve, reject) => {
        const entry: PendingCall = {deadline, reject};
        waiting.push(entry);
        // Answers that have arrived are read first, even if the process was blocked somewhere in the event
        // loop.
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

export function unavailableError(message: string, cause?: unknown): AppError {
  return new AppError('service_unavailable', message, {cause});
}
