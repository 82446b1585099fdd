import {createClient, ErrorReply} from '@redis/client';
import {callWhenFullScript} from './compiled/lua.js';
import {createCallDeadlines, createUnavailableError} from './deadlines.js';
import {createRedisClock, type RedisClock} from './redis-clock.js';
import {createRenewalWithBackoff} from './renewal.js';
import type {Script} from './script.js';
import {needsOperatorAction, isStoreUnavailableError} from './store-errors.js';
import {AppError} from '../../domain/core/errors.js';

export type RedisReply = string | number | null | RedisReply[];

/**
 * Runs a command that also works on a full store. It must use one key and need almost no memory. Scripts with
 * `flags=allow-oom` work on a full store too; test/rules/full-store.test.ts lists those that do not.
 */
export function callWhenFull<T extends RedisReply = RedisReply>(
  {run}: Pick<RedisConnection, 'run'>,
  deadline: number,
  [command, key, ...args]: readonly [command: string, key: string, ...args: string[]],
): Promise<T> {
  return run<T>(deadline, callWhenFullScript, [key], [command, ...args]);
}

/** Sends commands and scripts, each with a time limit (monotonic ms). Each failure is an `AppError` or a bug. */
export interface RedisCommands {
  call: <T extends RedisReply = RedisReply>(deadline: number, args: readonly string[]) => Promise<T>;
  run: <T extends RedisReply = RedisReply>(
    deadline: number,
    script: Script,
    keys: readonly string[],
    args: readonly string[],
  ) => Promise<T>;
}

/** The connection to Redis. */
export interface RedisConnection extends RedisCommands {
  /** Records an error that a script has caught itself. An empty text means no error. */
  noteRefusal: (message: string) => void;
  readonly clock: RedisClock;
  readonly connected: () => boolean;
  close: () => Promise<void>;
}

export interface ConnectionOptions {
  readonly url: string;
  readonly tlsVerify: boolean;
  readonly onError: (error: Error) => void;
  /** The time limit of the first connection, in ms. */
  readonly connectWithin?: number;
}

export interface ClientOptions extends Omit<ConnectionOptions, 'connectWithin'> {
  /** True for the queue: BullMQ blocks, and its commands must wait while the server is unavailable. */
  readonly forQueue?: boolean;
}

/**
 * A client that never connects. node-redis generates a class with all commands (45 ms) for each new
 * combination of settings, which copies of this client share.
 */
const pattern = createClient({RESP: 2});

/** Creates a node-redis client that is not yet connected. Its settings come from our measurements. */
export function createRedisClient({url, tlsVerify, onError, forQueue = false}: ClientOptions) {
  const client = pattern.duplicate({
    url,
    disableOfflineQueue: !forQueue,
    // An AbortSignal for each command would cost a quarter of the throughput, and has no effect after the
    // command is sent. See deadlines.ts.
    commandOptions: {timeout: 0},
    ...(forQueue ? {} : {pingInterval: 2_000}),
    socket: {
      connectTimeout: 2_000,
      ...(forQueue ? {} : {socketTimeout: 8_000}),
      reconnectStrategy: (retries: number) => Math.min(50 * 2 ** Math.min(retries, 4), 500),
      ...(url.startsWith('rediss:') ? {tls: true as const, rejectUnauthorized: tlsVerify} : {}),
    },
  });
  client.on('error', onError);
  return destroyIfClosedWhileConnecting(client);
}

/** Closes a socket that node-redis opens although the client was closed in the meantime, also for copies. */
function destroyIfClosedWhileConnecting(client: typeof pattern): typeof pattern {
  client.on('connect', () => {
    if (!client.isOpen) client.destroy();
  });
  const duplicate = client.duplicate.bind(client) as (...given: unknown[]) => typeof pattern;
  return Object.assign(client, {
    duplicate: (...given: unknown[]) => destroyIfClosedWhileConnecting(duplicate(...given)),
  });
}

/** Connects, and reads the time of Redis once. Errors: an `Error` with one sentence for the operator. */
export async function openConnection(options: ConnectionOptions): Promise<RedisConnection> {
  let client = await openClient(options);
  const deadlines = createCallDeadlines();
  const clock = createRedisClock({monotonic: () => performance.now(), wall: Date.now});
  const renew = createRenewalWithBackoff(async () => {
    const next = await openClient({...options, connectWithin: 2_000});
    const previous = client;
    client = next;
    await closeClient(previous);
  });

  /** Converts a failure into an `AppError`. */
  async function throwAppError(error: unknown): Promise<never> {
    if (error instanceof ErrorReply) connection.noteRefusal(error.message);
    throw convertToAppError(error);
  }

  const connection: RedisConnection = {
    call: (deadline, args) => deadlines.race(client.sendCommand(args), deadline, throwAppError) as never,
    run(deadline, {sha, source}, keys, args) {
      const work = client.sendCommand(['EVALSHA', sha, String(keys.length), ...keys, ...args]);
      return deadlines.race(work, deadline, async (error) => {
        const forgotten = error instanceof ErrorReply && error.message.startsWith('NOSCRIPT');
        if (!forgotten) return throwAppError(error);
        return client
          .sendCommand(['EVAL', source, String(keys.length), ...keys, ...args])
          .catch(throwAppError);
      }) as never;
    },
    noteRefusal: (message) => {
      if (isReplicaError(message)) renew();
    },
    clock,
    connected: () => client.isReady,
    async close() {
      await renew.close();
      deadlines.close();
      await closeClient(client);
    },
  };
  try {
    clock.observe(await readRedisTime(connection));
  } catch (error) {
    await connection.close();
    throw error;
  }
  return connection;
}

type RedisClient = ReturnType<typeof createRedisClient>;

async function openClient(options: ConnectionOptions): Promise<RedisClient> {
  let lastError: Error | undefined;
  const client = createRedisClient({
    ...options,
    onError: (error) => {
      lastError = error;
      options.onError(error);
    },
  });
  await connectWithTimeout(client, options.connectWithin ?? 5_000, () => lastError);
  return client;
}

/** Closes a client after its calls in progress. */
async function closeClient(client: RedisClient): Promise<void> {
  if (!client.isReady) return client.destroy();
  await Promise.race([client.close(), new Promise((resolve) => setTimeout(resolve, 2_000).unref())]);
  if (client.isOpen) client.destroy();
}

async function readRedisTime(connection: RedisConnection): Promise<number> {
  const [seconds, micros] = await connection.call<string[]>(performance.now() + 2_000, ['TIME']);
  return Number(seconds) * 1_000 + Math.floor(Number(micros) / 1_000);
}

/** Connects with a time limit. node-redis would retry forever, even with a wrong password. */
async function connectWithTimeout(
  client: ReturnType<typeof createRedisClient>,
  ms: number,
  lastError: () => Error | undefined,
): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(lastError() ?? new Error('no answer')), ms);
  });
  const refused = new Promise<never>((_, reject) => {
    client.on('error', (error: Error) => {
      if (needsOperatorAction(error)) reject(error);
    });
  });
  try {
    await Promise.race([client.connect(), late, refused]);
  } catch (error) {
    client.destroy();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** True if the server became a replica. Only a new connection finds the server that took its address. */
function isReplicaError(message: string): boolean {
  return /^(READONLY|MASTERDOWN|UNBLOCKED)/.test(message);
}

function convertToAppError(error: unknown): unknown {
  if (error instanceof AppError) return error;
  if (!(error instanceof ErrorReply)) return createUnavailableError('The store cannot be reached.', error);
  if (error.message.startsWith('OOM')) {
    return new AppError('storage_full', 'The store is full; reading and deleting still work.', {
      cause: error,
    });
  }
  if (isStoreUnavailableError(error))
    return createUnavailableError('The store cannot serve at the moment.', error);
  return error;
}
