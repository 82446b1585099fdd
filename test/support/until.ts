/**
 * Maximum time (ms) that one check counts toward the timeout. On a busy machine, the process may be suspended
 * for longer.
 */
const mostOfOne = 250;
/**
 * The whole time (ms) after which a wait fails, however long its checks are: this, or four times `withinMs`.
 * Otherwise checks of ten seconds each would let a wait of 30 s take 20 minutes.
 */
const mostOfAll = 60_000;

/**
 * Waits until a condition holds, and returns its value; fails after `withinMs`. The interval between checks
 * grows from 10 to 40 ms, since a check is often a request.
 */
export async function until<T>(
  condition: () => T | Promise<T>,
  {
    withinMs = 30_000,
    everyMs,
    what = 'the condition',
  }: {
    withinMs?: number;
    everyMs?: number;
    /**
     * Names the condition in the error. A function is called only after the failure, so that its text can
     * contain the last state.
     */
    what?: string | (() => string);
  } = {},
): Promise<Exclude<T, undefined | false | null>> {
  const endsAt = performance.now() + Math.max(mostOfAll, 4 * withinMs);
  for (let waitedMs = 0; ; ) {
    const begun = performance.now();
    const value = await condition();
    if (value !== undefined && value !== false && value !== null)
      return value as Exclude<T, undefined | false | null>;
    if (waitedMs > withinMs || performance.now() > endsAt) {
      const named = typeof what === 'string' ? what : what();
      throw new Error(`${named} did not come to hold within ${withinMs} ms`);
    }
    const pauseMs = everyMs ?? Math.min(40, 10 + waitedMs / 10);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    waitedMs += Math.min(performance.now() - begun, Math.max(mostOfOne, pauseMs));
  }
}

/** Returns the value of a promise, or fails after the timeout of `until`. */
export async function withTimeout<T>(promise: Promise<T>, what: string): Promise<T> {
  let isSettled = false;
  const onSettled = (): void => {
    isSettled = true;
  };
  promise.then(onSettled, onSettled);
  await until(() => isSettled, {what});
  return promise;
}
