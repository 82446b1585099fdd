/** Runs work as soon as a place is free. */
export type LimitWork = <T>(work: () => Promise<T>) => Promise<T>;

/** Limits expensive work: at most `most` pieces run at once, and the others wait in order. */
export function createWorkLimit(most: number): LimitWork {
  const waiting: (() => void)[] = [];
  let underWay = 0;

  return async (work) => {
    if (underWay >= most) await new Promise<void>((resolve) => void waiting.push(resolve));
    else underWay += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) underWay -= 1;
      else next();
    }
  };
}
