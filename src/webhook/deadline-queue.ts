export interface DeadlineQueue<T> {
  add(item: T): void;
  remove(item: T): void;
  /** Everything still waiting, oldest first. */
  waiting(): T[];
  close(): void;
}

/**
 * Calls `expire` for each item still present `timeoutMs` after it was added. As the time is the same for all, the oldest is always the next
 * to expire, so one timer serves any number of items and none is started or cleared per item.
 */
export function createDeadlineQueue<T>(timeoutMs: number, expire: (item: T) => void): DeadlineQueue<T> {
  const deadlines = new Map<T, number>();
  let timer: NodeJS.Timeout | undefined;

  function sweep(): void {
    timer = undefined;
    const now = performance.now();
    for (const [item, deadline] of deadlines) {
      if (deadline > now) {
        arm(deadline - now);
        return;
      }
      deadlines.delete(item);
      expire(item);
    }
  }

  function arm(delayMs: number): void {
    if (timer !== undefined) return;
    timer = setTimeout(sweep, Math.ceil(delayMs));
    timer.unref();
  }

  return {
    add(item) {
      deadlines.set(item, performance.now() + timeoutMs);
      arm(timeoutMs);
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
