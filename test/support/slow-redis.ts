import {createServer, connect, type Server, type Socket} from 'node:net';
import type {AddressInfo} from 'node:net';

/** A proxy to a real Redis that delays, holds or drops replies; replies of a connection keep their order. */
export interface SlowRedis {
  /** The address of the Redis behind it, with this server's host and port. */
  readonly url: string;
  /** Delays replies by this time (ms) from now on. Replies in progress keep their time. */
  delay(ms: number): void;
  /**
   * Holds replies until `release`, which lets everything through at once. Commands still reach Redis, unless
   * they are held too.
   */
  hold(what?: 'replies' | 'everything'): void;
  release(): void;
  /** Directs new connections to the Redis of this address; existing ones stay. */
  lead(redisUrl: string): void;
  /** Connections accepted so far. */
  readonly connected: () => number;
  /** Ends every connection, and each new one at once, until `mend`. */
  cut(): void;
  mend(): void;
  /** Replies (chunks of them) in progress, and held commands. */
  readonly waiting: () => number;
  close(): Promise<void>;
}

interface DelayedChunk {
  readonly bytes: Buffer;
  /** Monotonic ms. */
  readonly due: number;
}

/** A proxy between a client and the Redis of `redisUrl`. */
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
    const line = createLine(client, redis, {delayMs: () => delayMs, held: () => held});
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
  /** Lets through everything that waits, at any due time. */
  flush(): void;
  waiting(): number;
  end(): void;
  readonly ended: Promise<void>;
}

function createLine(
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
    // A reply never overtakes one before it, which may have a longer delay.
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
