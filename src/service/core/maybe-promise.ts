/** A value that is available now, or a promise of it. */
export type MaybePromise<T> = T | Promise<T>;

/**
 * Work that waits only where it has to. It reads like an async function, with `yield* when(…)` for `await`.
 * But work on data in memory finishes within the call: an async function would cost one tick of the microtask
 * queue for each of its parts.
 */
export type Flow<T> = Generator<Promise<unknown>, T, unknown>;

export function* waitFor<T>(value: MaybePromise<T>): Flow<T> {
  return value instanceof Promise ? ((yield value) as T) : value;
}

/** Runs the work, synchronously until it first has to wait. Throws synchronously, too. */
export function runFlow<T>(flow: Flow<T>): MaybePromise<T> {
  const step = flow.next();
  return step.done === true ? step.value : continueFlow(flow, step.value);
}

async function continueFlow<T>(flow: Flow<T>, first: Promise<unknown>): Promise<T> {
  let waited = first;
  for (;;) {
    const step = await waited.then(
      (value) => flow.next(value),
      (error: unknown) => flow.throw(error),
    );
    if (step.done === true) return step.value;
    waited = step.value;
  }
}

/** Runs all at once; throws the first error in argument order, not in time. */
export async function runAllFlows<T>(flows: readonly Flow<T>[]): Promise<T[]> {
  const settled = await Promise.allSettled(flows.map(async (flow) => runFlow(flow)));
  return settled.map((one) => {
    if (one.status === 'rejected') throw one.reason;
    return one.value;
  });
}
