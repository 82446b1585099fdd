import {execFile} from 'node:child_process';
import {promisify} from 'node:util';
import {findInPath} from '../../scripts/paths.mjs';
import {sendToRedis} from '../../scripts/redis-protocol.mjs';
import type {TestRedis} from '../support/redis-server.js';
import {clusterPassword, startClusterServer, type TestStoreServers} from '../support/store-kinds.js';
import {until} from '../support/until.js';

/** `keys`: redis-cli moves key by key, slot by slot. `atomic`: the engine moves the slots as a whole. */
export type Way = 'keys' | 'atomic';

const ask = async ({url}: TestRedis, ...args: string[]) => String((await sendToRedis(url, [args]))[0]);
const idOf = (server: TestRedis) => ask(server, 'CLUSTER', 'MYID');

/** Returns the name and version of an engine, and the ways in which it moves slots. */
export async function findWays(server: TestRedis): Promise<{engine: string; ways: Way[]}> {
  const info = await ask(server, 'INFO', 'server');
  const [, valkey] = /^valkey_version:([\d.]+)/m.exec(info) ?? [];
  const [, redis] = /^redis_version:([\d.]+)/m.exec(info) ?? [];
  const isAtomic = valkey !== undefined && Number.parseInt(valkey, 10) >= 9;
  return {
    engine: valkey === undefined ? `Redis ${redis}` : `Valkey ${valkey}`,
    ways: isAtomic ? ['keys', 'atomic'] : ['keys'],
  };
}

/** Adds a master without slots. It refuses commands with CLUSTERDOWN until it says `ok`. */
export async function addMaster(store: TestStoreServers): Promise<TestRedis> {
  const [first] = store.servers;
  const added = await startClusterServer();
  store.servers.push(added);
  await sendToRedis(added.url, [['CLUSTER', 'MEET', '127.0.0.1', new URL(first?.url ?? '').port]]);
  const id = await idOf(added);
  const isKnown = async () => {
    const views = await Promise.all(store.servers.map((server) => ask(server, 'CLUSTER', 'NODES')));
    return views.every((view) => new RegExp(`^${id} \\S+ (?:myself,)?master `, 'm').test(view));
  };
  await until(isKnown, {what: 'all know the new master'});
  await until(async () => /cluster_state:ok/.test(await ask(added, 'CLUSTER', 'INFO')), {
    what: 'the new master is ready for slots',
  });
  return added;
}

/** Returns the slots of a master as pairs of the first and the last. */
async function listSlots(server: TestRedis, id: string): Promise<[number, number][]> {
  const line = (await ask(server, 'CLUSTER', 'NODES')).split('\n').find((one) => one.startsWith(id)) ?? '';
  return [...line.matchAll(/ (\d+)(?:-(\d+))?(?= |$)/g)]
    .filter(({index}) => index > line.indexOf('connected'))
    .map(([, from, to = from]) => [Number(from), Number(to)]);
}

/** Moves all slots of a master to another one. Returns their number. */
export async function moveSlots(way: Way, from: TestRedis, to: TestRedis): Promise<number> {
  const [source, target] = [await idOf(from), await idOf(to)];
  const slots = await listSlots(from, source);
  const count = slots.reduce((sum, [first, last]) => sum + last - first + 1, 0);
  if (way === 'keys') await moveByCli(from, source, target, count);
  else {
    const ranges = slots.flatMap(([first, last]) => ['SLOTSRANGE', String(first), String(last)]);
    await ask(from, 'CLUSTER', 'MIGRATESLOTS', ...ranges, 'NODE', target);
  }
  await until(async () => (await listSlots(to, source)).length === 0, {what: 'all slots have moved'});
  return count;
}

async function moveByCli(from: TestRedis, source: string, target: string, count: number): Promise<void> {
  const cli = findInPath('redis-cli') ?? findInPath('valkey-cli');
  if (cli === undefined) throw new Error('redis-cli is not installed');
  const command = [
    ['-a', clusterPassword, '--no-auth-warning', '--cluster', 'reshard', new URL(from.url).host],
    ['--cluster-from', source, '--cluster-to', target, '--cluster-slots', String(count)],
    ['--cluster-pipeline', '1000', '--cluster-yes'],
  ];
  await promisify(execFile)(cli, command.flat(), {maxBuffer: 16_000_000});
}

/** Removes a server without slots, which has become a replica by itself. */
export async function removeServer(store: TestStoreServers, server: TestRedis): Promise<void> {
  await store.waitForReplicas();
  const id = await idOf(server);
  const others = store.servers.filter((one) => one !== server);
  // A replica that still follows it refuses to forget it.
  const forget = (one: TestRedis) =>
    ask(one, 'CLUSTER', 'FORGET', id).then(
      () => true,
      (error: unknown) => /Unknown node/.test(String(error)),
    );
  for (const one of others) await until(() => forget(one), {what: 'the server is forgotten'});
  store.servers.splice(store.servers.indexOf(server), 1);
  await server.stop();
  await store.waitForReplicas();
}
