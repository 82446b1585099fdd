import {AppError} from '../../domain/core/errors.js';

/**
 * Settles like `promise`, or rejects with `service_unavailable` once `deadline` (monotonic ms) has passed. `recover` gets what the promise
 * was rejected with, and answers with another attempt or throws what the caller shall see.
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

interface Waiting {
  deadline: number;
  reject: ((error: Error) => void) | undefined;
}

/**
 * Our own deadline on every Redis call: node-redis' `timeout` ends with the sending, so a frozen server would hang a caller.
 * One coarse timer looks after all calls, since a timer per call costs more than the call.
 */
export function createDeadlines(): Deadlines {
  let waiting: Waiting[] = [];
  let timer: NodeJS.Timeout | undefined;

  /** Gives up what should have come by then. */
  function giveUp(by: number): void {
    waiting = waiting.filter((entry) => {
      if (entry.reject === undefined) return false;
      if (entry.deadline > by) return true;
      entry.reject(unavailable('The store did not answer in time.'));
      return false;
    });
    if (waiting.length === 0) stop();
  }

  function stop(): void {
    clearInterval(timer);
    timer = undefined;
  }

  return {
    race<T>(promise: Promise<T>, deadline: number, recover: (error: unknown) => Promise<T>) {
      return new Promise<T>((resolve, reject) => {
        const entry: Waiting = {deadline, reject};
        waiting.push(entry);
        // Whatever came by then is read before it, wherever in the event loop the process stood still.
        timer ??= setInterval(() => setImmediate(giveUp, performance.now()), tickMs);
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
    close: stop,
  };
}

export function unavailable(message: string, cause?: unknown): AppError {
  return new AppError('service_unavailable', message, {cause});
}
