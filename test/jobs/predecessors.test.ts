import {afterEach, beforeEach, expect, it} from '@jest/globals';
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {readHostProcesses} from '../../src/jobs/host-process.js';
import {globalKeys, workspaceKeys} from '../../src/store/keys.js';
import {type Receiver, startReceiver} from '../support/receiver.js';
import {testRedisUrl} from '../support/redis-server.js';
import {startService, type TestService, type TestWorkspace} from '../support/service.js';
import {addWebhook, createCleanUps, fanOutOnce, postStandups, soon, startWorker} from './stage.js';

const cleanUps = createCleanUps();
let service: TestService;
let workspace: TestWorkspace;
let receiver: Receiver;

beforeEach(async () => {
  receiver = await startReceiver();
  cleanUps.add(() => receiver.close());
  service = await startService({env: {ROLES: 'web'}});
  cleanUps.add(() => service.close());
  workspace = await service.addWorkspace();
});

afterEach(() => cleanUps.run());

/** A machine on which the named processes have ended. */
const machine = (...ended: string[]) => ({own: 'this one', hasEnded: (one: string) => ended.includes(one)});

/** Claims that a worker held when it was killed: nobody renews them. */
async function leaveClaims(count: number): Promise<string[]> {
  const hook = await addWebhook(workspace, receiver);
  await postStandups(workspace, count);
  await fanOutOnce(service, workspace);
  const {deliveries} = service.core.store;
  const request = {results: [], concurrency: 16, leaseMs: 60_000};
  const {claims} = await deliveries.turn(workspace.id, hook.drawn, request, soon());
  expect(claims).toHaveLength(count);
  // Claimed before the next one came, as all that the dead one held.
  const keys = workspaceKeys(workspace.id);
  const {now} = await service.core.store.workers.join('watcher', '', soon());
  await service.core.store.workers.leave('watcher', soon());
  const end = String(now + 3_900);
  for (const {drawn} of claims) await call('ZADD', keys.inflight(hook.drawn), end, drawn);
  await call('ZADD', keys.ready(), end, `deliver/${hook.drawn}`);
  return claims.map(({drawn}) => drawn);
}

function call<T extends string | number | null>(...args: string[]): Promise<T> {
  return service.core.store.connection.call<T>(soon(), args);
}

async function start(holder: string, host: ReturnType<typeof machine>) {
  const worker = await startWorker(service, {queueUrl: await testRedisUrl(), holder, host});
  cleanUps.add(() => worker.close());
}

it('regression: a worker that starts takes back at once what its dead predecessor held, and the pump', async () => {
  const claimed = await leaveClaims(5);
  await service.core.store.workers.join('dead', 'killed', soon());
  await call('SET', globalKeys.pump(), 'dead', 'PX', '60000');
  const startedAt = performance.now();
  await start('next', machine('killed'));
  const received = await receiver.waitFor(claimed.length);
  // A lease lasts for four seconds.
  expect(performance.now() - startedAt).toBeLessThan(2_500);
  expect(received.map(({headers}) => headers['standup-attempt'])).toEqual(claimed.map(() => '2'));
  expect(await call('GET', globalKeys.pump())).toBe('next');
});

it('leases are left to run out by themselves while any other worker may hold them', async () => {
  const {workers} = service.core.store;
  await leaveClaims(2);
  await workers.join('dead', 'killed', soon());
  await workers.join('elsewhere', 'on another machine', soon());
  const startedAt = performance.now();
  await start('next', machine('killed'));
  await receiver.waitFor(2);
  expect(performance.now() - startedAt).toBeGreaterThan(2_500);
});

it('a worker that stops is no longer known', async () => {
  const {workers} = service.core.store;
  const worker = await startWorker(service, {queueUrl: await testRedisUrl(), holder: 'first'});
  expect((await workers.join('watcher', '', soon())).others).toMatchObject([{holder: 'first'}]);
  await worker.close();
  expect((await workers.join('watcher', '', soon())).others).toEqual([]);
});

it('knows by the machine which process has ended, and takes none for another with its number', async () => {
  const {own = '', hasEnded} = readHostProcesses();
  expect(hasEnded(own)).toBe(false);
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], {stdio: 'ignore'});
  cleanUps.add(() => child.kill('SIGKILL'));
  await once(child, 'spawn');
  const [boot, namespace, , start] = own.split(' ');
  const here = `${boot} ${namespace}`;
  expect(hasEnded(`${here} ${child.pid} ${start}`)).toBe(true);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(hasEnded(`${here} ${child.pid} 1`)).toBe(true);
  expect(hasEnded(`other-boot pid:[1] ${child.pid} 1`)).toBe(false);
  expect(hasEnded('')).toBe(false);
});
