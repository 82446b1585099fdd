const everyMs = 10;

/**
 * Counts the milliseconds in which this process could run: a pause during which the machine suspends it
 * counts as one tick. A test can therefore require an answer "within 3 s" even on a busy machine, and still
 * fails if the code itself waits too long.
 */
export function startStopwatch(): {readonly ms: () => number; stop(): void} {
  let ticks = 0;
  const timer = setInterval(() => (ticks += 1), everyMs).unref();
  return {ms: () => ticks * everyMs, stop: () => clearInterval(timer)};
}

/** Runs `act`. Returns its result, and the time (ms) that it took by `startStopwatch`. */
export async function measureTime<T>(act: () => Promise<T>): Promise<[T, number]> {
  const watch = startStopwatch();
  try {
    return [await act(), watch.ms()];
  } finally {
    watch.stop();
  }
}

/**
 * Measures the CPU time (ms) that this thread spends on `act`, for code that must be quick to compute. Other
 * load of the machine does not count, nor do threads that compile or collect garbage.
 */
export async function measureCpuMs(act: () => unknown): Promise<number> {
  const before = process.threadCpuUsage();
  await act();
  const {user, system} = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}
