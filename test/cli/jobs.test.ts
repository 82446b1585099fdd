import {afterEach, beforeEach, expect, it} from '@jest/globals';
import {sendToRedis} from '../../scripts/redis-protocol.mjs';
import {type Receiver, startReceiver} from '../support/receiver.js';
import {testRedisUrl} from '../support/redis-server.js';
import {startService, type TestService, type TestWorkspace} from '../support/service.js';
import {rowsOf, runStandup} from './run-standup.js';

let service: TestService;
let workspace: TestWorkspace;
let receiver: Receiver;

beforeEach(async () => {
  receiver = await startReceiver();
  service = await startService();
  workspace = await service.addWorkspace();
});

afterEach(async () => {
  await receiver.close();
  await service.close();
});

const jobs = (...args: string[]) => runStandup(['jobs', ...args], {REDIS_URL: service.redisUrl});

it('standup-admin jobs shows the waiting work, since when it waits, and which process works on it', async () => {
  // Slack has been served here and no longer is.
  await service.core.store.events.addConsumer(workspace.id, 'slack', performance.now() + 5_000);
  let answer = (): void => undefined;
  const held = new Promise<number>((resolve) => (answer = () => resolve(204)));
  const made = await workspace.request('POST', '/v1/webhooks', {
    body: {url: receiver.url, events: ['team.created']},
  });
  expect(made.status).toBe(201);
  const webhook = made.body;
  receiver.respondWith(() => held);
  const schedule = {frequency: 'weekly', days: ['mon'], opens: '09:00', closes: '17:00'};
  const {status} = await workspace.request('POST', '/v1/teams', {
    body: {slug: 'quality', name: 'Quality', schedule},
  });
  expect(status).toBe(201);
  await receiver.waitFor(1);

  const {code, stdout, stderr} = await jobs();
  expect({code, stderr}).toEqual({code: 0, stderr: ''});
  const [processes = '', queues = '', waiting = ''] = stdout.split('\n\n');
  expect(rowsOf(processes)).toEqual([
    [expect.stringMatching(/^[0-9a-f]{16}$/), expect.stringMatching(/ ago$/), 'service'],
  ]);
  expect(rowsOf(queues)).toEqual([
    ['turns', '0', expect.any(String), '0', '0'],
    ['turns-slack', '0', '0', '0', '0'],
  ]);
  const {slug} = (await workspace.request('GET', '/v1/workspace')).body;
  const rows = rowsOf(waiting);
  expect(rows).toContainEqual([
    slug,
    'deliver',
    webhook.id,
    expect.stringMatching(/^in /),
    expect.stringMatching(/^1 request, at most [\d.]+ s$/),
  ]);
  expect(rows).toContainEqual([
    slug,
    'read-slack',
    expect.stringMatching(/^for /),
    'no process serves Slack',
  ]);
  expect(rows).toContainEqual([slug, 'schedule', 'quality', expect.stringMatching(/^in \d+ (min|h|days)$/)]);
  answer();
});

it('standup-admin jobs shows at most the requested number of rows of a workspace, and says how many more there are', async () => {
  const schedule = {frequency: 'weekly', days: ['mon'], opens: '09:00', closes: '17:00'};
  for (const slug of ['one', 'two', 'three']) {
    await workspace.request('POST', '/v1/teams', {body: {slug, name: slug, schedule}});
  }
  const {stdout} = await jobs('--limit', '1', '--workspace', workspace.id);
  const rows = rowsOf(stdout.split('\n\n')[2] ?? '');
  expect(rows).toHaveLength(2);
  expect(rows[1]?.[1]).toMatch(/^and [2-9] more$/);
  const wrong = await jobs('--limit', '0');
  expect(wrong).toMatchObject({code: 2, stdout: '', stderr: '"0" is not a number of rows: use 1 to 1000.\n'});
});

it('standup-admin jobs reports that the queue’s Redis does not answer, and shows everything else', async () => {
  const {code, stdout} = await runStandup(['jobs'], {
    REDIS_URL: service.redisUrl,
    QUEUE_REDIS_URL: 'redis://127.0.0.1:1',
  });
  const [, queues = ''] = stdout.split('\n\n');
  expect(code).toBe(0);
  expect(rowsOf(queues)).toEqual([
    ['turns', 'away'],
    ['turns-slack', 'away'],
  ]);
});

it('standup-admin jobs leaves no data behind in the queue’s Redis', async () => {
  const queueUrl = await testRedisUrl();
  const {code, stdout} = await runStandup(['jobs'], {
    REDIS_URL: service.redisUrl,
    QUEUE_REDIS_URL: queueUrl,
  });
  const [, queues = ''] = stdout.split('\n\n');
  expect(code).toBe(0);
  expect(rowsOf(queues)).toEqual([
    ['turns', '0', '0', '0', '0'],
    ['turns-slack', '0', '0', '0', '0'],
  ]);
  expect(await sendToRedis(queueUrl, [['DBSIZE']])).toEqual([0]);
});

it('regression: no job waits for Slack when no process serves Slack, and standup-admin doctor shows the working processes', async () => {
  await workspace.request('POST', '/v1/standups', {body: {team: 'platform', update: 'Nobody shows it.'}});
  const [, , waiting = ''] = (await jobs()).stdout.split('\n\n');
  expect(rowsOf(waiting).map(([, kind]) => kind)).not.toContain('read-slack');
  const {code, stdout} = await runStandup(['doctor'], {REDIS_URL: service.redisUrl});
  expect(code).toBe(0);
  expect(rowsOf(stdout)).toContainEqual(['Worker', '1 seen', 'background work is done']);
});

it('standup-admin jobs says that nothing waits and that no process works', async () => {
  const {code, stdout} = await runStandup(['jobs'], {REDIS_URL: await testRedisUrl()});
  const [processes, , waiting] = stdout.split('\n\n');
  expect({code, processes, waiting}).toEqual({
    code: 0,
    processes: expect.stringMatching(/^No process works here: start a process with ROLES=worker/),
    waiting: 'Nothing waits.\n',
  });
});
