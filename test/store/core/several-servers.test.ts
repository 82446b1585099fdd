import {afterAll, afterEach, beforeAll, describe, expect, it} from '@jest/globals';
import {sendToRedis} from '../../../scripts/redis-protocol.mjs';
import {emptyCommit} from '../../../src/domain/commit/commit.js';
import {reviseWrite} from '../../../src/domain/commit/writes.js';
import {toInstant} from '../../../src/domain/core/dates.js';
import type {AppError} from '../../../src/domain/core/errors.js';
import {readRedisAddress, type RedisAddress} from '../../../src/domain/core/redis-address.js';
import {storedId, suffixOf} from '../../../src/domain/core/ids.js';
import {toDraft} from '../../../src/domain/core/resource.js';
import type {Run} from '../../../src/domain/runs/run.js';
import {workspaceKeys, globalKeys} from '../../../src/store/core/keys.js';
import {script} from '../../../src/store/core/script.js';
import {StartupError} from '../../../src/store/core/installation.js';
import {createClusterClient, openWire} from '../../../src/store/core/wires.js';
import {listWorkspaceKeys} from '../../../src/store/core/workspace-scan.js';
import {addFixtures, eventsOf, routes, sampleOf} from '../../api/samples.js';
import {rowsOf, runStandup} from '../../cli/run-standup.js';
import {createCleanUps} from '../../jobs/stage.js';
import {startReceiver} from '../../support/receiver.js';
import type {TestRedis} from '../../support/redis-server.js';
import {sendRequest, startService, type TestService, type TestWorkspace} from '../../support/service.js';
import {runConcurrently} from '../../support/side-by-side.js';
import {startSlack} from '../../support/slack-harness.js';
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

function readAddress(url: string): RedisAddress {
  const address = readRedisAddress(url);
  if ('problem' in address) throw new Error(address.problem);
  return address;
}

/**
 * Holds the slot of a key as while it moves, with every key still there. So only a key that never exists makes
 * Redis refuse a script that needs no new key.
 */
async function holdSlot(key: string) {
  const from = await cluster.masterOf(key);
  const masters = await findMasters();
  const to = masters.find(({url}) => url !== from.url);
  if (to === undefined) throw new Error('there is one master alone');
  const ask = async ({url}: TestRedis, ...args: (string | number)[]) => (await sendToRedis(url, [args]))[0];
  const [source, target] = [
    String(await ask(from, 'CLUSTER', 'MYID')),
    String(await ask(to, 'CLUSTER', 'MYID')),
  ];
  const slot = Number(await ask(from, 'CLUSTER', 'KEYSLOT', key));
  const set = (server: TestRedis, ...how: string[]) => ask(server, 'CLUSTER', 'SETSLOT', slot, ...how);
  await set(to, 'IMPORTING', source);
  await set(from, 'MIGRATING', target);
  const countRefusals = async () => {
    const info = String(await ask(from, 'INFO', 'errorstats'));
    return Number(/^errorstat_TRYAGAIN:count=(\d+)/m.exec(info)?.[1] ?? 0);
  };
  const before = await countRefusals();
  return {
    hasRefused: async () => (await countRefusals()) > before,
    /** Moves the keys, and gives the slot to the other master. */
    async end(): Promise<void> {
      const {port, password} = new URL(to.url);
      const prefix = key.slice(0, key.indexOf('}') + 1);
      for (let cursor = '0'; ; ) {
        const [next, ...found] = (
          await sendToRedis(from.url, [
            [
              'EVAL',
              "local r = redis.call('SCAN', ARGV[1], 'MATCH', ARGV[2], 'COUNT', 1000) return table.concat({r[1], unpack(r[2])}, '\\n')",
              0,
              cursor,
              `${prefix}*`,
            ],
          ])
        )
          .join('')
          .split('\n');
        if (found.length > 0)
          await ask(from, 'MIGRATE', '127.0.0.1', port, '', 0, 5_000, 'AUTH', password, 'KEYS', ...found);
        cursor = next ?? '0';
        if (cursor === '0') break;
      }
      for (const server of [to, from, ...masters]) await set(server, 'NODE', target);
    },
  };
}

/** Opens a run that should have closed a minute ago. */
async function openPastRun({id, core, request}: TestWorkspace): Promise<Run> {
  const {body} = await request('POST', '/v1/teams/platform/runs', {body: {minutes: 30}});
  const run = await core.store.records.find(id, storedId<'run'>(body.id), newDeadline());
  if (run === undefined) throw new Error('no run was opened');
  const closesAt = toInstant(Date.now() - 60_000);
  const write = reviseWrite(run, {...toDraft(run), closes_at: closesAt}, {forEvents: true});
  const commit = {guards: [], writes: [write], events: [], reply: {kind: 'empty'}} as const;
  await core.store.commits.run({workspace: id, deadline: newDeadline()}, commit);
  return run;
}

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
        `Redis at ${hostOf(url)} is a node of a cluster: write redis+cluster:// in place of redis:// in REDIS_URL.`,
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
    for (const [, found] of rows)
      expect(found).toMatch(/^127\.0\.0\.1:\d+: (?:Valkey )?\d+\.\d+\.\d+, none$/);
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

  it('has rows for its slots and settings in doctor, which fails if no master serves a slot', async () => {
    const findRows = async () => {
      const {code, stdout, stderr} = await runStandup(['doctor'], cluster.env);
      return {code, stderr, rows: rowsOf(stdout).filter(([check]) => check?.startsWith('Cluster '))};
    };
    expect((await findRows()).rows).toEqual([
      ['Cluster slots', '16384 of 16384 served'],
      ['Cluster settings', 'cluster-require-full-coverage no, cluster-node-timeout 2000'],
    ]);
    const all = (...args: string[]) => Promise.all(cluster.servers.map(({url}) => sendToRedis(url, [args])));
    const setAll = (coverage: string, timeout: string) =>
      all('CONFIG', 'SET', 'cluster-require-full-coverage', coverage, 'cluster-node-timeout', timeout);
    cleanUps.add(() => setAll('no', '2000'));
    await setAll('yes', '15000');
    expect((await findRows()).rows[1]?.[2]).toBe(
      'with yes, all masters refuse while one is away: set no; set a timeout of 2000 to 5000 ms: a failover begins after it',
    );
    await setAll('no', '2000');
    // Nobody has a key in this slot.
    const [owner] = cluster.servers;
    cleanUps.add(async () => {
      await sendToRedis(owner?.url ?? '', [['CLUSTER', 'ADDSLOTS', 7]]);
      await cluster.waitForReplicas();
    });
    await all('CLUSTER', 'DELSLOTS', '7');
    const {rows, stderr} = await findRows();
    expect(rows[0]).toEqual([
      'Cluster slots',
      '16383 of 16384 served',
      'workspaces in the others get 503: start their master, or look at CLUSTER SLOTS',
    ]);
    expect(stderr).toContain('slots that no master serves');
  });

  it('has workspaces with too many keys for a move under load listed by doctor --slots', async () => {
    const list = async () => (await runStandup(['doctor', '--slots'], cluster.env)).stdout;
    expect(await list()).toBe(
      'No workspace has more than 20000 keys: each slot may be moved while it is used.\n',
    );
    const [workspace] = workspaces;
    if (workspace === undefined) throw new Error('there is no workspace');
    const {connection, workspaces: stored} = service.core.store;
    const fill = script(`for i = 1, 20001 do redis.call('SET', ARGV[1] .. i, '') end`);
    const prefix = `{${workspace.id}}:test:`;
    await connection.run(newDeadline(), fill, [`${prefix}1`], [prefix]);
    cleanUps.add(() =>
      connection.run(
        newDeadline(),
        script(`for i = 1, 20001 do redis.call('DEL', ARGV[1] .. i) end`),
        [`${prefix}1`],
        [prefix],
      ),
    );
    const slug = (await stored.find(workspace.id, newDeadline()))?.slug;
    const [[found, keys, advice] = [], ...others] = rowsOf(await list());
    expect([found, advice]).toEqual([slug, 'make it read-only first, or move its slot atomically']);
    expect(Number(keys)).toBeGreaterThan(20_001);
    expect(others).toEqual([]);
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

  it('regression: is connected with each master before the first command, so that none waits for that after a failover', async () => {
    const options = {
      url: cluster.url,
      address: readAddress(cluster.url),
      tlsVerify: true,
      onError: () => undefined,
      connectWithin: 5_000,
      confirmReplicas: 1,
    };
    const wire = await openWire(options);
    cleanUps.add(() => wire.close());
    const masters = await findMasters();
    const countConnections = () =>
      Promise.all(
        masters.map(async ({url}) => {
          const [info] = await sendToRedis(url, [['INFO', 'stats']]);
          return Number(/^total_connections_received:(\d+)/m.exec(String(info))?.[1]);
        }),
      );
    const before = await countConnections();
    for (const node of wire.masters()) await node.send(['PING']);
    for (const workspace of workspaces) {
      const key = headOf(workspace);
      await wire.send(key, ['HSET', key, 'test', '1'], newDeadline(), () => true);
      await wire.send(key, ['HDEL', key, 'test'], newDeadline());
    }
    // The question itself is a connection, too.
    expect(await countConnections()).toEqual(before.map((count) => count + 1));
  });

  it('regression: has one class for all its clients, since creating one blocks a process for 0.1 s', () => {
    const options = {address: readAddress(cluster.url), tlsVerify: true};
    const [one, other] = [1, 2].map((port) => createClusterClient(options, [{host: '127.0.0.1', port}]));
    // Each client is an object of its own, made from one of the class.
    const classOf = (client: object) => Object.getPrototypeOf(Object.getPrototypeOf(client));
    expect(classOf(one ?? {})).toBe(classOf(other ?? {}));
  });

  it('refuses a post, and a script that empties a key, before its first effect while a slot moves', async () => {
    const [workspace] = workspaces;
    if (workspace === undefined) throw new Error('there is no workspace');
    const {connection} = service.core.store;
    const [one, other] = [`{${workspace.id}}:test:one`, `{${workspace.id}}:test:other`];
    for (const name of [one, other]) await connection.call(newDeadline(), ['SET', name, 'before']);
    const held = await holdSlot(headOf(workspace));
    cleanUps.add(held.end);
    const empties = script(`#!lua
      redis.call('SET', KEYS[2], 'after')
      redis.call('DEL', KEYS[1])
      return {redis.call('GET', KEYS[1]), #KEYS}`);
    const moving = connection.run(performance.now() + 400, empties, [one, other], []);
    await expect(moving).rejects.toMatchObject({code: 'service_unavailable'});
    const post = () =>
      workspace.request('POST', '/v1/standups', {body: {team: 'platform', update: 'While a slot moves.'}});
    expect((await post()).status).toBe(503);
    const listing = listWorkspaceKeys(connection, workspace.id);
    // A read may miss a key, too.
    expect([200, 503]).toContain((await workspace.request('GET', '/v1/standups')).status);
    await held.end();
    expect(await listing).toEqual(expect.arrayContaining([headOf(workspace), one, other]));
    expect(await connection.call(newDeadline(), ['GET', other])).toBe('before');
    // The script does not see the key of the guard.
    expect(await connection.run(newDeadline(), empties, [one, other], [])).toEqual([null, 2]);
    expect((await post()).status).toBe(201);
    expect((await service.core.store.readServers(newDeadline())).brokenScripts).toBe(0);
  });

  it('answers each operation as usual or with 503 while the slot of its workspace is held, and loses nothing', async () => {
    const receiver = await startReceiver();
    const settings = {redisUrl: cluster.url, env: cluster.env};
    const patient = await startService(settings);
    const hasty = await startService({
      redisUrl: cluster.url,
      env: {...cluster.env, ROLES: 'web'},
      requestMs: 300,
      streaming: {pulse: 200},
    });
    cleanUps.add(() => receiver.close());
    for (const one of [patient, hasty]) cleanUps.add(() => one.close());
    const workspace = await patient.addWorkspace();
    const fixtures = await addFixtures(workspace, receiver.url);
    const {date} = await openPastRun(workspace);
    // Every key of this script exists, and it removes one that it writes again.
    const {connection, slackTroubles} = patient.core.store;
    const keys = workspaceKeys(workspace.id);
    const solved = ['HSET', keys.slackTrouble(fixtures.trouble), 'state', 'done'] as const;
    const later = ['ZADD', keys.slackReady(), String(Date.now() + 3_600_000), 'read-slack'] as const;
    for (const command of [solved, later]) await connection.call(newDeadline(), command);
    const {promise: held, resolve: answer} = Promise.withResolvers<number>();
    receiver.respondWith(() => held);
    const asked = receiver.received.length;
    const post = {body: {team: fixtures.slug, update: 'Before the slot moves.'}};
    expect((await workspace.request('POST', '/v1/standups', post)).status).toBe(201);
    await receiver.waitFor(asked + 1);

    const slot = await holdSlot(headOf(workspace));
    answer(204);
    const trouble = {team: suffixOf(workspace.team), code: 'is_archived'};
    const noted = slackTroubles.note(workspace.id, fixtures.trouble, trouble, performance.now() + 400);
    await expect(noted).rejects.toMatchObject({code: 'service_unavailable'});
    const {advanceRuns} = patient.core.services.runs;
    const advanced = advanceRuns(workspace.operator(), suffixOf(workspace.team)).catch(
      ({code}: AppError) => code,
    );
    const statuses = await runConcurrently(routes, async (route) => {
      const {path, ...given} = sampleOf(route, fixtures);
      const {status} = await sendRequest(hasty.url, route.method, path, {token: workspace.token, ...given});
      return {operation: route.operation, status};
    });
    const unusual = statuses.filter(({status}) => status >= 500 && status !== 503);
    expect(unusual).toEqual([]);
    expect([true, false, 'service_unavailable']).toContain(await advanced);
    await slot.end();

    while (await advanceRuns(workspace.operator(), suffixOf(workspace.team)));
    expect((await workspace.request('GET', `/v1/teams/platform/runs/${date}`)).body.state).toBe('closed');
    const events = await eventsOf(workspace);
    expect(events.filter(({sequence}, i) => sequence !== i + 1)).toEqual([]);
    for (const {core} of [patient, hasty]) {
      expect((await core.store.readServers(newDeadline())).brokenScripts).toBe(0);
    }
  }, 60_000);

  it('shows a standup in Slack once although the slot of its workspace moves while Slack answers', async () => {
    const slack = await startSlack({redisUrl: cluster.url, env: {...cluster.env, SLACK_WORKSPACE: 'acme'}});
    cleanUps.add(() => slack.close());
    const {core, workspace} = slack;
    const principal = await core.services.people.ensureServiceAccount(slack.operator(), 'ci');
    const input = {team: 'platform', update: 'While a slot moves.', source: 'api'} as const;
    await core.services.standups.postStandup({...slack.operator(), principal}, input);
    const {promise: held, resolve: answer} = Promise.withResolvers<void>();
    slack.slack.fail('chat.postMessage', {kind: 'late', until: held});
    const isAsked = () => slack.slack.of('chat.postMessage').length > 0;
    const posting = until(async () => {
      await slack.work();
      return isAsked();
    });
    await until(isAsked, {what: 'Slack is asked'});
    const slot = await holdSlot(workspaceKeys(workspace).head());
    answer();
    await until(slot.hasRefused, {what: 'the script that records the message is refused'});
    await slot.end();
    await posting;
    await until(async () => {
      await slack.work();
      return (await slack.parents()).length > 0;
    });
    expect(await slack.parents()).toHaveLength(1);
    expect((await core.store.readServers(newDeadline())).brokenScripts).toBe(0);
  }, 30_000);

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

  it('regression: has every secret encrypted again only when no slot moves', async () => {
    const [workspace] = workspaces;
    if (workspace === undefined) throw new Error('there is no workspace');
    const opened = await openTestStore({
      url: cluster.url,
      secretKey: nextKey,
      secretKeyPrevious: testSecretKey,
    });
    cleanUps.add(() => opened.store.close());
    const slot = await holdSlot(headOf(workspace));
    const progress = {isDone: false};
    const encrypting = opened.store.reencrypt().finally(() => (progress.isDone = true));
    encrypting.catch(() => undefined);
    try {
      await until(slot.hasRefused, {what: 'it looks whether the slot moves'});
      expect(progress).toEqual({isDone: false});
    } finally {
      await slot.end();
    }
    expect(await encrypting).toEqual({rewritten: expect.any(Number), unreadable: 0});
  });

  it('serves the other workspaces of a process that starts while a master is down', async () => {
    const globalMaster = await cluster.masterOf(globalKeys.generation());
    const owners = await Promise.all(workspaces.map((workspace) => cluster.masterOf(headOf(workspace))));
    // The start checks the rights of its user with these keys.
    const checked = await Promise.all(['{ws_}:absent', '{code:}:absent'].map(cluster.masterOf));
    const killed = [...checked, ...owners].find(({url}) => url !== globalMaster.url);
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
    // A failover may be over by then.
    expect(['degraded', 'ok']).toContain((await store.probe(newDeadline())).state);
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
