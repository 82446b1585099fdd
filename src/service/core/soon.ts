/** Something that is there already, or will be. */
export type Soon<T> = T | Promise<T>;

/**
 * Work that waits only where it has to. It reads as an async function does, with `yield* when(…)` for `await`; but made of what is in
 * memory it is done within the very call, where an async function would cost a turn of the event loop's queue for each of its parts.
 */
export type Flow<T> = Generator<Promise<unknown>, T, unknown>;

export function* when<T>(soon: Soon<T>): Flow<T> {
  return soon instanceof Promise ? ((yield soon) as T) : soon;
}

/** Does the work: at once as far as nothing has to be waited for. Throws at once, too. */
export function follow<T>(flow: Flow<T>): Soon<T> {
  const step = flow.next();
  return step.done === true ? step.value : goOn(flow, step.value);
}

async function goOn<T>(flow: Flow<T>, first: Promise<unknown>): Promise<T> {
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

/** All at once; the first refusal in their order, whichever comes first in time. */
export async function inOrder<T>(flows: readonly Flow<T>[]): Promise<T[]> {
  const settled = await Promise.allSettled(flows.map(async (flow) => follow(flow)));
  return settled.map((one) => {
    if (one.status === 'rejected') throw one.reason;
    return one.value;
  });
}
