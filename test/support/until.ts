/** No one look counts for more (ms): a busy machine may give the process no turn for longer. */
const mostOfOne = 250;

/** Waits until a condition holds, looking again every few milliseconds; fails after `withinMs`. Returns what the condition gave. */
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

/** What a promise brings, waited for as `until` does. */
export async function inTime<T>(promise: Promise<T>, what: string): Promise<T> {
  let isSettled = false;
  const settle = (): void => {
    isSettled = true;
  };
  promise.then(settle, settle);
  await until(() => isSettled, {what});
  return promise;
}
