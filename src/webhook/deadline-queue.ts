export interface DeadlineQueue<T> {
  add: (item: T) => void;
  remove: (item: T) => void;
  /** Returns all waiting items, oldest first. */
  waiting: () => T[];
  close: () => void;
}

/**
 * The number of items that expire at a time, and the pause afterwards (ms). Thousands at once would delay all
 * other work. A very long queue expires more at a time, so that the last item is about a second late.
 */
const atOnce = 4;
const pauseMs = 5;

/**
 * Calls `expire` for each item that is still present `timeoutMs` after it was added. The time limit is the
 * same for all, so the oldest item expires next. One timer serves any number of items.
 */
export function createDeadlineQueue<T>(timeoutMs: number, expire: (item: T) => void): DeadlineQueue<T> {
  const deadlines = new Map<T, number>();
  let timer: NodeJS.Timeout | undefined;

  function expireOverdue(): void {
    timer = undefined;
    const now = performance.now();
    let left = Math.max(atOnce, Math.ceil((deadlines.size * pauseMs) / 2_000));
    for (const [item, deadline] of deadlines) {
      if (deadline > now || left === 0) {
        startTimer(Math.max(deadline - now, pauseMs));
        return;
      }
      left -= 1;
      deadlines.delete(item);
      expire(item);
    }
  }

  function startTimer(delayMs: number): void {
    if (timer !== undefined) return;
    timer = setTimeout(expireOverdue, Math.ceil(delayMs));
    timer.unref();
  }

  return {
    add(item) {
      deadlines.set(item, performance.now() + timeoutMs);
      startTimer(timeoutMs);
    },
    remove(item) {
      deadlines.delete(item);
    },
    waiting: () => [...deadlines.keys()],
    close() {
      clearTimeout(timer);
      timer = undefined;
      deadlines.clear();
    },
  };
}
