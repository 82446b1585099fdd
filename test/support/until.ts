/** Waits until a condition holds, looking again every few milliseconds; fails after `withinMs`. Returns what the condition gave. */
export async function until<T>(
  condition: () => T | Promise<T>,
  {
    withinMs = 20_000,
    everyMs = 10,
    what = 'the condition',
  }: {
    withinMs?: number;
    everyMs?: number;
    what?: string;
  } = {},
): Promise<Exclude<T, undefined | false | null>> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const value = await condition();
    if (value !== undefined && value !== false && value !== null)
      return value as Exclude<T, undefined | false | null>;
    if (performance.now() > deadline) throw new Error(`${what} did not come to hold within ${withinMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}
