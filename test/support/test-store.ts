import {sendToRedis} from '../../scripts/redis-protocol.mjs';
import {startTestRedis, type TestRedis, type TestRedisOptions, testRedisUrl} from './redis-server.js';
import {startStoreServers, type StoreKind, storeKinds} from './store-kinds.js';

/** The kind of store that `npm run faults -- --store KIND` asks for. */
const chosen = storeKinds.find((kind) => kind === process.env['FAULT_STORE']);
/** The kinds for what `npm test` tries on each kind: all, or the one of `--store`. */
export const eachStore: readonly StoreKind[] = chosen === undefined ? storeKinds : [chosen];

/** A store for a service that is killed, or whose store is: one Redis, Sentinels or a cluster. */
export interface TestStore {
  readonly kind: StoreKind;
  /** The address for REDIS_URL. */
  readonly url: string;
  /** The further settings for a service on this store. */
  readonly env: Readonly<Record<string, string>>;
  /** All servers that keep data. None if the store is a database of the Redis of the test run. */
  readonly servers: readonly TestRedis[];
  /** Returns the server that is the master for a key now. */
  masterOf(key: string): Promise<TestRedis>;
  /** Sends commands, which all use keys in the slot of `key`, to the master for it. */
  send(key: string, commands: readonly (readonly (string | number)[])[]): Promise<unknown[]>;
  /** Kills all servers with `kill -9`. */
  kill(): Promise<void>;
  /** Starts the servers that were killed, and thaws those that were frozen. */
  restart(): Promise<void>;
  freeze(): void;
  thaw(): void;
  /** Waits until each master has a replica, and all have their data on disk. The next kill then loses nothing. */
  waitForReplicas(): Promise<void>;
  stop(): Promise<void>;
}

interface TestStoreOptions {
  /** The kind; default: that of `--store`, else one Redis. */
  readonly kind?: StoreKind;
  /**
   * True: one Redis need not be a server of its own, since no test stops it. It is a database of the Redis of
   * the test run.
   */
  readonly shared?: boolean;
  /** When one Redis of its own writes to disk; default: at every change. */
  readonly appendfsync?: TestRedisOptions['appendfsync'];
}

/** Starts a store. One Redis has the queue, too. */
export async function startTestStore({
  kind = chosen ?? 'single',
  shared = false,
  appendfsync = 'always',
}: TestStoreOptions = {}): Promise<TestStore> {
  if (kind === 'single' && shared) {
    const url = await testRedisUrl();
    return createTestStore({kind, url, servers: [], stop: async () => undefined});
  }
  if (kind === 'single') {
    const redis = await startTestRedis({appendfsync});
    return createTestStore({kind, url: redis.url, servers: [redis], stop: redis.stop});
  }
  // Otherwise a master that is restarted while the Sentinels replace it takes writes that are lost.
  const settings = kind === 'sentinel' ? ['min-replicas-to-write 1'] : [];
  return createTestStore(await startStoreServers(kind, {settings}));
}

type StartedStore = Pick<TestStore, 'kind' | 'url' | 'servers' | 'stop'> &
  Partial<Pick<TestStore, 'env' | 'masterOf' | 'waitForReplicas'>>;

function createTestStore({
  servers,
  url,
  masterOf = async () => {
    if (servers[0] === undefined) throw new Error('this store shares a Redis, which is not to be stopped');
    return servers[0];
  },
  ...started
}: StartedStore): TestStore {
  async function forAll(act: (server: TestRedis) => unknown): Promise<void> {
    await Promise.all(servers.map(act));
  }

  return {
    ...started,
    env: started.env ?? {},
    url,
    servers,
    masterOf,
    async send(key, commands) {
      return sendToRedis(servers.length === 0 ? url : (await masterOf(key)).url, commands);
    },
    kill: () => forAll((server) => server.kill()),
    async restart() {
      await forAll((server) => (server.pid() === undefined ? server.restart() : server.thaw()));
    },
    freeze() {
      for (const server of servers) server.freeze();
    },
    thaw() {
      for (const server of servers) server.thaw();
    },
    waitForReplicas: started.waitForReplicas ?? (async () => undefined),
  };
}
