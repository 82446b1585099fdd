/** A value that is available now, or a promise of it. */
export type MaybePromise<T> = T | Promise<T>;

/**
 * A function that waits only where it has to. It reads like an async function, with `yield* waitFor(…)` in place
 * of `await`. If all data is in memory it finishes synchronously; an async function would cost one microtask
 * tick for each part.
 */
export type Flow<T> = Generator<Promise<unknown>, T, unknown>;

export function* waitFor<T>(value: MaybePromise<T>): Flow<T> {
  return value instanceof Promise ? ((yield value) as T) : value;
}

/** Runs a flow, synchronously until it first has to wait. Errors are thrown synchronously too. */
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

/**
 * Runs all flows in parallel. If several fail, throws the error of the flow that comes first in the list,
 * even if another one failed earlier.
 */
export async function runAllFlows<T>(flows: readonly Flow<T>[]): Promise<T[]> {
  const settled = await Promise.allSettled(flows.map(async (flow) => runFlow(flow)));
  return settled.map((one) => {
    if (one.status === 'rejected') throw one.reason;
    return one.value;
  });
}
