/** Does some work under a name, or shares the work that others have asked for. */
export type ShareNext<T> = (name: string, work: () => Promise<T>) => Promise<T>;

interface SharedWork<T> {
  readonly now: Promise<T>;
  next: Promise<T> | undefined;
  /** The work of the callers that share the next run. */
  work: () => Promise<T>;
}

/**
 * For expensive reads. One read of each name is under way; callers that ask meanwhile share the next, so that
 * none gets data read before it asked. At most `most` are under way at once, and others wait in order: a few
 * that end in time are better than all that end too late.
 */
export function createReadSharer<T>(most: number): ShareNext<T> {
  const lines = new Map<string, SharedWork<T>>();
  const waiting: (() => void)[] = [];
  let underWay = 0;

  async function runWork(work: () => Promise<T>): Promise<T> {
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

  function beginRead(name: string, work: () => Promise<T>): Promise<T> {
    const line: SharedWork<T> = {now: runWork(work), next: undefined, work};
    lines.set(name, line);
    const end = (): void => void (line.next === undefined && lines.delete(name));
    line.now.then(end, end);
    return line.now;
  }

  return (name, work) => {
    const line = lines.get(name);
    if (line === undefined) return beginRead(name, work);
    // The last caller has the most time left for it.
    line.work = work;
    const after = (): Promise<T> => beginRead(name, line.work);
    return (line.next ??= line.now.then(after, after));
  };
}
