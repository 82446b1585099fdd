import {afterAll, beforeAll, beforeEach, expect, it} from '@jest/globals';
import type {RedisCommand} from '../../../src/store/core/connection.js';
import {workspaceKeys} from '../../../src/store/core/keys.js';
import {startTestRedis, type TestRedis} from '../../support/redis-server.js';
import {type Json, startService, type TestService, type TestWorkspace} from '../../support/service.js';
import {expectProblem} from '../http/expect-problem.js';
import {addPerson} from '../people.js';
import {make} from '../samples.js';
import {addWebhook, fanOutOnce, postStandups} from '../../jobs/stage.js';

const share = 1_000_000;
const env = {ROLES: 'web', RATE_LIMIT: '0', RATE_LIMIT_WRITES: '0', WORKSPACE_BYTES: String(share)};
let redis: TestRedis;
let service: TestService;
let workspace: TestWorkspace;

beforeAll(async () => {
  redis = await startTestRedis({appendfsync: 'no'});
  service = await startService({redisUrl: redis.url, env});
});

beforeEach(async () => {
  workspace = await service.addWorkspace();
});

afterAll(async () => {
  await service.close();
  await redis.stop();
});

const newDeadline = (): number => performance.now() + 5_000;
const redisCall = (...command: RedisCommand): Promise<string | null> =>
  service.core.store.connection.call<string | null>(newDeadline(), command);
const measure = (): Promise<void> =>
  service.core.store.workspaceBytes.measure(newDeadline, new AbortController().signal);

/** The exact value of the counter, in bytes. */
async function counted(): Promise<number> {
  return Number(await redisCall('HGET', workspaceKeys(workspace.id).head(), 'bytes'));
}

async function stored(): Promise<Json> {
  const {body} = await workspace.request('GET', '/v1/workspace');
  return body.storage;
}

const large = {
  team: 'platform',
  update: 'ä'.repeat(4_000),
  metadata: Object.fromEntries(Array.from({length: 20}, (_, i) => [`key-${i}`, 'ö'.repeat(500)])),
};

/** Posts until a post is refused. Returns the refusal and the earlier posts. */
async function fill(): Promise<{refusal: Json; posted: string[]}> {
  const posted: string[] = [];
  for (;;) {
    const answer = await workspace.request('POST', '/v1/standups', {body: large});
    if (answer.status !== 201) return {refusal: answer, posted};
    posted.push(answer.body.id);
    expect(posted.length).toBeLessThan(100);
  }
}

it('only a workspace that has used up its share is refused new data, with the remedy', async () => {
  const neighbour = await service.addWorkspace();
  const {refusal, posted} = await fill();
  expectProblem(refusal, 'workspace_full');
  expect(refusal.body.detail).toMatch(/retention_days.*WORKSPACE_BYTES/);
  expect(posted.length).toBeGreaterThan(15);
  expect((await stored()).used_bytes).toBeGreaterThanOrEqual(share);
  expect((await stored()).limit_bytes).toBe(share);
  const body = {team: 'platform', update: 'Not full.'};
  expect((await neighbour.request('POST', '/v1/standups', {body})).status).toBe(201);
});

it('a full workspace can be read, exported and cleared, and members can sign in and revoke tokens', async () => {
  const owner = await addPerson(service, workspace, {role: 'owner'});
  const spare = await workspace.addToken();
  const headers = {'idempotency-key': 'before-it-is-full'};
  const small = {team: 'platform', update: 'Small.'};
  const first = await workspace.request('POST', '/v1/standups', {body: small, headers});
  const {posted} = await fill();
  const statusOf = async (method: string, path: string, sent?: object) =>
    (await workspace.request(method, path, sent && {body: sent})).status;
  expect(await statusOf('GET', `/v1/standups/${posted[0]}`)).toBe(200);
  expect(await statusOf('GET', '/v1/standups?limit=10')).toBe(200);
  expect(await statusOf('GET', '/v1/export')).toBe(200);
  const link = await workspace.request('POST', '/v1/sign-in-links', {token: owner.token, body: {}});
  expect(link.status).toBe(201);
  expect(await statusOf('DELETE', `/v1/tokens/${spare.id}`)).toBe(204);
  expect(await statusOf('DELETE', `/v1/standups/${posted[0]}`)).toBe(204);
  expect(await statusOf('PATCH', '/v1/workspace', {retention_days: 30})).toBe(200);
  const again = await workspace.request('POST', '/v1/standups', {body: small, headers});
  expect(again.body.id).toBe(first.body.id);
});

it('the storage count is close to the real use, and a measurement corrects it', async () => {
  for (let i = 0; i < 10; i += 1) {
    await make(workspace, '/v1/standups', large);
    await make(workspace, '/v1/standups', {team: 'platform', update: `Small ${i}.`});
  }
  const before = await counted();
  await measure();
  const after = await counted();
  expect(before).toBeGreaterThan(0.7 * after);
  expect(before).toBeLessThan(1.5 * after);
  await measure();
  expect(await counted()).toBe(after);
});

it('regression: deliveries count toward the share of the workspace when they are made', async () => {
  const busy = await startService({redisUrl: redis.url, env: {...env, WORKSPACE_BYTES: '0'}});
  workspace = await busy.addWorkspace();
  for (let i = 0; i < 40; i += 1) await addWebhook(workspace, {url: `http://127.0.0.1:9999/${i}`});
  await postStandups(workspace, 60);
  await fanOutOnce(busy, workspace);
  const before = await counted();
  await measure();
  const after = await counted();
  await busy.close();
  expect(before).toBeGreaterThan(0.7 * after);
  expect(before).toBeLessThan(1.5 * after);
});

it('a workspace from before storage was counted is first measured', async () => {
  await make(workspace, '/v1/standups', large);
  await measure();
  const known = await counted();
  await redisCall('HDEL', workspaceKeys(workspace.id).head(), 'bytes');
  await measure();
  expect(await counted()).toBeGreaterThan(0.9 * known);
});

it('the erasure of a member makes room at once', async () => {
  const {refusal} = await fill();
  expectProblem(refusal, 'workspace_full');
  const before = await counted();
  const call = {...workspace.operator(), deadline: newDeadline()};
  const standups = (await workspace.request('GET', '/v1/standups?limit=5')).body.data as Json[];
  for (const {id, revision} of standups) {
    const outcome = await service.core.store.commits.run(call, {
      effect: 'release',
      guards: [],
      writes: [{do: 'remove', id, from: revision, lists: [], names: [], how: 'erase'}],
      events: [],
      reply: {kind: 'empty'},
    });
    expect(outcome.kind).toBe('committed');
  }
  expect(await counted()).toBeLessThan(before - 4 * 30_000);
  expect((await workspace.request('POST', '/v1/standups', {body: large})).status).toBe(201);
});
