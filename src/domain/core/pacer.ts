import {AppError} from './errors.js';

/** Resolves when the caller may continue. Errors: `rate_limited` when too many of its requests wait. */
export type Pacer = (caller?: string) => Promise<void>;

/**
 * The number of requests, and of delivery attempts, that start in each tick of the event loop, so that
 * neither kind can block the other. A process without a worker sends no deliveries. It starts more requests
 * per tick, which saves writes and scripts in Redis.
 */
export const begunPerTick = {requests: 2, requestsAlone: 32, attempts: 8} as const;

/**
 * Lets `perTick` calls start in each tick of the event loop. Callers take turns, and the calls of one caller
 * keep their order. Two kinds of work with a pacer each share the processor, however much of one kind
 * arrives. A single kind loses nothing, because its ticks are short. `defer` runs a function in the next
 * tick.
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
      // Moves the caller to the end of the queue of callers, where this loop may reach it again.
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
    if (queue.length >= mostWaiting) return Promise.reject(createTooManyWaitingError(mostWaiting));
    return new Promise((resolve) => void queue.push(resolve));
  };
}

function createTooManyWaitingError(most: number): AppError {
  return new AppError('rate_limited', `${most} requests like this one wait already. Send fewer at once.`, {
    retryAfter: 1,
  });
}
