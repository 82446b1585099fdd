/** The maximum time that one check counts (ms): a busy machine may suspend the process for longer. */
const mostOfOne = 250;

/**
 * Waits until a condition holds, checking again every few milliseconds; fails after `withinMs`. Returns the
 * value of the condition.
 */
export async function until<T>(
  condition: () => T | Promise<T>,
  {
    withinMs = 30_000,
    everyMs = 10,
    what = 'the condition',
  }: {
    withinMs?: number;
    everyMs?: number;
    what?: string;
  } = {},
): Promise<Exclude<T, undefined | false | null>> {
  for (let waitedMs = 0; ; ) {
    const begun = performance.now();
    const value = await condition();
    if (value !== undefined && value !== false && value !== null)
      return value as Exclude<T, undefined | false | null>;
    if (waitedMs > withinMs) throw new Error(`${what} did not come to hold within ${withinMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, everyMs));
    waitedMs += Math.min(performance.now() - begun, Math.max(mostOfOne, everyMs));
  }
}

/** The value of a promise, with the timeout of `until`. */
export async function inTime<T>(promise: Promise<T>, what: string): Promise<T> {
  let isSettled = false;
  const settle = (): void => {
    isSettled = true;
  };
  promise.then(settle, settle);
  await until(() => isSettled, {what});
  return promise;
}
