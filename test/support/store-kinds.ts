import {realpath, symlink} from 'node:fs/promises';
import path from 'node:path';
import {sendToRedis} from '../../scripts/redis-protocol.mjs';
import {ensureRedisServer} from '../../scripts/redis-server.mjs';
import {showHost} from '../../src/domain/core/redis-address.js';
import {type SlowRedis, startSlowRedis} from './slow-redis.js';
import {startTestRedis, testRedisUrl, type TestRedis} from './redis-server.js';
import {until} from './until.js';

export const storeKinds = ['single', 'sentinel', 'cluster'] as const;
export type StoreKind = (typeof storeKinds)[number];

/** A store of real servers: one alone, one with a replica and three Sentinels, or a cluster of six. */
export interface TestStoreServers {
  readonly kind: StoreKind;
  /** The address for REDIS_URL. */
  readonly url: string;
  /** REDIS_URL and the settings that belong to it. The queue is in a Redis of its own, which nobody kills. */
  readonly env: Readonly<Record<string, string>>;
  /** All servers that keep data. Tests add one that joins the cluster, and remove one that leaves. */
  readonly servers: TestRedis[];
  /** The proxies through which clients reach the masters; none unless asked for. */
  readonly proxies: readonly SlowRedis[];
  /** Returns the server that is the master for a key now, as a server says that is not down. */
  masterOf(key: string): Promise<TestRedis>;
  /** Waits until each master has a replica, and all have their data on disk. The next kill then loses nothing. */
  waitForReplicas(): Promise<void>;
  stop(): Promise<void>;
}

/** The time (ms) after which a master counts as down. Docs recommend 2 to 5 s. */
const downAfterMs = 2_000;
const masterName = 'standup-master';
const dataSettings = ['repl-diskless-sync-delay 0', 'repl-backlog-size 16mb'];

/** `settings`: more lines of the configuration of the servers that keep data. */
export async function startStoreServers(
  kind: StoreKind,
  {
    isProxied = false,
    settings = [],
  }: {readonly isProxied?: boolean; readonly settings?: readonly string[]} = {},
): Promise<TestStoreServers> {
  if (kind === 'sentinel') return startSentinels(isProxied, settings);
  return kind === 'cluster' ? startCluster(isProxied, settings) : startSingle(isProxied, settings);
}

/** Starts a proxy for each server, if there are to be any. */
async function startProxies(servers: readonly TestRedis[], isProxied: boolean): Promise<SlowRedis[]> {
  return isProxied ? Promise.all(servers.map((server) => startSlowRedis(server.url))) : [];
}

const portOf = ({url}: {readonly url: string}) => new URL(url).port;

async function startSingle(isProxied: boolean, settings: readonly string[]): Promise<TestStoreServers> {
  const redis = await startTestRedis({appendfsync: 'always', settings});
  const proxies = await startProxies([redis], isProxied);
  const {url} = proxies[0] ?? redis;
  return {
    kind: 'single',
    url,
    env: {REDIS_URL: url, QUEUE_REDIS_URL: await testRedisUrl()},
    servers: [redis],
    proxies,
    masterOf: async () => redis,
    waitForReplicas: async () => undefined,
    async stop() {
      for (const proxy of proxies) await proxy.close();
      await redis.stop();
    },
  };
}

async function startSentinels(isProxied: boolean, more: readonly string[]): Promise<TestStoreServers> {
  const password = 'a-password-of-the-store';
  const settings = [...dataSettings, ...more, `masterauth ${password}`];
  const first = await startTestRedis({appendfsync: 'no', password, settings});
  const second = await startTestRedis({appendfsync: 'no', password, settings});
  const proxies = await startProxies([first], isProxied);
  const masterPort = portOf(proxies[0] ?? first);
  await sendToRedis(second.url, [['REPLICAOF', '127.0.0.1', masterPort]]);
  const servers = [first, second];
  const sentinelPassword = 'a-password-of-the-sentinels';
  const bin = await findSentinelProgram(first.dataDir);
  const sentinels = await Promise.all(
    [1, 2, 3].map(() =>
      startTestRedis({
        bin,
        password: sentinelPassword,
        settings: [
          `sentinel sentinel-pass ${sentinelPassword}`,
          `sentinel monitor ${masterName} 127.0.0.1 ${masterPort} 2`,
          `sentinel auth-pass ${masterName} ${password}`,
          `sentinel down-after-milliseconds ${masterName} ${downAfterMs}`,
          `sentinel failover-timeout ${masterName} 5000`,
        ],
      }),
    ),
  );
  const hosts = sentinels.map(({url}) => showHost({host: '127.0.0.1', port: Number(portOf({url}))}));
  const url = `redis+sentinel://:${password}@${hosts.join(',')}/${masterName}`;
  async function waitForReplicas(): Promise<void> {
    // A former master that is thawed is one, too, until the Sentinels make it a replica.
    await waitForCopies(servers, 1);
    const knowsAll = async ({url: sentinel}: TestRedis) => {
      const [text] = await sendToRedis(sentinel, [['INFO', 'sentinel']]);
      return /status=ok,address=[^,]+,slaves=1,sentinels=3/.test(String(text));
    };
    await until(async () => (await Promise.all(sentinels.map(knowsAll))).every(Boolean), {
      what: 'the Sentinels know each other',
      withinMs: 30_000,
    });
  }
  await waitForReplicas();
  return {
    kind: 'sentinel',
    url,
    env: {
      REDIS_URL: url,
      REDIS_SENTINEL_PASSWORD: sentinelPassword,
      QUEUE_REDIS_URL: await testRedisUrl(),
    },
    servers,
    proxies,
    async masterOf() {
      const masters = await listMasters(servers);
      if (masters[0] === undefined || masters.length > 1) throw new Error('there is not exactly one master');
      return masters[0];
    },
    waitForReplicas,
    async stop() {
      await Promise.all(sentinels.map((one) => one.stop()));
      for (const proxy of proxies) await proxy.close();
      await Promise.all(servers.map((one) => one.stop()));
    },
  };
}

/** Returns the path of the program under a name by which it acts as a Sentinel. */
export async function findSentinelProgram(folder: string): Promise<string> {
  const link = path.join(folder, 'redis-sentinel');
  await symlink(await realpath(await ensureRedisServer(process.env)), link);
  return link;
}

const shards = [0, 1, 2] as const;
const lastSlot = 16_383;

export const clusterPassword = 'a-password-of-the-cluster';

/** Starts a server that may join a cluster. */
export function startClusterServer(more: readonly string[] = []): Promise<TestRedis> {
  const settings = [
    ...dataSettings,
    'cluster-enabled yes',
    `cluster-node-timeout ${downAfterMs}`,
    'cluster-require-full-coverage no',
    `masterauth ${clusterPassword}`,
    ...more,
  ];
  return startTestRedis({appendfsync: 'no', password: clusterPassword, settings});
}

async function startCluster(isProxied: boolean, settings: readonly string[]): Promise<TestStoreServers> {
  const servers = await Promise.all(Array.from({length: 6}, () => startClusterServer(settings)));
  const [first] = servers;
  if (first === undefined) throw new Error('no server was started');
  const proxies = await startProxies(servers.slice(0, shards.length), isProxied);
  for (const [i, proxy] of proxies.entries()) {
    // Clients, and the replica, are told the port of the proxy.
    await sendToRedis(servers[i]?.url ?? '', [['CONFIG', 'SET', 'cluster-announce-port', portOf(proxy)]]);
  }
  const share = Math.ceil((lastSlot + 1) / shards.length);
  for (const [i, {url}] of servers.entries()) {
    const range = [i * share, Math.min((i + 1) * share - 1, lastSlot)];
    await sendToRedis(url, [
      ['CLUSTER', 'SET-CONFIG-EPOCH', i + 1],
      ...(i < shards.length ? [['CLUSTER', 'ADDSLOTSRANGE', ...range]] : []),
      ...(i === 0 ? [] : [['CLUSTER', 'MEET', '127.0.0.1', portOf(first)]]),
    ]);
  }
  // A server that loads its data refuses this command.
  const infoOf = async ({url}: TestRedis) =>
    sendToRedis(url, [['CLUSTER', 'INFO']]).then(
      ([info]) => String(info),
      () => '',
    );
  const all = async (says: RegExp) =>
    (await Promise.all(servers.map(infoOf))).every((info) => says.test(info));
  await until(() => all(/cluster_known_nodes:6\r/), {what: 'all nodes know each other', withinMs: 30_000});
  for (const [i, {url}] of servers.slice(shards.length).entries()) {
    const [id] = await sendToRedis(servers[i]?.url ?? '', [['CLUSTER', 'MYID']]);
    // A node may still learn about the master that it is to follow.
    const follow = () =>
      sendToRedis(url, [['CLUSTER', 'REPLICATE', String(id)]]).then(
        () => true,
        () => false,
      );
    await until(follow, {what: 'a replica follows its master', withinMs: 10_000});
  }
  async function waitForReplicas(): Promise<void> {
    await until(() => all(/cluster_state:ok/), {what: 'the cluster is whole', withinMs: 30_000});
    await waitForCopies(servers, shards.length);
  }
  await waitForReplicas();
  const hosts = servers.map(({url}) => showHost({host: '127.0.0.1', port: Number(portOf({url}))}));
  // Half of the servers lead to all of them.
  const url = `redis+cluster://:${clusterPassword}@${hosts.slice(2, 5).join(',')}`;
  return {
    kind: 'cluster',
    url,
    env: {REDIS_URL: url, QUEUE_REDIS_URL: await testRedisUrl()},
    servers,
    proxies,
    async masterOf(key) {
      for (const server of servers.filter((one) => one.pid() !== undefined)) {
        // A server that has not the slot names the one that has it.
        const said = await sendToRedis(server.url, [['TYPE', key]], 1_000).then(
          () => `MOVED 0 127.0.0.1:${new URL(server.url).port}`,
          (error: unknown) => String(error),
        );
        const port = /MOVED \d+ [^ ]*:(\d+)/.exec(said)?.[1];
        const owner = servers.find((one) => new URL(one.url).port === port);
        if (owner !== undefined) return owner;
      }
      throw new Error('no server knows the master of this key');
    },
    waitForReplicas,
    async stop() {
      for (const proxy of proxies) await proxy.close();
      await Promise.all(servers.map((one) => one.stop()));
    },
  };
}

async function listMasters(servers: readonly TestRedis[]): Promise<TestRedis[]> {
  const roles = await Promise.all(
    servers.map(async (one) => {
      const [info] = await sendToRedis(one.url, [['INFO', 'replication']], 1_000).catch(() => ['']);
      return /^role:master/m.test(String(info)) ? [one] : [];
    }),
  );
  return roles.flat();
}

/**
 * Waits until there are that many masters, each with a replica that has all data, and all have them on disk.
 * A server that has just copied its master writes a new file. If it is killed before that is done, it starts
 * with the data it had before the copy.
 */
async function waitForCopies(servers: readonly TestRedis[], masters: number): Promise<void> {
  let infos: string[] = [];
  const areWhole = async () => {
    infos = await Promise.all(servers.map(showReplication));
    const roles = infos.filter((info) => /^role:master/m.test(info));
    return roles.length === masters && infos.every(isWhole);
  };
  const what = () => `${infos.join('\n\n')}\n\nA whole file, and a replica or a master, of each server`;
  await until(areWhole, {what, withinMs: 30_000});
}

/** Returns what a server says of its replication and its file, or the error. */
async function showReplication({url}: TestRedis): Promise<string> {
  const ask = sendToRedis(url, [['INFO', 'replication', 'persistence']], 1_000);
  const info = await ask.then(([text]) => String(text), String);
  const lines = info
    .split(/\r?\n/)
    .filter((line) => /^(?:role|slave\d|master_link|aof_|\w*Error)/.test(line));
  return [url, ...lines].join('\n');
}

const isWhole = (info: string): boolean =>
  (/^slave0:.*state=online/m.test(info) || (/role:slave/.test(info) && /master_link_status:up/.test(info))) &&
  /aof_rewrite_in_progress:0/.test(info) &&
  /aof_rewrite_scheduled:0/.test(info) &&
  /aof_last_bgrewrite_status:ok/.test(info);
