import {createNodeRedisClient, Queue, Worker} from 'bullmq';
import {deadlines} from '../domain/core/limits.js';
import type {Log} from '../domain/core/log.js';
import {parseWorkName, waitsForSlack, type Work, workName} from '../domain/core/work.js';
import type {Id} from '../domain/core/ids.js';

/** A separate node-redis client for the queue. Only `store/` can create one. */
export type RawClient = Parameters<typeof createNodeRedisClient>[0] & {
  isReady?: boolean;
  isOpen?: boolean;
  sendCommand: (args: string[]) => Promise<unknown>;
  connect: () => Promise<unknown>;
  duplicate: () => RawClient;
  destroy: () => void;
};

type RunWork = (workspace: Id<'workspace'>, work: Work) => Promise<void>;

/** Requests time slices of work from any worker. Two requests for the same work cause one or two. */
export type WorkQueue = ReturnType<typeof createWorkQueue>;

/** The counts of a queue's jobs. `counts` is undefined when the queue does not answer. */
export interface QueueCounts {
  readonly name: string;
  readonly counts: Readonly<Record<'waiting' | 'active' | 'delayed' | 'failed', number>> | undefined;
}

interface QueuedWork {
  readonly workspace: Id<'workspace'>;
  readonly work: string;
}

/**
 * The names of the queues in Redis, which `standup-admin jobs` shows. Slack has its own queue, because its work
 * takes seconds and would delay other work.
 */
const queueNames = {turns: 'turns', slack: 'turns-slack'} as const;
type QueueName = keyof typeof queueNames;
/** The prefix of the queue's keys. The hash tag keeps them on one cluster node. */
const prefix = '{standup-queue}';
/** Without a check of its own, since BullMQ cannot recover from a refused INFO. The service checks at its start. */
const skipVersionCheck = true;
/**
 * The number of jobs that a worker takes at the same time. It is far more than the slots, because only jobs
 * that are taken can be ordered fairly. Slack needs fewer, since each slot is held for seconds.
 */
const concurrency = {turns: 500, slack: 32} as const;
const answerLimitMs = 1_000;
/** The number of errors within a second after which a worker is restarted: BullMQ repeats without a pause. */
const errorsInSecond = 50;
/** The pause (ms) before a restart, which doubles up to the longest one while restarts do not help. */
const restartMs = 1_000;
const longestRestartMs = 16_000;
/** The time (ms) without a refused command after which the queue works again. */
const calmMs = 2 * longestRestartMs;
/** The time (ms) for which the queue counts as unavailable after it has refused a job. */
const refusedForMs = 1_000;
/**
 * Matches errors of a Redis server that has become a replica. The address may lead to another server now,
 * which only a new connection finds.
 */
const isReplica = /^(READONLY|MASTERDOWN|UNBLOCKED)/;

type Adapter = ReturnType<typeof createNodeRedisClient>;

/**
 * Keeps an error listener on a connection. BullMQ removes its listeners when it closes, and a later error
 * would then end the process.
 */
function ignoreConnectionErrors(connection: Adapter): Adapter {
  const duplicate = connection.duplicate.bind(connection);
  connection.on('error', () => undefined);
  connection.duplicate = (...given: unknown[]) => ignoreConnectionErrors(duplicate(...given));
  return connection;
}

/**
 * Runs time slices of work through BullMQ. A job has no important data and is never retried: the work stays
 * in the store, and the scheduler requests it again. The queue is used when the requesting process cannot run
 * the work itself, or when work is left after a slice (docs/decisions/0003).
 */
export function createWorkQueue({client, log}: {client: RawClient; log: Log}) {
  let keepDuplicate = (_made: RawClient): void => undefined;
  const duplicate = client.duplicate.bind(client);
  client.duplicate = () => {
    const made = duplicate();
    keepDuplicate(made);
    return made;
  };
  const connection = ignoreConnectionErrors(createNodeRedisClient(client));
  const queues = {turns: openQueue('turns'), slack: openQueue('slack')};
  /** Requests that are being added, oldest first, with their start times. */
  const adding = new Map<string, number>();
  const workers = new Map<QueueName, RunningWorker>();
  const restarting = new Map<QueueName, NodeJS.Timeout>();
  const refusals = createRefusalLog(log);
  let closed = false;
  let refusedUntil = 0;

  function openQueue(name: QueueName): Queue<QueuedWork> {
    const queue = new Queue<QueuedWork>(queueNames[name], {connection, prefix, skipVersionCheck});
    queue.on('error', (error) => refusals.note(error));
    return queue;
  }

  /** Replaces a worker, which after a lost connection would ask without pause, or get no jobs. */
  function restartWorker(name: QueueName, replaced: RunningWorker, run: RunWork): void {
    void endWorker(replaced, true);
    if (closed) return;
    clearTimeout(restarting.get(name));
    restarting.set(name, setTimeout(startWorker, refusals.findPause(), name, run));
  }

  /** Ends the connection, so that the client opens another one. */
  function reconnectQueueClient(): void {
    if (client.isReady === true) client.sendCommand(['QUIT']).catch(() => undefined);
  }

  /** True while the queue answers. A frozen server keeps its connections, and gives no answers. */
  function isQueueAvailable(): boolean {
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
        const work = parseWorkName(data.work);
        if (work !== undefined) await run(data.workspace, work);
      },
      {
        connection,
        prefix,
        skipVersionCheck,
        concurrency: concurrency[name],
        lockDuration: 5_000,
        stalledInterval: 2_000,
        maxStalledCount: 1_000,
        drainDelay: 5,
      },
    );
    const started = {worker, connections};
    let errors = 0;
    let since = Number.NEGATIVE_INFINITY;
    worker.on('error', (error) => {
      refusals.note(error);
      if (performance.now() - since > 1_000) [errors, since] = [0, performance.now()];
      errors += 1;
      if (isReplica.test(error.message)) reconnectQueueClient();
      if (errors === errorsInSecond || isReplica.test(error.message)) restartWorker(name, started, run);
    });
    workers.set(name, started);
  }

  return {
    available: isQueueAvailable,
    /** Adds a request, without waiting or rejecting. If it cannot be queued, the scheduler finds the work. */
    add(workspace: Id<'workspace'>, work: Work, overdue = false): void {
      const name = workName(work);
      // The job of a dead worker keeps its id for some seconds, so overdue work uses another id.
      const id = `${workspace}.${name}${overdue ? '.overdue' : ''}`;
      if (adding.has(id) || !isQueueAvailable()) return;
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
          refusals.note(error);
          refusedUntil = performance.now() + refusedForMs;
          if (error instanceof Error && isReplica.test(error.message)) reconnectQueueClient();
        })
        .finally(() => adding.delete(id));
    },
    /** Starts to run requests from the queue. Requests for Slack only run in a process that serves Slack. */
    work(run: RunWork, {slack}: {readonly slack: boolean}): void {
      startWorker('turns', run);
      if (slack) startWorker('slack', run);
    },
    /** Closes the queue and its client. */
    async close(): Promise<void> {
      closed = true;
      refusals.close();
      for (const timer of restarting.values()) clearTimeout(timer);
      await Promise.all([
        ...[...workers.values()].map((running) => endWorker(running, !isQueueAvailable())),
        ...Object.values(queues).map((queue) => closeWithTimeout(queue)),
      ]);
      if (client.isOpen !== false) client.destroy();
    },
  };
}

/** A reply by which Redis refuses a command, such as NOPERM or OOM. A lost connection has no such word. */
const isRefusal = /^[A-Z]+ /;

/** Logs once that the queue refuses commands, and once that it has done so no more for a while. */
function createRefusalLog(log: Log) {
  let calm: NodeJS.Timeout | undefined;
  let pauseMs = restartMs;
  return {
    /** Returns the pause (ms) before the restart of a worker. */
    findPause(): number {
      if (calm === undefined) return restartMs;
      const found = pauseMs;
      pauseMs = Math.min(2 * pauseMs, longestRestartMs);
      return found;
    },
    note(error: unknown): void {
      const reason = error instanceof Error ? error.message : String(error);
      log.debug({reason}, 'the queue is unavailable');
      if (!isRefusal.test(reason)) return;
      if (calm === undefined) {
        log.warn({reason}, 'the queue refuses commands, so background work comes up to a second late');
      }
      clearTimeout(calm);
      calm = setTimeout(() => {
        calm = undefined;
        pauseMs = restartMs;
        log.info({}, 'the queue takes commands again');
      }, calmMs).unref();
    },
    close: () => clearTimeout(calm),
  };
}

/** A running BullMQ worker. `connections`: the copies of the connection that BullMQ has made for it. */
interface RunningWorker {
  readonly worker: Worker<QueuedWork>;
  readonly connections: readonly RawClient[];
}

/** Ends a worker, with its connections, which BullMQ may open again. `force`: does not wait for jobs. */
async function endWorker({worker, connections}: RunningWorker, force: boolean): Promise<void> {
  await closeWithTimeout(worker, force);
  for (const one of connections) {
    one.connect = () => Promise.reject(new Error('the worker has ended'));
    if (one.isOpen !== false) one.destroy();
  }
}

/** Closes a worker within a time limit, because BullMQ would wait forever for an unavailable Redis. */
async function closeWithTimeout(one: {close: (force?: boolean) => Promise<void>}, force?: boolean) {
  await awaitWithTimeLimit(one.close(force)).catch(() => undefined);
}

/** Counts the jobs in each queue, and closes the client. A queue without an answer has no counts. */
export async function countQueuedJobs(client: RawClient): Promise<QueueCounts[]> {
  const connection = ignoreConnectionErrors(createNodeRedisClient(client));
  const count = async (name: string): Promise<QueueCounts> => {
    // The option prevents the queue from writing its BullMQ version to Redis.
    const queue = new Queue(name, {connection, prefix, skipVersionCheck, skipMetasUpdate: true});
    queue.on('error', () => undefined);
    const counted = queue.getJobCounts('waiting', 'active', 'delayed', 'failed');
    const counts = await awaitWithTimeLimit(counted).catch(() => undefined);
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

/** Waits for a result; undefined if it does not come within the time limit of a job. */
async function awaitWithTimeLimit<T>(asked: Promise<T>): Promise<T | undefined> {
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
