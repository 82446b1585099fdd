const everyMs = 10;

/**
 * Counts milliseconds as this process gets them: a standstill, when the machine gives it no turn, counts as
 * one tick. A bound such as "within 3 s" then holds on a busy machine, and still fails for what waits too
 * long.
 */
export function startStopwatch(): {readonly ms: () => number; stop(): void} {
  let ticks = 0;
  const timer = setInterval(() => (ticks += 1), everyMs).unref();
  return {ms: () => ticks * everyMs, stop: () => clearInterval(timer)};
}

/** The result of `act`, and how long it waited (ms), by such a watch. */
export async function timed<T>(act: () => Promise<T>): Promise<[T, number]> {
  const watch = startStopwatch();
  try {
    return [await act(), watch.ms()];
  } finally {
    watch.stop();
  }
}

/**
 * How long (ms) this process worked for `act`, on however busy a machine. For what must not take long to
 * compute.
 */
export async function workedMs(act: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await act();
  const {user, system} = process.cpuUsage(before);
  return (user + system) / 1_000;
}
