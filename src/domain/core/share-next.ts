/** Does some work under a name, or shares what others have asked for. */
export type ShareNext<T> = (name: string, work: () => Promise<T>) => Promise<T>;

interface Line<T> {
  readonly now: Promise<T>;
  next: Promise<T> | undefined;
  /** Of those who share the next. */
  work: () => Promise<T>;
}

/**
 * For reads that cost much. Of each name one is under way; all who ask meanwhile share the next, so that
 * nobody is shown what was read before they asked. So many are under way at once, others wait in their order:
 * a few that end in time are better than all that end too late.
 */
export function createShareNext<T>(most: number): ShareNext<T> {
  const lines = new Map<string, Line<T>>();
  const waiting: (() => void)[] = [];
  let underWay = 0;

  async function run(work: () => Promise<T>): Promise<T> {
    if (underWay >= most) await new Promise<void>((resolve) => void waiting.push(resolve));
    else underWay += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) underWay -= 1;
      else next();
    }
  }

  function begin(name: string, work: () => Promise<T>): Promise<T> {
    const line: Line<T> = {now: run(work), next: undefined, work};
    lines.set(name, line);
    const end = (): void => void (line.next === undefined && lines.delete(name));
    line.now.then(end, end);
    return line.now;
  }

  return (name, work) => {
    const line = lines.get(name);
    if (line === undefined) return begin(name, work);
    // Whoever came last has the most time left for it.
    line.work = work;
    const after = (): Promise<T> => begin(name, line.work);
    return (line.next ??= line.now.then(after, after));
  };
}
