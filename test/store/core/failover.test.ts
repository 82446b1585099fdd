import {afterEach, beforeEach, expect, it} from '@jest/globals';
import {sendToRedis} from '../../../scripts/redis-protocol.mjs';
import {expectProblem} from '../../api/http/expect-problem.js';
import {addWebhook, createCleanUps} from '../../jobs/stage.js';
import {type Receiver, startReceiver} from '../../support/receiver.js';
import {startTestRedis, type TestRedis} from '../../support/redis-server.js';
import {sendRequest, startService, type TestService, type TestWorkspace} from '../../support/service.js';
import {type SlowRedis, startSlowRedis} from '../../support/slow-redis.js';
import {until} from '../../support/until.js';

const cleanUps = createCleanUps();
let first: TestRedis;
let second: TestRedis;
/** The address at which the service finds Redis. It leads to the first server, and later to the second. */
let name: SlowRedis;
let receiver: Receiver;
/** A process that answers requests. Another process is the worker. */
let web: TestService;
let workspace: TestWorkspace;

beforeEach(async () => {
  first = await startTestRedis({appendfsync: 'no'});
  cleanUps.add(() => first.stop());
  second = await startTestRedis({appendfsync: 'no', password: new URL(first.url).password});
  cleanUps.add(() => second.stop());
  name = await startSlowRedis(first.url);
  cleanUps.add(() => name.close());
  await follow(second, first);
  receiver = await startReceiver();
  cleanUps.add(() => receiver.close());
  web = await startService({redisUrl: name.url, env: {ROLES: 'web'}});
  cleanUps.add(() => web.close());
  const worker = await startService({redisUrl: name.url, env: {ROLES: 'worker'}});
  cleanUps.add(() => worker.close());
  workspace = await web.addWorkspace();
  await addWebhook(workspace, receiver);
});

afterEach(() => cleanUps.run());

/** Makes one server the replica of another, and waits until it has all data. */
async function follow(replica: TestRedis, master: TestRedis): Promise<void> {
  const {hostname, port, password} = new URL(master.url);
  await sendToRedis(replica.url, [
    ['CONFIG', 'SET', 'repl-diskless-sync-delay', '0'],
    ['CONFIG', 'SET', 'masterauth', password],
    ['REPLICAOF', hostname, port],
  ]);
  await sendToRedis(master.url, [['CONFIG', 'SET', 'repl-diskless-sync-delay', '0']]);
  const isUp = async () =>
    /master_link_status:up/.test(String((await sendToRedis(replica.url, [['INFO', 'replication']]))[0]));
  await until(isUp, {what: 'the copy is one'});
}

/** Makes the second server the master and the first one its replica, without ending a connection. */
async function swap(): Promise<void> {
  await sendToRedis(second.url, [['REPLICAOF', 'NO', 'ONE']]);
  await follow(first, second);
}

const post = () =>
  workspace.request('POST', '/v1/standups', {body: {team: 'platform', update: 'Through the name.'}});

const readiness = () => sendRequest(web.url, 'GET', '/readyz');

async function commandsOf({url}: TestRedis): Promise<string[]> {
  const [clients] = await sendToRedis(url, [['CLIENT', 'LIST']]);
  return [...String(clients).matchAll(/ cmd=(\S+)/g)].map(([, command]) => command ?? '');
}

it('regression: a process whose Redis became read-only uses the new server once the host name points to it', async () => {
  expect((await post()).status).toBe(201);
  await receiver.waitFor(1);
  await swap();
  expectProblem(await post(), 'service_unavailable');
  name.lead(second.url);
  await until(async () => (await post()).status === 201, {
    what: 'it writes again',
    withinMs: 10_000,
    everyMs: 50,
  });
  await receiver.waitFor(2);
  await until(async () => (await readiness()).status === 200, {what: 'it is ready', withinMs: 5_000});
  await until(async () => (await commandsOf(second)).includes('bzpopmin'), {
    what: 'turns are taken from the queue there',
    withinMs: 5_000,
  });
});

it('regression: a process whose Redis is read-only is not ready, still reads, and reconnects only now and then', async () => {
  await post();
  await receiver.waitFor(1);
  await swap();
  const refused = await post();
  expectProblem(refused, 'service_unavailable');
  expect(refused.headers.get('retry-after')).toBe('1');
  const ready = await readiness();
  expect([ready.status, ready.body.store]).toEqual([503, 'read-only']);
  const before = name.connected();
  const begun = performance.now();
  await until(
    async () => {
      expect((await workspace.request('GET', '/v1/standups')).status).toBe(200);
      expectProblem(await post(), 'service_unavailable');
      return performance.now() - begun > 2_500;
    },
    {what: 'two and a half seconds', everyMs: 20},
  );
  // Two processes reconnect, each with connections to the store and to the queue.
  const seconds = (performance.now() - begun) / 1_000;
  expect(name.connected() - before).toBeLessThan(10 * seconds);
  await sendToRedis(first.url, [['REPLICAOF', 'NO', 'ONE']]);
  await until(async () => (await post()).status === 201, {what: 'it writes again', withinMs: 5_000});
  await receiver.waitFor(2);
});
