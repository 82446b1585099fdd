/** The time (ms) after which other work of the page gets its turn. */
const sliceMs = 40;

/** Runs a generator to its end without blocking the page. */
export async function runInSlices<Result>(
  steps: Generator<unknown, Result, void>,
  signal: AbortSignal,
): Promise<Result> {
  for (;;) {
    const startedAt = performance.now();
    while (performance.now() - startedAt < sliceMs) {
      const {done, value} = steps.next();
      if (done === true) return value;
    }
    await new Promise<void>((resolve) => setTimeout(resolve));
    signal.throwIfAborted();
  }
}
