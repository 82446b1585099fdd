import {createNodeRedisClient, Queue, Worker} from 'bullmq';
import {deadlines} from '../domain/core/limits.js';
import type {Log} from '../domain/core/log.js';
import {parseWork, waitsForSlack, type Work, workName} from '../domain/core/work.js';
import type {Id} from '../domain/core/ids.js';

/** A raw node-redis client of its own for the queue; only `store/` knows how to make one. */
export type RawClient = Parameters<typeof createNodeRedisClient>[0] & {
  isReady?: boolean;
  isOpen?: boolean;
  sendCommand: (args: string[]) => Promise<unknown>;
  connect: () => Promise<unknown>;
  duplicate: () => RawClient;
  destroy: () => void;
};

type RunTurn = (workspace: Id<'workspace'>, work: Work) => Promise<void>;

/** Asks any worker for turns. One asked for twice runs once; one asked for while it runs, once more. */
export interface TurnQueue {
  /** Never rejects and never waits: a turn that cannot be queued is found by the pump. */
  add: (workspace: Id<'workspace'>, work: Work, overdue?: boolean) => void;
  readonly available: () => boolean;
  /** Begins to take turns out of the queue; those that wait for Slack only where this process serves it. */
  work: (run: RunTurn, options: {readonly slack: boolean}) => void;
  /** Ends the client too. */
  close: () => Promise<void>;
}

/** `counts`: undefined where nothing is heard of the queue. */
export interface QueueCounts {
  readonly name: string;
  readonly counts: Readonly<Record<'waiting' | 'active' | 'delayed' | 'failed', number>> | undefined;
}

interface TurnData {
  readonly workspace: Id<'workspace'>;
  readonly work: string;
}

/**
 * Turns that wait for Slack have a queue of their own: they hold its places for seconds, and others would
 * stand behind them. `standup jobs` shows the names.
 */
const queueNames = {turns: 'turns', slack: 'turns-slack'} as const;
type QueueName = keyof typeof queueNames;
/** One hash tag, so that the queue's keys stay together. */
const prefix = '{standup-queue}';
/**
 * Far more than the gate lets in: whose turn it is, is decided there, and it can only choose among those that
 * it sees. For Slack it sees some of each workspace by the direct turns, and a place is held for seconds and
 * renewed meanwhile.
 */
const concurrency = {turns: 500, slack: 32} as const;
const answersWithinMs = 1_000;
/** Errors of a worker that follow each other while nothing else runs. */
const errorsAtOnce = 50;
const restartMs = 1_000;
/** A queue that has refused a turn, as a full one does, counts as away for so long. */
const refusedForMs = 1_000;
/** The server is a replica now. Another may have its address, which only a new connection finds. */
const isReplica = /^(READONLY|MASTERDOWN|UNBLOCKED)/;

type Adapter = ReturnType<typeof createNodeRedisClient>;

/**
 * BullMQ stops listening to a connection, and to the duplicates it makes of it, when it closes them. An error
 * that comes after that, since Redis goes away too, would be heard by nobody and end the process.
 */
function hearErrors(connection: Adapter): Adapter {
  const duplicate = connection.duplicate.bind(connection);
  connection.on('error', () => undefined);
  connection.duplicate = (...given: unknown[]) => hearErrors(duplicate(...given));
  return connection;
}

/**
 * Turns through BullMQ. They carry no data that matters and are never retried by the queue: whatever happens
 * to a turn, the work stays in the store and the pump asks for another. A turn goes through the queue when the
 * process that asks runs none, or has as many direct ones as it may, and when a turn leaves work
 * (docs/decisions/0003).
 */
export function createTurnQueue({client, log}: {client: RawClient; log: Log}): TurnQueue {
  let keepDuplicate = (_made: RawClient): void => undefined;
  const duplicate = client.duplicate.bind(client);
  client.duplicate = () => {
    const made = duplicate();
    keepDuplicate(made);
    return made;
  };
  const connection = hearErrors(createNodeRedisClient(client));
  const queues = {turns: openQueue('turns'), slack: openQueue('slack')};
  /** Adds under way, oldest first, and since when. */
  const adding = new Map<string, number>();
  const workers = new Map<QueueName, RunningWorker>();
  const restarting = new Map<QueueName, NodeJS.Timeout>();
  let closed = false;
  let refusedUntil = 0;

  function openQueue(name: QueueName): Queue<TurnData> {
    const queue = new Queue<TurnData>(queueNames[name], {connection, prefix});
    queue.on('error', (error) => log.debug({reason: error.message}, 'the queue is away'));
    return queue;
  }

  /**
   * A worker whose connection is gone for good asks for turns over and over, and leaves nothing else any
   * time. One on a server that is a replica now gets none. Another takes its place.
   */
  function restart(name: QueueName, worn: RunningWorker, run: RunTurn): void {
    void endWorker(worn, true);
    if (closed) return;
    clearTimeout(restarting.get(name));
    restarting.set(name, setTimeout(startWorker, restartMs, name, run));
  }

  /** Ends the connection; the client makes itself another. */
  function reconnect(): void {
    if (client.isReady === true) client.sendCommand(['QUIT']).catch(() => undefined);
  }

  /** A server that is frozen keeps its connections: it is away too once it has not answered for a while. */
  function available(): boolean {
    const [oldest] = adding.values();
    const isAnswering = oldest === undefined || performance.now() - oldest < answersWithinMs;
    return isAnswering && client.isReady === true && performance.now() >= refusedUntil;
  }

  function startWorker(name: QueueName, run: RunTurn): void {
    const connections: RawClient[] = [];
    keepDuplicate = (made) => connections.push(made);
    const worker = new Worker<TurnData>(
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
      log.debug({reason: error.message}, 'the queue is away');
      if (errors === 0) setImmediate(() => (errors = 0));
      errors += 1;
      if (isReplica.test(error.message)) reconnect();
      if (errors === errorsAtOnce || isReplica.test(error.message)) restart(name, started, run);
    });
    workers.set(name, started);
  }

  return {
    available,
    add(workspace, work, overdue = false) {
      const name = workName(work);
      // A dead worker's job holds its de-duplication id for seconds: overdue work asks under another one.
      const id = `${workspace}.${name}${overdue ? '.overdue' : ''}`;
      if (adding.has(id) || !available()) return;
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
          log.debug({reason: String(error)}, 'a turn was not queued');
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
        ...[...workers.values()].map((running) => endWorker(running, !available())),
        ...Object.values(queues).map((queue) => closeInTime(queue)),
      ]);
      if (client.isOpen !== false) client.destroy();
    },
  };
}

/** `connections`: those that BullMQ has made of ours for this worker. */
interface RunningWorker {
  readonly worker: Worker<TurnData>;
  readonly connections: readonly RawClient[];
}

/** `force`: without waiting for the turns that it runs. BullMQ may connect anew what it has just closed. */
async function endWorker({worker, connections}: RunningWorker, force: boolean): Promise<void> {
  await closeInTime(worker, force);
  for (const one of connections) {
    one.connect = () => Promise.reject(new Error('the worker has ended'));
    if (one.isOpen !== false) one.destroy();
  }
}

/** BullMQ waits for ever for a Redis that is away. */
async function closeInTime(one: {close: (force?: boolean) => Promise<void>}, force?: boolean): Promise<void> {
  await inTime(one.close(force)).catch(() => undefined);
}

/** Counts the jobs in each queue, and ends the client. A queue that does not answer in time has no counts. */
export async function countQueued(client: RawClient): Promise<QueueCounts[]> {
  const connection = hearErrors(createNodeRedisClient(client));
  const count = async (name: string): Promise<QueueCounts> => {
    // A queue that may write says in Redis which version of BullMQ it is.
    const queue = new Queue(name, {connection, prefix, skipMetasUpdate: true});
    queue.on('error', () => undefined);
    const counted = queue.getJobCounts('waiting', 'active', 'delayed', 'failed');
    const counts = await inTime(counted).catch(() => undefined);
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

/** The same, or undefined once a job's time is over. */
async function inTime<T>(asked: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, deadlines.job, undefined);
  });
  try {
    return await Promise.race([asked, patience]);
  } finally {
    clearTimeout(timer);
  }
}
