import {createServer, connect, type Server, type Socket} from 'node:net';
import type {AddressInfo} from 'node:net';

/**
 * A proxy to a real Redis that delays, holds or drops replies. Replies of one connection keep their order.
 */
export interface SlowRedis {
  /** Address of the real Redis, but with the proxy's host and port. */
  readonly url: string;
  /** From now on delays replies by this time (ms). Replies in progress keep their delay. */
  delay(ms: number): void;
  /**
   * Holds replies back until `release`, which passes on all of them at once. Commands still reach Redis,
   * unless `everything` is held back.
   */
  hold(what?: 'replies' | 'everything'): void;
  release(): void;
  /** Directs new connections to the Redis at this address; existing connections stay. */
  lead(redisUrl: string): void;
  /** Number of connections accepted so far. */
  readonly connected: () => number;
  /** Ends every connection, and each new one at once, until `mend` is called. */
  cut(): void;
  mend(): void;
  /** Number of reply chunks that are still to be passed on, plus the number of commands held back. */
  readonly waiting: () => number;
  close(): Promise<void>;
}

interface DelayedChunk {
  readonly bytes: Buffer;
  /** Time at which the proxy passes the reply on, in ms of a monotonic clock. */
  readonly due: number;
}

/** Starts a proxy between a client and the Redis at `redisUrl`. */
export async function startSlowRedis(redisUrl: string): Promise<SlowRedis> {
  let target = new URL(redisUrl);
  const lines = new Set<DelayLine>();
  let delayMs = 0;
  let held: 'replies' | 'everything' | undefined;
  let isCut = false;
  let connected = 0;

  const server = createServer({noDelay: true}, (client) => {
    connected += 1;
    if (isCut) return void client.destroy();
    const redis = connect({port: Number(target.port || 6379), host: target.hostname, noDelay: true});
    const line = createDelayLine(client, redis, {delayMs: () => delayMs, held: () => held});
    lines.add(line);
    void line.ended.then(() => lines.delete(line));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(redisUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);

  return {
    url: url.href,
    delay: (ms) => void (delayMs = ms),
    hold: (what = 'replies') => void (held = what),
    release() {
      held = undefined;
      for (const line of lines) line.flush();
    },
    lead: (to) => void (target = new URL(to)),
    connected: () => connected,
    cut() {
      isCut = true;
      for (const line of lines) line.end();
    },
    mend: () => void (isCut = false),
    waiting: () => [...lines].reduce((sum, line) => sum + line.waiting(), 0),
    async close() {
      for (const line of lines) line.end();
      await closeServer(server);
    },
  };
}

interface DelayLine {
  /** Passes on everything that waits, even if its delay is not over. */
  flush(): void;
  waiting(): number;
  end(): void;
  readonly ended: Promise<void>;
}

function createDelayLine(
  client: Socket,
  redis: Socket,
  rule: {readonly delayMs: () => number; readonly held: () => 'replies' | 'everything' | undefined},
): DelayLine {
  const queue: DelayedChunk[] = [];
  const commands: Buffer[] = [];
  let timer: NodeJS.Timeout | undefined;
  let resolve = (): void => undefined;
  const ended = new Promise<void>((done) => (resolve = done));

  function flush(): void {
    for (const bytes of commands.splice(0)) redis.write(bytes);
    for (const {bytes} of queue.splice(0)) client.write(bytes);
  }

  function passDueChunks(): void {
    clearTimeout(timer);
    timer = undefined;
    while (rule.held() === undefined && queue[0] !== undefined && queue[0].due <= performance.now()) {
      client.write((queue.shift() as DelayedChunk).bytes);
    }
    const [next] = queue;
    if (next !== undefined && rule.held() === undefined)
      timer = setTimeout(passDueChunks, Math.ceil(next.due - performance.now()));
  }

  function endConnection(): void {
    clearTimeout(timer);
    queue.length = 0;
    commands.length = 0;
    client.destroy();
    redis.destroy();
    resolve();
  }

  client.on('data', (bytes) => {
    if (rule.held() === 'everything') commands.push(bytes);
    else redis.write(bytes);
  });
  redis.on('data', (bytes) => {
    // A reply never overtakes an earlier reply, which may have a longer delay.
    const due = Math.max(performance.now() + rule.delayMs(), queue.at(-1)?.due ?? 0);
    queue.push({bytes, due});
    passDueChunks();
  });
  for (const socket of [client, redis]) socket.on('error', endConnection).on('close', endConnection);
  return {flush, waiting: () => queue.length + commands.length, end: endConnection, ended};
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => void server.close(() => resolve()));
}
