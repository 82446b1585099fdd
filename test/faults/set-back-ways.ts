import {cp, rm} from 'node:fs/promises';
import path from 'node:path';
import {sendToRedis} from '../../scripts/redis-protocol.mjs';
import {globalKeys} from '../../src/store/core/keys.js';
import {startTestRedis, type TestRedis} from '../support/redis-server.js';
import {copyDatabase} from '../support/set-back.js';
import {startSlowRedis} from '../support/slow-redis.js';
import type {StoreKind} from '../support/store-kinds.js';
import {startTestStore, type TestStore} from '../support/test-store.js';
import {until} from '../support/until.js';

/** Takes a snapshot of the store. The returned function restores it. */
export type TakeSnapshot = () => Promise<() => Promise<void>>;

/** The way that loses the index of all workspaces, but nothing of the workspace: it is on another shard. */
export const indexWay = 'of the index of all workspaces to a replica that lagged';

export interface SetBackStore extends Pick<TestStore, 'url' | 'env' | 'stop'> {
  /** The ways to restore the data of a workspace to an earlier state, by name. `key`: a key of it. */
  ways(key: string): Readonly<Record<string, TakeSnapshot>>;
  /** Whether the shard of a key has the index of all workspaces, too. False where there is no `indexWay`. */
  isBesideIndex(key: string): Promise<boolean>;
}

/** Starts a store that can be restored to an earlier state. */
export function startSetBackStore(kind: StoreKind): Promise<SetBackStore> {
  return kind === 'single' ? startOneRedis() : startSeveralServers(kind);
}

/** Number of the database that keeps a copy of the data. */
const spare = 9;

/** Starts a Redis and a second one, to which its address can lead. */
async function startOneRedis(): Promise<SetBackStore> {
  let master = await startTestRedis();
  const {password} = new URL(master.url);
  let other = await startTestRedis({password});
  const address = await startSlowRedis(master.url);

  function reconnect(): void {
    address.cut();
    address.mend();
  }

  /** Restores the data while clients stay connected, as behind a proxy. */
  const underneath: TakeSnapshot = () => copyDatabase(master.url, spare);

  const cut: TakeSnapshot = async () => {
    const goBack = await underneath();
    return async () => {
      await goBack();
      reconnect();
    };
  };

  /** Moves the address to a replica that has only the earlier data, as after a failure of the master. */
  const failover: TakeSnapshot = async () => {
    const {hostname, port} = new URL(master.url);
    // Without this setting the master would wait for more replicas before it sends its data.
    await sendToRedis(master.url, [['CONFIG', 'SET', 'repl-diskless-sync-delay', '0']]);
    await sendToRedis(other.url, [
      ['CONFIG', 'SET', 'masterauth', decodeURIComponent(password)],
      ['REPLICAOF', hostname, port],
    ]);
    await until(async () => (await readInfo(other)).includes('master_link_status:up'), {
      what: 'the replica has caught up',
    });
    await sendToRedis(other.url, [['REPLICAOF', 'NO', 'ONE']]);
    return async () => {
      [master, other] = [other, master];
      address.lead(master.url);
      reconnect();
    };
  };

  return {
    url: address.url,
    env: {},
    ways: () => ({
      'to a replica that lagged': failover,
      'under its connections': underneath,
      'with its connections cut': cut,
      'to an earlier file': async () => keepFiles([{master}]),
    }),
    isBesideIndex: async () => false,
    async stop() {
      await address.close();
      for (const redis of [master, other]) await redis.stop();
    },
  };
}

/** Starts servers with replicas. A replica that is cut off from its master keeps the earlier data. */
async function startSeveralServers(kind: StoreKind): Promise<SetBackStore> {
  const store = await startTestStore({kind});
  const {servers, masterOf} = store;

  async function findReplica(master: TestRedis): Promise<TestRedis> {
    const {port} = new URL(master.url);
    const infos = await Promise.all(servers.map(readInfo));
    const replica = servers.find((_, i) => infos[i]?.includes(`master_port:${port}\r`));
    if (replica === undefined) throw new Error('this master has no replica');
    return replica;
  }

  /** Cuts a replica off once it has all that was answered until now. Returns a function that undoes this. */
  async function cutOff(master: TestRedis, replica: TestRedis): Promise<() => Promise<void>> {
    const written = readOffset(/^master_repl_offset:(\d+)/m, await readInfo(master));
    const hasAll = async () => readOffset(/^slave_repl_offset:(\d+)/m, await readInfo(replica)) >= written;
    await until(hasAll, {what: 'the replica has caught up'});
    const setPassword = (password: string) => ['CONFIG', 'SET', 'masterauth', password];
    await sendToRedis(replica.url, [
      setPassword('a wrong password'),
      ['CLIENT', 'KILL', 'TYPE', 'master'],
      // It may take its master's place however long it has been cut off.
      ...(kind === 'cluster' ? [['CONFIG', 'SET', 'cluster-replica-validity-factor', '0']] : []),
    ]);
    const {password} = new URL(replica.url);
    return async () => {
      await sendToRedis(replica.url, [setPassword(decodeURIComponent(password))]);
    };
  }

  const isMasterNow = async (key: string, server: TestRedis) =>
    masterOf(key).then(
      ({url}) => url === server.url,
      () => false,
    );

  /** Finds the master for a key and its replica. */
  async function findPair(key: string): Promise<readonly [master: TestRedis, replica: TestRedis]> {
    await store.waitForReplicas();
    // Otherwise a master without its replica takes no write, so that none can be lost.
    for (const {url} of servers) await sendToRedis(url, [['CONFIG', 'SET', 'min-replicas-to-write', '0']]);
    const master = await masterOf(key);
    return [master, await findReplica(master)];
  }

  /** Lets a replica that has only the earlier data take the place of its master, which is killed or demoted. */
  function failOver(key: string, take: (master: TestRedis, replica: TestRedis) => Promise<unknown>) {
    return async () => {
      const [master, replica] = await findPair(key);
      const reunite = await cutOff(master, replica);
      return async () => {
        await take(master, replica);
        await until(() => isMasterNow(key, replica), {what: 'the replica is the master', everyMs: 20});
        await reunite();
        if (master.pid() === undefined) await master.restart();
      };
    };
  }

  async function takeOver(master: TestRedis, replica: TestRedis): Promise<void> {
    await sendToRedis(replica.url, [['CLUSTER', 'FAILOVER', 'TAKEOVER']]);
    await until(async () => /^role:slave/m.test(await readInfo(master)), {
      what: 'the master is a replica',
      everyMs: 5,
    });
  }

  const lagged = (key: string) => failOver(key, (master) => master.kill());
  const backup = (key: string) => async () => {
    const [master, replica] = await findPair(key);
    return keepFiles([{master, replica}]);
  };
  /** Restores all masters at once, as a whole cluster from its backups. */
  const backups: TakeSnapshot = async () => {
    await store.waitForReplicas();
    const infos = await Promise.all(servers.map(readInfo));
    const masters = servers.filter((_, i) => /^role:master/m.test(infos[i] ?? ''));
    return keepFiles(
      await Promise.all(masters.map(async (master) => ({master, replica: await findReplica(master)}))),
    );
  };
  return {
    ...store,
    ways: (key) => ({
      'to a replica that lagged': lagged(key),
      ...(kind === 'cluster'
        ? {
            'to a replica that takes over': failOver(key, takeOver),
            [indexWay]: lagged(globalKeys.due()),
          }
        : {'under its connections': async () => copyDatabase((await findPair(key))[0].url, spare)}),
      'to an earlier file': backup(key),
      'to earlier files of all masters': backups,
    }),
    async isBesideIndex(key) {
      if (kind !== 'cluster') return false;
      const [ofKey, ofIndex] = await Promise.all([masterOf(key), masterOf(globalKeys.due())]);
      return ofKey.url === ofIndex.url;
    },
  };
}

/**
 * Keeps the append-only files of masters. The returned function kills them with their replicas, and starts all
 * with those files, as if the ends of the files were lost. An empty replica could become the master instead.
 */
async function keepFiles(
  pairs: readonly {readonly master: TestRedis; readonly replica?: TestRedis}[],
): Promise<() => Promise<void>> {
  const folderOf = ({dataDir}: TestRedis) => path.join(dataDir, 'appendonlydir');
  for (const {master} of pairs) {
    await until(
      async () => /aof_rewrite_in_progress:0\r\naof_rewrite_scheduled:0/.test(await readInfo(master)),
      {
        what: 'the file is not being rewritten',
      },
    );
    await rm(`${folderOf(master)}.kept`, {recursive: true, force: true});
    await cp(folderOf(master), `${folderOf(master)}.kept`, {recursive: true});
  }
  return async () => {
    const servers = pairs.flatMap(({master, replica = []}) => [master, replica].flat());
    await Promise.all(servers.map((server) => server.kill()));
    for (const {master, replica = []} of pairs)
      for (const server of [master, replica].flat()) {
        await rm(folderOf(server), {recursive: true});
        await cp(`${folderOf(master)}.kept`, folderOf(server), {recursive: true});
      }
    await Promise.all(servers.map((server) => server.restart()));
  };
}

async function readInfo({url}: TestRedis): Promise<string> {
  const found = await sendToRedis(url, [
    ['INFO', 'replication'],
    ['INFO', 'persistence'],
  ]);
  return found.join('\r\n');
}

function readOffset(pattern: RegExp, info: string): number {
  return Number(pattern.exec(info)?.[1] ?? Number.NaN);
}
