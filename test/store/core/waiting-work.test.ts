import {afterAll, beforeAll, beforeEach, expect, it} from '@jest/globals';
import {type RedisCommand, type RedisConnection, openConnection} from '../../../src/store/core/connection.js';
import {globalKeys, workspaceKeys} from '../../../src/store/core/keys.js';
import {createReadySets} from '../../../src/store/core/ready.js';
import {createWaitingWork, type WaitingWork} from '../../../src/store/core/waiting-work.js';
import {createWorkers} from '../../../src/store/core/workers.js';
import {asId, asSuffix} from '../../support/ids.js';
import {testRedisUrl} from '../../support/redis-server.js';

const workspace = asId<'workspace'>('ws_00000000000000000000000000');
const keys = workspaceKeys(workspace);
const webhook = asSuffix<'webhook'>('000000000000000a');
const newDeadline = () => performance.now() + 2_000;

let connection: RedisConnection;
let waitingWork: WaitingWork;
beforeAll(async () => {
  connection = await openConnection({url: await testRedisUrl(), tlsVerify: true, onError: () => undefined});
  waitingWork = createWaitingWork(connection);
});
afterAll(() => connection.close());
beforeEach(() => connection.call(newDeadline(), ['FLUSHDB', 'SYNC']));

const set = (...args: RedisCommand) => connection.call(newDeadline(), args);
const findHold = async () => (await waitingWork.list(workspace, 10, newDeadline())).waiting[0]?.hold;

it('waiting work for webhooks and for Slack is listed by due time, and counted beyond the limit', async () => {
  const now = connection.clock.now();
  await createReadySets(connection).reschedule(workspace, {kind: 'fan-out'}, now + 60_000, newDeadline());
  await createReadySets(connection).reschedule(
    workspace,
    {kind: 'post-slack', channel: 'C1'},
    now - 5_000,
    newDeadline(),
  );
  await set('ZADD', keys.ready(), String(now + 3_600_000), 'of-a-newer-version/1');
  const {waiting, total} = await waitingWork.list(workspace, 2, newDeadline());
  expect(total).toBe(3);
  expect(waiting.map(({name}) => name)).toEqual(['post-slack/C1', 'fan-out']);
  expect(waiting[0]?.dueInMs).toBeLessThanOrEqual(-5_000);
  expect(waiting[1]?.dueInMs).toBeGreaterThan(50_000);
  const [, , unknown] = (await waitingWork.list(workspace, 3, newDeadline())).waiting;
  expect(unknown).toMatchObject({name: 'of-a-newer-version/1', work: undefined});
});

it('waiting deliveries are shown as held by the requests whose leases have not ended', async () => {
  const now = connection.clock.now();
  await set('ZADD', keys.ready(), String(now + 4_000), `deliver/${webhook}`);
  expect(await findHold()).toBeUndefined();
  await set('ZADD', keys.inflight(webhook), String(now + 4_000), 'one', String(now - 1), 'ended');
  await set('ZADD', keys.replaying(webhook), String(now + 30_000), 'two');
  expect(await findHold()).toMatchObject({by: 'requests', count: 2});
});

it('waiting posts of a Slack channel are shown as held by a process, or by Slack during a pause', async () => {
  await set('ZADD', keys.slackReady(), '0', 'post-slack/C1');
  expect(await findHold()).toBeUndefined();
  await set('SET', keys.slackLease('C1'), 'process.turn', 'PX', '5000');
  expect(await findHold()).toMatchObject({by: 'turn', holder: 'process.turn'});
  await set('SET', keys.slackLease('C1'), 'paused', 'PX', '5000');
  expect(await findHold()).toMatchObject({by: 'slack'});
});

it('active processes are listed with the schedulers that they run, the most recently seen first', async () => {
  const workers = createWorkers(connection);
  await workers.join('new', '', newDeadline());
  await set('HSET', globalKeys.workers(), 'silent', `${connection.clock.now() - 60_000} `);
  await createReadySets(connection).holdScheduler('slack', 'silent', 3_000, newDeadline());
  await createReadySets(connection).holdScheduler('service', 'new', 3_000, newDeadline());
  const found = await waitingWork.listWorkers(newDeadline());
  expect(found.map(({holder, sides}) => [holder, sides])).toEqual([
    ['new', ['service']],
    ['silent', ['slack']],
  ]);
  expect(found[1]?.silentMs).toBeGreaterThan(50_000);
});
