import {createNodeRedisClient, Queue, Worker} from 'bullmq';
import {deadlines} from '../domain/core/limits.js';
import type {Log} from '../domain/core/log.js';
import {parseWork, waitsForSlack, type Work, workName} from '../domain/core/work.js';
import type {Id} from '../domain/core/ids.js';

/** A separate raw node-redis client for the queue; only `store/` can create one. */
export type RawClient = Parameters<typeof createNodeRedisClient>[0] & {
  isReady?: boolean;
  isOpen?: boolean;
  sendCommand: (args: string[]) => Promise<unknown>;
  connect: () => Promise<unknown>;
  duplicate: () => RawClient;
  destroy: () => void;
};

type RunWork = (workspace: Id<'workspace'>, work: Work) => Promise<void>;

/**
 * Requests slices of work from any worker. One requested twice runs once; one requested while it runs, once
 * more.
 */
export interface WorkQueue {
  /** Never rejects and never waits: the scheduler finds a slice that cannot be queued. */
  add: (workspace: Id<'workspace'>, work: Work, overdue?: boolean) => void;
  readonly available: () => boolean;
  /** Starts to take slices out of the queue; those that wait for Slack only where this process serves it. */
  work: (run: RunWork, options: {readonly slack: boolean}) => void;
  /** Ends the client too. */
  close: () => Promise<void>;
}

/** `counts`: undefined when the queue does not answer. */
export interface QueueCounts {
  readonly name: string;
  readonly counts: Readonly<Record<'waiting' | 'active' | 'delayed' | 'failed', number>> | undefined;
}

interface QueuedWork {
  readonly workspace: Id<'workspace'>;
  readonly work: string;
}

/**
 * Slices that wait for Slack have a queue of their own: they hold its slots for seconds, and others would
 * wait behind them. `standup jobs` shows the names.
 */
const queueNames = {turns: 'turns', slack: 'turns-slack'} as const;
type QueueName = keyof typeof queueNames;
/** One hash tag, so that the queue's keys stay together. */
const prefix = '{standup-queue}';
/**
 * Far more than the gate admits, since the gate can only order the slices that it sees. For Slack fewer:
 * direct slices show it some of each workspace, and each slot is held for seconds.
 */
const concurrency = {turns: 500, slack: 32} as const;
const answerLimitMs = 1_000;
/** The number of consecutive errors, with nothing else running, after which a worker is restarted. */
const errorsAtOnce = 50;
const restartMs = 1_000;
/** A queue that has refused a slice, as a full one does, counts as unavailable for this long (ms). */
const refusedForMs = 1_000;
/** The server is a replica now. Another one may have its address, which only a new connection finds. */
const isReplica = /^(READONLY|MASTERDOWN|UNBLOCKED)/;

type Adapter = ReturnType<typeof createNodeRedisClient>;

/**
 * BullMQ removes its listeners from a connection, and from its duplicates, when it closes them. A later
 * error, as when Redis becomes unavailable too, would have no listener and end the process.
 */
function ignoreConnectionErrors(connection: Adapter): Adapter {
  const duplicate = connection.duplicate.bind(connection);
  connection.on('error', () => undefined);
  connection.duplicate = (...given: unknown[]) => ignoreConnectionErrors(duplicate(...given));
  return connection;
}

/**
 * Runs slices through BullMQ. A job carries no important data and is never retried: whatever happens to it,
 * the work stays in the store and the scheduler requests another slice. A slice goes through the queue when
 * the requesting process runs none, or has the maximum of direct ones, and when a slice leaves work
 * (docs/decisions/0003).
 */
export function createWorkQueue({client, log}: {client: RawClient; log: Log}): WorkQueue {
  let keepDuplicate = (_made: RawClient): void => undefined;
  const duplicate = client.duplicate.bind(client);
  client.duplicate = () => {
    const made = duplicate();
    keepDuplicate(made);
    return made;
  };
  const connection = ignoreConnectionErrors(createNodeRedisClient(client));
  const queues = {turns: openQueue('turns'), slack: openQueue('slack')};
  /** Adds in progress, oldest first, with their start. */
  const adding = new Map<string, number>();
  const workers = new Map<QueueName, RunningWorker>();
  const restarting = new Map<QueueName, NodeJS.Timeout>();
  let closed = false;
  let refusedUntil = 0;

  function openQueue(name: QueueName): Queue<QueuedWork> {
    const queue = new Queue<QueuedWork>(queueNames[name], {connection, prefix});
    queue.on('error', (error) => log.debug({reason: error.message}, 'the queue is unavailable'));
    return queue;
  }

  /**
   * A worker whose connection is lost for good asks for jobs over and over, and blocks all other work. One
   * whose server is a replica now gets none. Another worker replaces it.
   */
  function restartWorker(name: QueueName, replaced: RunningWorker, run: RunWork): void {
    void endWorker(replaced, true);
    if (closed) return;
    clearTimeout(restarting.get(name));
    restarting.set(name, setTimeout(startWorker, restartMs, name, run));
  }

  /** Ends the connection; the client opens another. */
  function reconnect(): void {
    if (client.isReady === true) client.sendCommand(['QUIT']).catch(() => undefined);
  }

  /**
   * A frozen server keeps its connections: it also counts as unavailable once it has not answered for a
   * while.
   */
  function isAvailable(): boolean {
    const [oldest] = adding.values();
    const isAnswering = oldest === undefined || performance.now() - oldest < answerLimitMs;
    return isAnswering && client.isReady === true && performance.now() >= refusedUntil;
  }

  function startWorker(name: QueueName, run: RunWork): void {
    const connections: RawClient[] = [];
    keepDuplicate = (made) => connections.push(made);
    const worker = new Worker<QueuedWork>(
      queueNames[name],
      async ({data}) => {
        const work = parseWork(data.work);
        if (work !== undefined) await run(data.workspace, work);
      },
      {
        connection,
        prefix,
        concurrency: concurrency[name],
        lockDuration: 5_000,
        stalledInterval: 2_000,
        maxStalledCount: 1_000,
        drainDelay: 5,
      },
    );
    const started = {worker, connections};
    let errors = 0;
    worker.on('error', (error) => {
      log.debug({reason: error.message}, 'the queue is unavailable');
      if (errors === 0) setImmediate(() => (errors = 0));
      errors += 1;
      if (isReplica.test(error.message)) reconnect();
      if (errors === errorsAtOnce || isReplica.test(error.message)) restartWorker(name, started, run);
    });
    workers.set(name, started);
  }

  return {
    available: isAvailable,
    add(workspace, work, overdue = false) {
      const name = workName(work);
      // A dead worker's job holds its de-duplication id for seconds: overdue work uses another one.
      const id = `${workspace}.${name}${overdue ? '.overdue' : ''}`;
      if (adding.has(id) || !isAvailable()) return;
      adding.set(id, performance.now());
      queues[waitsForSlack(work) ? 'slack' : 'turns']
        .add(
          work.kind,
          {workspace, work: name},
          {
            attempts: 1,
            deduplication: {id, keepLastIfActive: true},
            removeOnComplete: true,
            removeOnFail: true,
          },
        )
        .catch((error: unknown) => {
          log.debug({reason: String(error)}, 'could not queue a slice of work');
          refusedUntil = performance.now() + refusedForMs;
          if (error instanceof Error && isReplica.test(error.message)) reconnect();
        })
        .finally(() => adding.delete(id));
    },
    work(run, {slack}) {
      startWorker('turns', run);
      if (slack) startWorker('slack', run);
    },
    async close() {
      closed = true;
      for (const timer of restarting.values()) clearTimeout(timer);
      await Promise.all([
        ...[...workers.values()].map((running) => endWorker(running, !isAvailable())),
        ...Object.values(queues).map((queue) => closeWithTimeout(queue)),
      ]);
      if (client.isOpen !== false) client.destroy();
    },
  };
}

/** `connections`: the duplicates that BullMQ has made for this worker. */
interface RunningWorker {
  readonly worker: Worker<QueuedWork>;
  readonly connections: readonly RawClient[];
}

/** `force`: without waiting for its running slices. BullMQ may reconnect what it has just closed. */
async function endWorker({worker, connections}: RunningWorker, force: boolean): Promise<void> {
  await closeWithTimeout(worker, force);
  for (const one of connections) {
    one.connect = () => Promise.reject(new Error('the worker has ended'));
    if (one.isOpen !== false) one.destroy();
  }
}

/** BullMQ waits forever for an unavailable Redis. */
async function closeWithTimeout(
  one: {close: (force?: boolean) => Promise<void>},
  force?: boolean,
): Promise<void> {
  await resultWithinTimeLimit(one.close(force)).catch(() => undefined);
}

/** Counts the jobs in each queue, and ends the client. A queue that does not answer in time has no counts. */
export async function countQueued(client: RawClient): Promise<QueueCounts[]> {
  const connection = ignoreConnectionErrors(createNodeRedisClient(client));
  const count = async (name: string): Promise<QueueCounts> => {
    // A queue that may write records its version of BullMQ in Redis.
    const queue = new Queue(name, {connection, prefix, skipMetasUpdate: true});
    queue.on('error', () => undefined);
    const counted = queue.getJobCounts('waiting', 'active', 'delayed', 'failed');
    const counts = await resultWithinTimeLimit(counted).catch(() => undefined);
    if (counts === undefined) return {name, counts};
    const {waiting = 0, active = 0, delayed = 0, failed = 0} = counts;
    return {name, counts: {waiting, active, delayed, failed}};
  };
  try {
    return await Promise.all(Object.values(queueNames).map(count));
  } finally {
    if (client.isOpen !== false) client.destroy();
  }
}

/** The result, or undefined once a job's time limit is over. */
async function resultWithinTimeLimit<T>(asked: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const timeouts = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, deadlines.job, undefined);
  });
  try {
    return await Promise.race([asked, timeouts]);
  } finally {
    clearTimeout(timer);
  }
}
