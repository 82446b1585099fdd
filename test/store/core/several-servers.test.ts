import {afterAll, afterEach, beforeAll, describe, expect, it} from '@jest/globals';
import {sendToRedis} from '../../../scripts/redis-protocol.mjs';
import {emptyCommit} from '../../../src/domain/commit/commit.js';
import {workspaceKeys, globalKeys} from '../../../src/store/core/keys.js';
import {script} from '../../../src/store/core/script.js';
import {StartupError} from '../../../src/store/core/installation.js';
import {rowsOf, runStandup} from '../../cli/run-standup.js';
import {createCleanUps} from '../../jobs/stage.js';
import type {TestRedis} from '../../support/redis-server.js';
import {sendRequest, startService, type TestService, type TestWorkspace} from '../../support/service.js';
import {startStoreServers, type TestStoreServers} from '../../support/store-kinds.js';
import {until} from '../../support/until.js';
import {newDeadline, openTestStore, testSecretKey} from '../open-test-store.js';

const cleanUps = createCleanUps();
const metricsToken = 'a-token-of-the-operator';
const nextKey = 'another secret key, also with 32 characters';
let cluster: TestStoreServers;
let sentinels: TestStoreServers;
let service: TestService;
let workspaces: TestWorkspace[];

beforeAll(async () => {
  cluster = await startStoreServers('cluster');
  sentinels = await startStoreServers('sentinel');
  service = await startService({
    redisUrl: cluster.url,
    env: {...cluster.env, ROLES: 'web', METRICS_TOKEN: metricsToken},
    requestMs: 1_000,
  });
  workspaces = [];
  for (let i = 0; i < 8; i++) {
    const workspace = await service.addWorkspace();
    const body = {url: 'http://127.0.0.1:19009/hook', events: ['standup.*']};
    expect((await workspace.request('POST', '/v1/webhooks', {body})).status).toBe(201);
    workspaces.push(workspace);
  }
}, 60_000);

afterEach(() => cleanUps.run());

afterAll(async () => {
  await service?.close();
  await cluster?.stop();
  await sentinels?.stop();
}, 60_000);

/** Finds the masters of the cluster. */
async function findMasters(): Promise<TestRedis[]> {
  const found = await Promise.all(workspaces.map((workspace) => cluster.masterOf(headOf(workspace))));
  return [...new Set(found)];
}

async function findReplicaOf({url}: TestRedis): Promise<TestRedis> {
  const [info] = await sendToRedis(url, [['INFO', 'replication']]);
  const port = /^slave0:ip=[^,]+,port=(\d+)/m.exec(String(info))?.[1];
  const found = cluster.servers.find((server) => new URL(server.url).port === port);
  if (found === undefined) throw new Error('it has no replica');
  return found;
}

const headOf = ({id}: TestWorkspace) => workspaceKeys(id).head();
const hostOf = (url: string) => new URL(url).host;

/** Returns the sentence if the store cannot be opened. */
async function refusal(options: Parameters<typeof openTestStore>[0]): Promise<string> {
  const begun = performance.now();
  const opened: unknown = await openTestStore(options).catch((error: unknown) => error);
  if (!(opened instanceof StartupError)) throw new Error('it was opened', {cause: opened});
  expect(opened.message).not.toMatch(/\n| {4}at |undefined|password-of/);
  expect(performance.now() - begun).toBeLessThan(4_500);
  return opened.message;
}

describe('the message at the start about an address of several servers', () => {
  const [sentinelHosts, login] = [
    () => sentinels.url.replace(/^.*@|\/.*$/g, '').replace(/.*@/, ''),
    'redis+sentinel://:',
  ];

  it('names a plain address of a node of a cluster', async () => {
    for (const {url} of cluster.servers.slice(0, 1)) {
      expect(await refusal({url})).toBe(
        'Redis is a node of a cluster: write redis+cluster:// in place of redis:// in REDIS_URL.',
      );
    }
  });

  it('names a plain address of a Sentinel', async () => {
    const url = `redis://:${sentinels.env['REDIS_SENTINEL_PASSWORD'] ?? ''}@${sentinelHosts().split(',')[0] ?? ''}`;
    expect(await refusal({url})).toMatch(
      /^Redis at \S+ is a Sentinel, which keeps no data: write redis\+sentinel/,
    );
  });

  it('names a cluster address or a Sentinel address of a plain server', async () => {
    const [server] = sentinels.servers;
    const url = server?.url ?? '';
    expect(await refusal({url: url.replace('redis:', 'redis+cluster:')})).toBe(
      `Redis at ${hostOf(url)} is not part of a cluster: write redis:// in place of redis+cluster:// in REDIS_URL.`,
    );
    const {password} = new URL(url);
    expect(
      await refusal({
        url: `${url.replace('redis:', 'redis+sentinel:')}/mymaster`,
        sentinelPassword: password,
      }),
    ).toMatch(/^Redis at \S+ is no Sentinel: write redis:\/\/ in place of redis\+sentinel/);
  });

  it('names an unknown master name, and a missing password of the Sentinels', async () => {
    const sentinelPassword = sentinels.env['REDIS_SENTINEL_PASSWORD'];
    const wrong = `${login}x@${sentinelHosts()}/nobody`;
    expect(await refusal({url: wrong, sentinelPassword})).toMatch(
      /^Redis at \S+, \S+, \S+ watches no master of the name that ends REDIS_URL/,
    );
    expect(await refusal({url: sentinels.url})).toMatch(/set REDIS_SENTINEL_PASSWORD\.$/);
  });

  it('names a wrong password of the store', async () => {
    const sentinelPassword = sentinels.env['REDIS_SENTINEL_PASSWORD'];
    for (const {url} of [cluster, sentinels]) {
      const wrong = url.replace(/:[^:@]+@/, ':nobody-knows@');
      expect(await refusal({url: wrong, sentinelPassword})).toMatch(
        /refuses the user name or password in REDIS_URL/,
      );
    }
  });
});

describe('a cluster', () => {
  it('is checked on every server: masters and replicas are counted, and the weakest durability is reported', async () => {
    const {store} = await openTestStore({url: cluster.url});
    cleanUps.add(() => store.close());
    expect(store.facts).toMatchObject({masters: 3, replicas: 3, durability: 'none'});
    const replica = cluster.servers.at(-1)?.url ?? '';
    await sendToRedis(replica, [['CONFIG', 'SET', 'maxmemory-policy', 'allkeys-lru']]);
    cleanUps.add(() => sendToRedis(replica, [['CONFIG', 'SET', 'maxmemory-policy', 'noeviction']]));
    expect(await refusal({url: cluster.url})).toContain('maxmemory-policy is "allkeys-lru"');
  });

  it('rewrites the append-only file of every server after an erasure, since those of replicas have it too', async () => {
    const rewritesOf = async () =>
      Promise.all(
        cluster.servers.map(async ({url}) => {
          const [info] = await sendToRedis(url, [['INFO', 'persistence']]);
          return Number(/^aof_rewrites:(\d+)/m.exec(String(info))?.[1]);
        }),
      );
    const before = await rewritesOf();
    const {appendOnlyFile} = service.core.store;
    await until(async () => (await appendOnlyFile.rewrite(newDeadline())) === 'begun', {withinMs: 10_000});
    await until(async () => (await rewritesOf()).every((count, i) => count > (before[i] ?? 0)), {
      what: 'each server has rewritten its file',
      withinMs: 15_000,
    });
  });

  it('has a row for each server in doctor, and gauges for each in /metrics', async () => {
    const {stdout} = await runStandup(['doctor'], cluster.env);
    const rows = rowsOf(stdout).filter(([check]) => check?.startsWith('Redis '));
    expect(rows.map(([check]) => check)).toEqual([
      ...Array<string>(3).fill('Redis master'),
      ...Array<string>(3).fill('Redis replica'),
    ]);
    for (const [, found] of rows) expect(found).toMatch(/^127\.0\.0\.1:\d+: \d+\.\d+\.\d+, none$/);
    const {text} = await sendRequest(service.url, 'GET', '/metrics', {
      headers: {authorization: `Bearer ${metricsToken}`},
    });
    for (const {url} of cluster.servers) {
      expect(text).toContain(`standup_store_server_up{server="${hostOf(url)}"} 1`);
      expect(text).toMatch(
        new RegExp(`standup_store_clock_skew_seconds\\{server="${hostOf(url)}"\\} -?0(\\.\\d+)?\n`),
      );
    }
    expect(text.match(/^standup_store_replica_lag_bytes\{/gm)).toHaveLength(3);
    expect(text).toContain('standup_store_broken_scripts_total 0');
  });

  it('has a line in doctor that names each master with too few replicas to confirm changes', async () => {
    const check = async (replicas: number) =>
      runStandup(['doctor'], {...cluster.env, REDIS_CONFIRM_REPLICAS: String(replicas)});
    const enough = await check(1);
    expect(rowsOf(enough.stdout)).toContainEqual([
      'Replicas',
      '1 confirm each change',
      'each master has them',
    ]);
    const few = await check(2);
    expect(few.stdout.match(/127\.0\.0\.1:\d+ has 1(?=;|\n| *$)/gm)).toHaveLength(3);
    expect(few.stderr).toContain('too few replicas');
  });

  it('makes changes that a replica confirms, also when another master has taken the slot', async () => {
    const {store} = await openTestStore({url: cluster.url, confirmReplicas: 1});
    cleanUps.add(() => store.close());
    const change = (workspace: TestWorkspace, withinMs: number) =>
      store.commits.run({workspace: workspace.id, deadline: performance.now() + withinMs}, emptyCommit);
    for (const workspace of workspaces) {
      expect(await change(workspace, 5_000)).toMatchObject({kind: 'committed'});
    }
    const [workspace] = workspaces;
    if (workspace === undefined) throw new Error('there is no workspace');
    const before = await cluster.masterOf(headOf(workspace));
    const replica = await findReplicaOf(before);
    await sendToRedis(replica.url, [['CLUSTER', 'FAILOVER']]);
    await until(async () => (await cluster.masterOf(headOf(workspace))) === replica, {
      what: 'it is a master',
    });
    await cluster.waitForReplicas();
    expect(await change(workspace, 5_000)).toMatchObject({kind: 'committed'});
    before.freeze();
    cleanUps.add(() => before.thaw());
    await expect(change(workspace, 500)).rejects.toMatchObject({
      code: 'service_unavailable',
      message: expect.stringMatching(/^Too few replicas/),
    });
  });

  it('refuses a post, and a script that empties a key, before its first effect while a slot moves', async () => {
    const [workspace] = workspaces;
    if (workspace === undefined) throw new Error('there is no workspace');
    const key = headOf(workspace);
    const from = await cluster.masterOf(key);
    const to = (await findMasters()).find(({url}) => url !== from.url);
    if (to === undefined) throw new Error('there is one master alone');
    const [slot] = await sendToRedis(from.url, [['CLUSTER', 'KEYSLOT', key]]);
    const idOf = async ({url}: TestRedis) => String((await sendToRedis(url, [['CLUSTER', 'MYID']]))[0]);
    const setSlot = async (server: TestRedis, ...how: string[]) =>
      sendToRedis(server.url, [['CLUSTER', 'SETSLOT', String(slot), ...how]]);
    const {connection} = service.core.store;
    const [one, other] = [`{${workspace.id}}:test:one`, `{${workspace.id}}:test:other`];
    for (const name of [one, other]) await connection.call(newDeadline(), ['SET', name, 'before']);
    // Every key is still there, so that only the key that never exists makes Redis refuse the script.
    await setSlot(to, 'IMPORTING', await idOf(from));
    await setSlot(from, 'MIGRATING', await idOf(to));
    cleanUps.add(async () => {
      for (const server of [from, to]) await setSlot(server, 'STABLE');
    });
    const empties = script(`#!lua
      redis.call('SET', KEYS[2], 'after')
      redis.call('DEL', KEYS[1])
      return {redis.call('GET', KEYS[1]), #KEYS}`);
    const moving = connection.run(performance.now() + 400, empties, [one, other], []);
    await expect(moving).rejects.toMatchObject({code: 'service_unavailable'});
    const post = () =>
      workspace.request('POST', '/v1/standups', {body: {team: 'platform', update: 'While a slot moves.'}});
    expect((await post()).status).toBe(503);
    // A read may miss a key, too.
    expect([200, 503]).toContain((await workspace.request('GET', '/v1/standups')).status);
    for (const server of [from, to]) await setSlot(server, 'STABLE');
    expect(await connection.call(newDeadline(), ['GET', other])).toBe('before');
    // The script does not see the key of the guard.
    expect(await connection.run(newDeadline(), empties, [one, other], [])).toEqual([null, 2]);
    expect((await post()).status).toBe(201);
    expect((await service.core.store.readServers(newDeadline())).brokenScripts).toBe(0);
  });

  it('has the memory of every workspace measured, and every secret encrypted again, on each master', async () => {
    const owners = new Set<string>();
    for (const workspace of workspaces) owners.add((await cluster.masterOf(headOf(workspace))).url);
    expect(owners.size).toBeGreaterThan(1);
    const {store} = service.core;
    for (const {id} of workspaces) {
      await store.connection.call(newDeadline(), ['HSET', workspaceKeys(id).head(), 'bytes', '0']);
    }
    await store.workspaceBytes.measure(newDeadline, new AbortController().signal);
    for (const {id} of workspaces) {
      expect((await store.workspaceBytes.find(id, newDeadline())).used_bytes).toBeGreaterThan(0);
    }
    const opened = await openTestStore({
      url: cluster.url,
      secretKey: nextKey,
      secretKeyPrevious: testSecretKey,
    });
    cleanUps.add(() => opened.store.close());
    const {rewritten, unreadable} = await opened.store.reencrypt();
    expect(rewritten).toBeGreaterThanOrEqual(workspaces.length);
    expect(unreadable).toBe(0);
  });

  it('serves the other workspaces of a process that starts while a master is down', async () => {
    const globalMaster = await cluster.masterOf(globalKeys.generation());
    const owners = await Promise.all(workspaces.map((workspace) => cluster.masterOf(headOf(workspace))));
    const killed = owners.find(({url}) => url !== globalMaster.url);
    if (killed === undefined) throw new Error('all workspaces are on one master');
    const others = workspaces.filter((_, i) => owners[i] !== killed);
    const down = workspaces.filter((_, i) => owners[i] === killed);
    await killed.kill();
    cleanUps.add(async () => {
      await killed.restart();
      await cluster.waitForReplicas();
    });
    const begun = performance.now();
    const {store} = await openTestStore({url: cluster.url, secretKey: nextKey});
    cleanUps.add(() => store.close());
    expect(await store.probe(newDeadline())).toMatchObject({state: 'degraded'});
    expect(performance.now() - begun).toBeLessThan(10_000);
    for (const {id} of others) expect(await store.workspaces.find(id, newDeadline())).toBeDefined();
    for (const {id} of down)
      await until(() => store.workspaces.find(id, performance.now() + 1_000).catch(() => undefined), {
        what: 'its workspaces are served by the new master',
        withinMs: 15_000,
      });
  });

  it('is named at the start with the master that does not answer, if that has the keys of no workspace', async () => {
    const killed = await cluster.masterOf(globalKeys.generation());
    await killed.kill();
    cleanUps.add(async () => {
      await killed.restart();
      await cluster.waitForReplicas();
    });
    expect(await refusal({url: cluster.url, secretKey: nextKey})).toContain(
      `names ${hostOf(killed.url)} as a master, which does not answer: wait for a failover, or look`,
    );
  });
});
