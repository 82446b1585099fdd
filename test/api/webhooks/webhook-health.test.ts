import {afterAll, beforeAll, beforeEach, describe, expect, it} from '@jest/globals';
import type {RedisCommand} from '../../../src/store/core/connection.js';
import {findDurationBucket} from '../../../src/domain/webhooks/webhook-health.js';
import {workspaceKeys, type WorkspaceKeys} from '../../../src/store/core/keys.js';
import {addWebhook, deliveriesOf, fanOutOnce, type JobWebhook, postStandups} from '../../jobs/stage.js';
import {type Receiver, startReceiver} from '../../support/receiver.js';
import {type Json, startService, type TestService, type TestWorkspace} from '../../support/service.js';
import {expectProblem} from '../http/expect-problem.js';
import {addPerson} from '../people.js';
import {asSuffix} from '../../support/ids.js';
import type {IdSuffix} from '../../../src/domain/core/ids.js';

const hourMs = 3_600_000;

// No worker runs: the test writes the state that one would have left.
let service: TestService;
let receiver: Receiver;
let workspace: TestWorkspace;
let hook: JobWebhook;
let keys: WorkspaceKeys;

beforeAll(async () => {
  service = await startService({env: {ROLES: 'web'}});
  receiver = await startReceiver();
});

beforeEach(async () => {
  workspace = await service.addWorkspace();
  hook = await addWebhook(workspace, receiver);
  keys = workspaceKeys(workspace.id);
});

afterAll(async () => {
  await service.close();
  await receiver.close();
});

const redis = (...args: RedisCommand) => service.core.store.connection.call(performance.now() + 5_000, args);

const keep = (key: string, fields: object) =>
  redis('HSET', key, ...Object.entries(fields).map(String).join().split(','));

const health = async (): Promise<Json> => {
  const {status, body, headers} = await workspace.request('GET', `/v1/webhooks/${hook.id}/health`);
  expect([status, headers.get('etag')]).toEqual([200, null]);
  return body;
};

const pendingOnes = async (): Promise<IdSuffix<'delivery'>[]> => {
  await fanOutOnce(service, workspace);
  return (await redis('ZRANGE', keys.pending(hook.suffix), '0', '-1')) as IdSuffix<'delivery'>[];
};

const quiet = {succeeded: 0, failed: 0, errors: {}, p50_ms: null, p95_ms: null};

describe('the health of a webhook', () => {
  it('is blank before the first attempt', async () => {
    expect(await health()).toEqual({
      object: 'webhook_health',
      webhook_id: hook.id,
      enabled: true,
      attempts: {succeeded: 0, failed: 0, success_rate: null, p50_ms: null, p95_ms: null},
      hours: Array.from({length: 25}, () => ({...quiet, at: expect.stringMatching(/:00:00\.000Z$/)})),
      last_attempt: null,
      backlog: {pending: 0, in_flight: 0, behind: 0, oldest_age_ms: null, next_attempt_at: null},
      breaker: {state: 'closed', opened_at: null, next_probe_at: null},
      failing_since: null,
      consecutive_failures: 0,
      same_failures: 0,
      missed: {events: 0, since: null},
    });
  });

  it('adds up the attempts of the last day, and no older ones', async () => {
    const hour = Math.floor(Date.now() / hourMs);
    await keep(keys.health(hook.suffix, hour), {ok: 90, bad: 1, [findDurationBucket(80)]: 91});
    await keep(keys.health(hook.suffix, hour - 23), {ok: 4, bad: 5, [findDurationBucket(900)]: 9});
    await keep(keys.health(hook.suffix, hour - 26), {ok: 0, bad: 500, [findDurationBucket(9_000)]: 500});
    const {attempts} = await health();
    expect(attempts).toMatchObject({succeeded: 94, failed: 6, success_rate: 0.94});
    expect(Math.abs(attempts.p50_ms / 80 - 1)).toBeLessThan(0.1);
    expect(Math.abs(attempts.p95_ms / 900 - 1)).toBeLessThan(0.1);
  });

  it('shows the attempts of each of 25 hours, ending with the present one, and why they failed', async () => {
    const hour = Math.floor(Date.now() / hourMs);
    const long = findDurationBucket(15_000);
    await keep(keys.health(hook.suffix, hour - 24), {ok: 2, [findDurationBucket(80)]: 2});
    await keep(keys.health(hook.suffix, hour), {ok: 1, bad: 3, timeout: 2, status: 1, [long]: 4});
    await keep(keys.health(hook.suffix, hour - 25), {ok: 70});
    const {hours, attempts} = await health();
    expect(hours).toHaveLength(25);
    expect(hours.map(({at}: Json) => Date.parse(at) / hourMs - hour)).toEqual(
      Array.from({length: 25}, (_, i) => i - 24),
    );
    expect(hours[0]).toMatchObject({succeeded: 2, failed: 0, errors: {}});
    expect(hours[24]).toMatchObject({succeeded: 1, failed: 3, errors: {timeout: 2, status: 1}});
    expect(Math.abs(hours[24].p50_ms / 15_000 - 1)).toBeLessThan(0.1);
    expect(hours.slice(1, 24).map(({succeeded, failed}: Json) => succeeded + failed)).toEqual(
      Array.from({length: 23}, () => 0),
    );
    expect(attempts).toMatchObject({succeeded: 3, failed: 3});
  });

  it('shows for how long its receiver has failed, and when the breaker will allow a request', async () => {
    const [opened, probe, failing] = [1_800_000_000_000, 1_800_000_030_000, 1_799_999_000_000];
    await keep(keys.webhookState(hook.suffix), {breaker: 'open', opened, probe, failing, failed: 12});
    const at = (ms: number) => new Date(ms).toISOString();
    expect(await health()).toMatchObject({
      breaker: {state: 'open', opened_at: at(opened), next_probe_at: at(probe)},
      failing_since: at(failing),
      consecutive_failures: 12,
    });
    await keep(keys.webhookState(hook.suffix), {breaker: 'ramp', ramp: 1});
    const {breaker} = await health();
    expect(breaker).toEqual({state: 'recovering', opened_at: at(opened), next_probe_at: null});
  });

  it('shows which events were never queued', async () => {
    await keep(keys.webhookState(hook.suffix), {missed: 17, missed_at: 1_800_000_000_000});
    expect((await health()).missed).toEqual({events: 17, since: '2027-01-15T08:00:00.000Z'});
  });

  it('counts the deliveries that wait at each priority, and those being sent', async () => {
    await redis('ZADD', keys.pending(hook.suffix), '2000000000000', 'a', '2000000000001', 'b');
    await redis('ZADD', keys.replays(hook.suffix), '1900000000000', 'c');
    await redis('ZADD', keys.waiting(hook.suffix), '0', 'team:0000000000000001:d');
    await redis('ZADD', keys.inflight(hook.suffix), '2000000000000', 'e');
    await redis('ZADD', keys.replaying(hook.suffix), '2000000000000', 'f');
    expect((await health()).backlog).toMatchObject({
      pending: 4,
      in_flight: 2,
      next_attempt_at: '2030-03-17T17:46:40.000Z',
    });
  });

  it('shows the oldest waiting delivery, however far its next attempt has been postponed', async () => {
    await postStandups(workspace, 1);
    const [old = ''] = await pendingOnes();
    await postStandups(workspace, 2);
    expect(await pendingOnes()).toHaveLength(3);
    await redis('ZADD', keys.pending(hook.suffix), String(Date.now() + 9 * hourMs), old);
    const newer = Array.from({length: 300}, (_, i) => [String(i), `${String(i).padStart(8, '0')}zzzzzzzz`]);
    await redis('ZADD', keys.pending(hook.suffix), ...newer.flat());
    const {created_at: created} = (await deliveriesOf(workspace, hook)).at(-1);
    const {backlog} = await health();
    const since = Date.now() - Date.parse(created);
    expect(backlog.oldest_age_ms).toBeGreaterThan(since - 1_000);
    expect(backlog.oldest_age_ms).toBeLessThanOrEqual(since + 1_000);
    const newest = (await deliveriesOf(workspace, hook))[0].created_at;
    expect(Date.parse(newest)).toBeGreaterThan(Date.parse(created));
  });

  it('shows no next attempt if the webhook is disabled', async () => {
    await postStandups(workspace, 1);
    await pendingOnes();
    expect((await health()).backlog.next_attempt_at).toEqual(expect.any(String));
    await workspace.request('PATCH', `/v1/webhooks/${hook.id}`, {body: {enabled: false}});
    expect(await health()).toMatchObject({enabled: false, backlog: {pending: 1, next_attempt_at: null}});
  });

  it('is included in the list of webhooks on request', async () => {
    const other = await addWebhook(workspace, receiver);
    await pendingOnes();
    const list = async (query: string) => (await workspace.request('GET', `/v1/webhooks${query}`)).body;
    const {data, has_more} = await list('?include=health&limit=1');
    expect([data.length, data[0].id, has_more]).toEqual([1, other.id, true]);
    const all = (await list('?include=health')).data;
    const shown = all.find(({id}: Json) => id === hook.id);
    expect(shown.health).toEqual({...(await health()), backlog: shown.health.backlog});
    expect(shown.health.backlog).toMatchObject({pending: (await health()).backlog.pending});
    expect((await list('')).data[0]).not.toHaveProperty('health');
  });

  it('is shown to managers of the workspace only', async () => {
    const path = `/v1/webhooks/${hook.id}/health`;
    const [member, admin] = [
      await addPerson(service, workspace),
      await addPerson(service, workspace, {role: 'admin'}),
    ];
    expectProblem(await workspace.request('GET', path, {token: member.token}), 'forbidden');
    expect((await workspace.request('GET', path, {token: admin.token})).status).toBe(200);
    expectProblem(await (await service.addWorkspace()).request('GET', path), 'not_found');
  });
});

describe('the state of a delivery', () => {
  const states = async (query = '') => {
    const {body} = await workspace.request('GET', `/v1/webhooks/${hook.id}/deliveries${query}`);
    return body.data.map(({state}: Json) => state);
  };

  it('is held while the breaker is open if the delivery is due, and stays retrying if its time is still to come', async () => {
    await postStandups(workspace, 2);
    const [first = '', second = asSuffix<'delivery'>('')] = await pendingOnes();
    const later = Date.now() + 5 * hourMs;
    await redis('ZADD', keys.pending(hook.suffix), String(later), second);
    await redis('HSET', keys.delivery(second), 'state', 'retrying');
    const probe = Date.now() + 60_000;
    await keep(keys.webhookState(hook.suffix), {breaker: 'open', opened: probe - 90_000, probe});
    const held = (await workspace.request('GET', `/v1/webhooks/${hook.id}/deliveries?state=held`)).body.data;
    expect(held).toMatchObject([{state: 'held', next_attempt_at: new Date(probe).toISOString()}]);
    expect(held[0].id.endsWith(first)).toBe(true);
    const retrying = await workspace.request('GET', `/v1/webhooks/${hook.id}/deliveries?state=retrying`);
    expect(retrying.body.data).toMatchObject([{next_attempt_at: new Date(later).toISOString()}]);
    expect(await states('?state=pending')).toEqual([]);
    await keep(keys.webhookState(hook.suffix), {breaker: 'ramp'});
    expect((await states()).toSorted()).toEqual(['pending', 'retrying']);
  });

  it('is pending, without a time, behind another delivery of its team, and held while the webhook is disabled', async () => {
    hook = await addWebhook(workspace, receiver, {ordering: 'per_team'});
    await postStandups(workspace, 3);
    expect(await pendingOnes()).toHaveLength(1);
    const shown = await deliveriesOf(workspace, hook);
    expect(shown.map(({state}) => state)).toEqual(['pending', 'pending', 'pending']);
    expect(shown.map(({next_attempt_at: next}) => next === null)).toEqual([true, true, false]);
    expect(await states('?state=pending')).toHaveLength(3);
    expect((await health()).backlog).toMatchObject({pending: 3, in_flight: 0});
    await workspace.request('PATCH', `/v1/webhooks/${hook.id}`, {body: {enabled: false}});
    expect(await states('?state=held')).toHaveLength(3);
  });

  it('is shown for a replay in the same way', async () => {
    await postStandups(workspace, 1);
    const [suffix = ''] = await pendingOnes();
    await redis('ZREM', keys.pending(hook.suffix), suffix);
    await redis('ZADD', keys.replays(hook.suffix), '1900000000000', suffix);
    const [waiting] = await deliveriesOf(workspace, hook);
    expect(waiting).toMatchObject({state: 'pending', next_attempt_at: '2030-03-17T17:46:40.000Z'});
    await redis('ZREM', keys.replays(hook.suffix), suffix);
    await redis('ZADD', keys.replaying(hook.suffix), '2000000000000', suffix);
    expect(await states()).toEqual(['delivering']);
  });
});
