const everyMs = 10;

/**
 * Counts the milliseconds in which this process runs: a pause in which the machine suspends it counts as one
 * tick. So a bound such as "within 3 s" holds on a busy machine, and still fails for code that waits too
 * long.
 */
export function startStopwatch(): {readonly ms: () => number; stop(): void} {
  let ticks = 0;
  const timer = setInterval(() => (ticks += 1), everyMs).unref();
  return {ms: () => ticks * everyMs, stop: () => clearInterval(timer)};
}

/** Returns the result of `act`, and the time that it took by a stopwatch (ms). */
export async function measureTime<T>(act: () => Promise<T>): Promise<[T, number]> {
  const watch = startStopwatch();
  try {
    return [await act(), watch.ms()];
  } finally {
    watch.stop();
  }
}

/**
 * Measures the CPU time (ms) of this thread for `act`, for code that must be quick to compute. It excludes
 * other load of the machine, and threads that compile or collect garbage.
 */
export async function measureCpuMs(act: () => unknown): Promise<number> {
  const before = process.threadCpuUsage();
  await act();
  const {user, system} = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}
