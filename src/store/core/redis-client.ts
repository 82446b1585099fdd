import {once} from 'node:events';
import net from 'node:net';
import {createClient} from '@redis/client';
import {needsOperatorAction} from './start-causes.js';

export interface ClientOptions {
  readonly url: string;
  readonly tlsVerify: boolean;
  readonly onError: (error: Error) => void;
  /** True for the queue: BullMQ blocks, and its commands must wait while the server is unavailable. */
  readonly forQueue?: boolean;
  /** False: a client that has lost its connection stays closed. */
  readonly reconnects?: boolean;
}

export type RedisClient = ReturnType<typeof createRedisClient>;

/**
 * A client that never connects. node-redis generates a class with all commands (45 ms) for each new
 * combination of settings, which copies of this client share.
 */
const pattern = createClient({RESP: 2});

/** Creates a node-redis client that is not yet connected. Its settings come from our measurements. */
export function createRedisClient({
  url,
  tlsVerify,
  onError,
  forQueue = false,
  reconnects = true,
}: ClientOptions) {
  const {socket, ...settings} = createClientSettings({tls: url.startsWith('rediss:'), tlsVerify, forQueue});
  const client = pattern.duplicate({
    url,
    ...settings,
    // An AbortSignal for each command would cost a quarter of the throughput, and has no effect after the
    // command is sent. See deadlines.ts.
    commandOptions: {timeout: 0},
    socket: {...socket, ...(!reconnects && {reconnectStrategy: false as const})},
  });
  client.on('error', onError);
  return destroyIfClosedWhileConnecting(client);
}

/** Returns the settings of a client, also of those to the nodes of a cluster. */
export function createClientSettings({
  tls,
  tlsVerify,
  forQueue = false,
}: {
  readonly tls: boolean;
  readonly tlsVerify: boolean;
  readonly forQueue?: boolean;
}) {
  return {
    disableOfflineQueue: !forQueue,
    ...(forQueue ? {} : {pingInterval: 2_000}),
    socket: {
      connectTimeout: 2_000,
      ...(forQueue ? {} : {socketTimeout: 8_000}),
      reconnectStrategy: (retries: number) => Math.min(50 * 2 ** Math.min(retries, 4), 500),
      ...(tls ? {tls: true as const, rejectUnauthorized: tlsVerify} : {}),
    },
  };
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

/** Opens a client within some time (ms). */
export async function openClient(options: ClientOptions, withinMs: number): Promise<RedisClient> {
  const client = createRedisClient(options);
  try {
    await connectWithin(client, withinMs);
  } catch (error) {
    const {protocol, hostname, port} = new URL(options.url);
    const isClosed = /Socket closed unexpectedly/.test(String(error)) && protocol === 'redis:';
    const refusal = isClosed ? await readRefusal(hostname, Number(port || 6_379)) : undefined;
    throw refusal === undefined ? error : new Error(refusal, {cause: error});
  }
  return client;
}

const greetingMs = 500;

/**
 * Returns the error with which a server ends each new connection, such as DENIED. node-redis drops it, since
 * it answers no command.
 */
async function readRefusal(hostname: string, port: number): Promise<string | undefined> {
  const socket = net.connect(port, hostname.replace(/^\[(.*)\]$/, '$1'));
  try {
    const said: unknown[] = await once(socket, 'data', {signal: AbortSignal.timeout(greetingMs)});
    return /^-([A-Z]+ .*)\r\n/.exec(String(said[0]))?.[1];
  } catch {
    return undefined;
  } finally {
    socket.destroy();
  }
}

/** Sends one command on a connection of its own, within some time (ms) for each of both. */
export async function askServer<T>(
  {url, tlsVerify}: Pick<ClientOptions, 'url' | 'tlsVerify'>,
  args: readonly string[],
  ms: number,
): Promise<T> {
  const client = await openClient({url, tlsVerify, onError: () => undefined}, ms);
  try {
    return (await within(client.sendCommand(args), ms)) as T;
  } finally {
    client.destroy();
  }
}

/** Rejects if a promise is not settled within some time (ms). */
export async function within<T>(promise: Promise<T>, ms: number): Promise<T> {
  const {promise: late, reject} = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('no answer')), ms);
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/** Connects with a time limit. node-redis would retry forever, even with a wrong password. */
export async function connectWithin(
  client: {
    readonly connect: () => Promise<unknown>;
    readonly destroy: () => void;
    readonly on: (event: 'error', listener: (error: Error) => void) => unknown;
  },
  ms: number,
): Promise<void> {
  let lastError: Error | undefined;
  const refused = new Promise<never>((_, reject) => {
    client.on('error', (error) => {
      lastError = error;
      if (needsOperatorAction(error)) reject(error);
    });
  });
  try {
    await within(Promise.race([client.connect(), refused]), ms);
  } catch (error) {
    client.destroy();
    throw lastError ?? error;
  }
}

/** Closes a client after its calls in progress. */
export async function closeClient(client: {
  readonly isReady: boolean;
  readonly isOpen: boolean;
  readonly close: () => Promise<unknown> | void;
  readonly destroy: () => void;
}): Promise<void> {
  if (!client.isOpen) return;
  if (!client.isReady) return client.destroy();
  await Promise.race([client.close(), new Promise((resolve) => setTimeout(resolve, 2_000).unref())]);
  if (client.isOpen) client.destroy();
}
