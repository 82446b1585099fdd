import {AppError} from './errors.js';

/** Resolves when the caller may go on. Errors: `rate_limited` where too many of the same caller wait. */
export type Pacer = (caller?: string) => Promise<void>;

/**
 * Requests, and attempts of deliveries, begun in each tick of the event loop: a burst of either leaves the
 * other its share. A process without a worker has no deliveries to share with, and each tick has its own
 * cost: one write to Redis, and one script for all callers that ask the same.
 */
export const begunPerTick = {requests: 2, requestsAlone: 32, attempts: 8} as const;

/**
 * Admits `perTick` calls in each tick of the event loop: one of each caller in rotation, in order for each
 * caller. With two kinds of work, each behind its own pacer, neither has the processor for longer than its
 * share of a tick, however much of it comes at once. One kind alone loses nothing, since its ticks are short.
 * `defer` runs a function in the next tick.
 */
export function createPacer(
  perTick: number,
  defer: (run: () => void) => void,
  mostWaiting: number = Number.POSITIVE_INFINITY,
): Pacer {
  const waiting = new Map<string, (() => void)[]>();
  let left = perTick;
  let isAsked = false;

  function scheduleTick(): void {
    if (isAsked) return;
    isAsked = true;
    defer(startTick);
  }

  function startTick(): void {
    isAsked = false;
    left = perTick;
    for (const [caller, queue] of waiting) {
      if (left === 0) break;
      left -= 1;
      // Moves the caller to the end of the rotation, where this loop may reach it again.
      waiting.delete(caller);
      if (queue.length > 1) waiting.set(caller, queue);
      queue.shift()?.();
    }
    if (left < perTick) scheduleTick();
  }

  const free = Promise.resolve();

  return (caller = '') => {
    scheduleTick();
    if (left > 0) {
      left -= 1;
      return free;
    }
    const queue = waiting.get(caller);
    if (queue === undefined) return new Promise((resolve) => void waiting.set(caller, [resolve]));
    if (queue.length >= mostWaiting) return Promise.reject(tooManyWaitingError(mostWaiting));
    return new Promise((resolve) => void queue.push(resolve));
  };
}

function tooManyWaitingError(most: number): AppError {
  return new AppError('rate_limited', `${most} requests like this one wait already. Send fewer at once.`, {
    retryAfter: 1,
  });
}
