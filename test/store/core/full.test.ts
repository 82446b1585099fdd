import {afterAll, beforeAll, beforeEach, expect, it} from '@jest/globals';
import {sendToRedis} from '../../../scripts/redis-protocol.mjs';
import {isReadOnly} from '../../../src/api/http/route.js';
import {expectProblem} from '../../api/http/expect-problem.js';
import {addFixtures, make, routes, sampleOf} from '../../api/samples.js';
import {startReceiver} from '../../support/receiver.js';
import {startTestRedis, type TestRedis, testRedisUrl} from '../../support/redis-server.js';
import {startService, type TestService, type TestWorkspace} from '../../support/service.js';

let redis: TestRedis;
let service: TestService;
let workspace: TestWorkspace;

beforeAll(async () => {
  redis = await startTestRedis();
  // The queue has another server. On a full server its pauses would outlast the test.
  service = await startService({redisUrl: redis.url, env: {QUEUE_REDIS_URL: await testRedisUrl()}});
});

beforeEach(async () => {
  workspace = await service.addWorkspace();
});

afterAll(async () => {
  await setMemory('0');
  await service.close();
  await redis.stop();
});

/** Limits the memory of Redis. With `1` it is full at once, because more is already in use. */
async function setMemory(bytes: string): Promise<void> {
  await sendToRedis(redis.url, [['CONFIG', 'SET', 'maxmemory', bytes]]);
}

it('a full store still answers reads, and lets members delete and revoke', async () => {
  const standup = await make(workspace, '/v1/standups', {team: 'platform', update: 'Before.'});
  const team = await make(workspace, '/v1/teams', {slug: 'spare'});
  const webhook = await make(workspace, '/v1/webhooks', {
    url: 'https://hooks.example/',
    events: ['team.updated'],
  });
  const spare = await workspace.addToken();
  await setMemory('1');

  const post = () =>
    workspace.request('POST', '/v1/standups', {
      body: {team: 'platform', update: 'When it is full.'},
      headers: {'idempotency-key': 'full'},
    });
  const refused = await post();
  expectProblem(refused, 'storage_full');
  expect(refused.headers.get('retry-after')).toBe('60');
  const path = `/v1/standups/${standup.id}`;
  expectProblem(await workspace.request('PATCH', path, {body: {update: 'Longer.'}}), 'storage_full');
  expectProblem(await workspace.request('POST', '/v1/teams', {body: {slug: 'more'}}), 'storage_full');

  for (const read of [path, '/v1/standups', '/v1/teams', '/v1/events', '/v1/me']) {
    expect((await workspace.request('GET', read)).status).toBe(200);
  }
  const headers = {'idempotency-key': 'delete-when-full'};
  expect((await workspace.request('DELETE', path, {headers})).status).toBe(204);
  const again = await workspace.request('DELETE', path, {headers});
  expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([204, 'true']);
  expect((await workspace.request('DELETE', `/v1/teams/${team.id}`)).status).toBe(204);
  expect((await workspace.request('DELETE', `/v1/webhooks/${webhook.id}`)).status).toBe(204);
  await service.core.services.tokens.revokeToken(workspace.operator(), spare.id);
  expectProblem(await workspace.request('GET', '/v1/me', {token: spare.value}), 'invalid_token');

  await setMemory('0');
  const made = await post();
  expect([made.status, made.headers.get('idempotent-replayed')]).toEqual([201, null]);
  const {body} = await workspace.request('GET', '/v1/standups');
  expect(body.data).toEqual([made.body]);
});

it('regression: a full store allows every read and deletion, and refuses every other change with storage_full', async () => {
  const receiver = await startReceiver();
  const fixtures = await addFixtures(workspace, receiver.url);
  await workspace.request('POST', '/v1/teams/platform/runs');
  // Deletes members, webhooks and teams last, after what belongs to them.
  const last = ['deleteMember', 'deleteWebhook', 'deleteTeam'];
  const rank = ({method, operation}: {method: string; operation: string}) =>
    method === 'DELETE' ? 2 + last.indexOf(operation) : 0;
  await setMemory('1');
  try {
    for (const route of routes.toSorted((a, b) => rank(a) - rank(b))) {
      // It releases what the import keeps of people, as its deletion does, which comes later.
      if (route.operation === 'finishImport') continue;
      const {path, body, token} = sampleOf(route, fixtures);
      const ofOpenRun = route.operation === 'remindTeam' ? '/v1/teams/platform/reminders' : path;
      const answer = await workspace.request(route.method, ofOpenRun, {body, ...(token && {token})});
      // A retry changes nothing if no message waits, and a read inbox only loses entries.
      const isQuiet = isReadOnly(route) || ['retrySlackTrouble', 'readInbox'].includes(route.operation);
      if (isQuiet || route.method === 'DELETE')
        expect({...answer, status: answer.status < 300}).toEqual({...answer, status: true});
      else expectProblem(answer, 'storage_full');
    }
  } finally {
    await setMemory('0');
    await receiver.close();
  }
});

it('regression: a full store still answers the repeat of an earlier request', async () => {
  const post = () =>
    workspace.request('POST', '/v1/standups', {
      body: {team: 'platform', update: 'Before it was full.'},
      headers: {'idempotency-key': 'before-it-was-full'},
    });
  const made = await post();
  await setMemory('1');
  try {
    const again = await post();
    expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([made.text, 'true']);
  } finally {
    await setMemory('0');
  }
});
