/** Runs work under a name, or waits for work of that name that another caller has requested. */
export type ShareNext<T> = (name: string, work: () => Promise<T>) => Promise<T>;

/** The time (ms) after which a read is no longer counted. */
const stuckMs = 250;

interface RunningRead {
  /** The time at which it began (monotonic ms). */
  since: number;
}

interface SharedWork<T> {
  readonly now: Promise<T>;
  next: Promise<T> | undefined;
  /** The work that all callers waiting for the next run share. */
  work: () => Promise<T>;
}

/**
 * Shares expensive reads. Only one read of each name runs at a time. Callers that arrive meanwhile share the
 * next one, so that no one gets data from before the request. At most `most` reads run at once; the others
 * wait in order. Without it, 50 viewers of one run of 50 people wait 1.4 times as long. A read that lasts longer
 * than `stuckMs` waits for a server that is away, and holds up no others. `monotonic`: a clock in ms.
 */
export function createReadSharer<T>(most: number, monotonic: () => number): ShareNext<T> {
  const lines = new Map<string, SharedWork<T>>();
  const waiting: {readonly read: RunningRead; readonly begin: () => void}[] = [];
  const underWay = new Set<RunningRead>();

  function countRoom(): number {
    const stuckSince = monotonic() - stuckMs;
    return Math.max(0, most - [...underWay].filter(({since}) => since > stuckSince).length);
  }

  function beginWaiting(): void {
    for (const {read, begin} of waiting.splice(0, countRoom())) {
      read.since = monotonic();
      underWay.add(read);
      begin();
    }
  }

  async function runWork(work: () => Promise<T>): Promise<T> {
    const read = {since: monotonic()};
    beginWaiting();
    if (countRoom() > 0) underWay.add(read);
    else await new Promise<void>((begin) => void waiting.push({read, begin}));
    try {
      return await work();
    } finally {
      underWay.delete(read);
      beginWaiting();
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
    // The most recent caller has the most time left.
    line.work = work;
    const after = (): Promise<T> => beginRead(name, line.work);
    return (line.next ??= line.now.then(after, after));
  };
}
