import {afterAll, afterEach, beforeAll, beforeEach, describe, expect, it} from '@jest/globals';
import type {RedisCommand} from '../../../src/store/core/connection.js';
import {findDurationBucket} from '../../../src/domain/webhooks/webhook-health.js';
import {globalKeys, workspaceKeys} from '../../../src/store/core/keys.js';
import {
  addWebhook,
  deliveryIn,
  fanOutOnce,
  type JobWebhook,
  makeDue,
  postStandups,
} from '../../jobs/stage.js';
import {fillRedis, removeMemoryLimit} from '../../support/full-redis.js';
import {type Receiver, startReceiver} from '../../support/receiver.js';
import {startTestRedis, type TestRedis} from '../../support/redis-server.js';
import {sendRequest, startService, type TestService, type TestWorkspace} from '../../support/service.js';
import {until} from '../../support/until.js';
import {expectProblem} from './expect-problem.js';
import {sendRaw} from '../raw.js';
import {routes} from '../samples.js';

const token = 'a-token-of-the-operator';

let service: TestService;
let workspace: TestWorkspace;
let receiver: Receiver;

beforeAll(async () => {
  service = await startService({env: {METRICS_TOKEN: token}});
  workspace = await service.addWorkspace();
  receiver = await startReceiver();
});

afterAll(async () => {
  await service.close();
  await receiver.close();
});

const ask = (authorization?: string, on = service) =>
  sendRequest(on.url, 'GET', '/metrics', {...(authorization !== undefined && {headers: {authorization}})});

/** Every sample by name and labels, as Prometheus parses them. */
async function scrape(on = service): Promise<Map<string, number>> {
  const {status, text} = await ask(`Bearer ${token}`, on);
  expect(status).toBe(200);
  const samples = new Map<string, number>();
  for (const line of text.split('\n').filter((each) => each !== '' && !each.startsWith('#'))) {
    const [, name = '', value] = /^([a-z0-9_]+(?:\{(?:[a-z_]+="[^"\\\n]*",?)+\})?) (\S+)$/.exec(line) ?? [];
    expect({line, name, value}).toMatchObject({name: expect.stringMatching(/./)});
    expect({name, twice: samples.has(name)}).toEqual({name, twice: false});
    samples.set(name, value === 'Nan' ? Number.NaN : Number(value));
  }
  return samples;
}

/** Waits until the index has a workspace, which gets its work up to 20 ms later. */
const untilIndexed = ({core}: TestService, {id}: TestWorkspace) =>
  until(
    async () =>
      (await core.store.connection.call(performance.now() + 5_000, ['ZSCORE', globalKeys.due(), id])) !==
      null,
    {what: 'the index has the workspace'},
  );

const requests = (operation: string, method: string, status: string) =>
  `{operation="${operation}",method="${method}",status="${status}"}`;

describe('/metrics', () => {
  it('does not exist without METRICS_TOKEN', async () => {
    const without = await startService();
    try {
      expectProblem(await ask(undefined, without), 'not_found');
      expectProblem(await ask(`Bearer ${token}`, without), 'not_found');
    } finally {
      await without.close();
    }
  });

  it('requires its token', async () => {
    const answer = await ask();
    expectProblem(answer, 'authentication_required');
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer realm=/);
  });

  it.each([
    ['another token', 'Bearer another-token'],
    ['a part of its token', `Bearer ${token.slice(0, -1)}`],
    ['its token with a suffix', `Bearer ${token}x`],
    ['an empty token', 'Bearer'],
    ['its token with another scheme', `Basic ${token}`],
  ])('refuses %s', async (_, authorization) => {
    expectProblem(await ask(authorization), 'invalid_token');
  });

  it('refuses an access token of the API, whatever its scopes', async () => {
    expectProblem(await ask(`Bearer ${workspace.token}`), 'invalid_token');
  });

  it('answers in the text format, and is not cached', async () => {
    const {status, headers} = await ask(`Bearer ${token}`);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(headers.get('cache-control')).toBe('no-store');
  });
});

it('requests are counted and timed by operation, method and class of status', async () => {
  const before = await scrape();
  const {body} = await workspace.request('POST', '/v1/standups', {
    body: {team: 'platform', update: 'Counted.'},
  });
  await workspace.request('POST', '/v1/standups', {body: {}});
  await workspace.request('GET', `/v1/standups/${body.id}`);
  await workspace.request('GET', '/v1/standups/std_0');
  await workspace.request('HEAD', `/v1/standups/${body.id}`);
  await workspace.request('GET', '/v1/nothing');
  await sendRequest(service.url, 'GET', '/healthz');
  const after = await scrape();
  const grown = (name: string) => (after.get(name) ?? 0) - (before.get(name) ?? 0);
  for (const [operation, method, status, count] of [
    ['postStandup', 'POST', '2xx', 1],
    ['postStandup', 'POST', '4xx', 1],
    ['getStandup', 'GET', '2xx', 1],
    ['getStandup', 'GET', '4xx', 1],
    ['getStandup', 'HEAD', '2xx', 1],
    ['none', 'GET', '4xx', 1],
  ] as const) {
    const labels = requests(operation, method, status);
    expect({labels, count: grown(`standup_http_requests_total${labels}`)}).toEqual({labels, count});
    expect(grown(`standup_http_request_duration_seconds_count${labels}`)).toBe(count);
    expect(grown(`standup_http_request_duration_seconds_sum${labels}`)).toBeGreaterThan(0);
  }
});

it('no label contains text of a caller, only names of the route table, known methods and classes', async () => {
  await workspace.request('GET', '/v1/standups/std_01jd0000007000000000000000');
  await workspace.request('GET', '/v1/teams/chosen-by-me?team=chosen-by-me');
  await sendRequest(service.url, 'PROPFIND', '/v1/chosen-by-me');
  const operations = new Set(['none', 'open', 'slack', ...routes.map(({operation}) => operation)]);
  const names = [...(await scrape()).keys()];
  expect(names.join('\n')).not.toMatch(/chosen|std_|01jd|PROPFIND/);
  const ofWebhooks = /^standup_webhook_\w+\{workspace="ws_\w+",webhook="whk_\w+"/;
  for (const name of names.filter((each) => each.includes('ws_'))) expect(name).toMatch(ofWebhooks);
  for (const name of names.filter((each) => each.includes('operation='))) {
    const [, operation = '', method, status] =
      /operation="(\w+)",method="(\w+)",status="(\w+)"/.exec(name) ?? [];
    expect({name, known: operations.has(operation)}).toEqual({name, known: true});
    expect(method).toMatch(/^(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|other)$/);
    expect(status).toMatch(/^[1-5]xx$/);
  }
});

it('requests that the HTTP parser refuses are counted', async () => {
  const name = 'standup_http_refused_total{status="400"}';
  const before = (await scrape()).get(name) ?? 0;
  await sendRaw(service.url, 'what is this\r\n\r\n');
  expect((await scrape()).get(name)).toBe(before + 1);
});

it('the process shows its event loop, its memory and its version', async () => {
  const samples = await scrape();
  expect(samples.get('standup_build_info{version="test"}')).toBe(1);
  expect(samples.get('standup_store_up')).toBe(1);
  for (const name of [
    'nodejs_eventloop_lag_p99_seconds',
    'process_resident_memory_bytes',
    'process_cpu_seconds_total',
  ]) {
    expect(samples.get(name)).toBeGreaterThanOrEqual(0);
  }
});

describe('waiting work in the metrics', () => {
  // A service without a worker, so that posted deliveries stay waiting.
  let idle: TestService;
  let busy: TestWorkspace;
  let hook: JobWebhook;

  beforeAll(async () => {
    idle = await startService({env: {METRICS_TOKEN: token, ROLES: 'web'}});
    busy = await idle.addWorkspace();
    hook = await addWebhook(busy, receiver);
  });

  afterAll(() => idle.close());

  const call = (args: RedisCommand) => idle.core.store.connection.call(performance.now() + 5_000, args);

  it('is shown as work that is due', async () => {
    await postStandups(busy, 3);
    await untilIndexed(idle, busy);
    expect((await scrape(idle)).get('standup_work_due{kind="fan-out"}')).toBe(1);
  });

  it('is shown as deliveries: pending, in flight, held, and the age of the oldest', async () => {
    const keys = workspaceKeys(busy.id);
    const now = Date.now();
    await call([
      'ZADD',
      keys.pending(hook.suffix),
      `${now - 90_000}`,
      'a',
      `${now + 3_600_000}`,
      'b',
      `${now}`,
      'c',
    ]);
    await call(['ZADD', keys.inflight(hook.suffix), `${now + 4_000}`, 'd']);
    const open = await scrape(idle);
    expect(open.get('standup_deliveries{state="pending"}')).toBe(3);
    expect(open.get('standup_deliveries{state="inflight"}')).toBe(1);
    expect(open.get('standup_deliveries{state="held"}')).toBe(0);
    expect(open.get('standup_delivery_oldest_due_seconds')).toBeGreaterThanOrEqual(90);
    expect(open.get('standup_delivery_oldest_due_seconds')).toBeLessThan(120);

    await busy.request('PATCH', `/v1/webhooks/${hook.id}`, {body: {enabled: false}});
    const held = await scrape(idle);
    expect(held.get('standup_deliveries{state="held"}')).toBe(3);
    expect(held.get('standup_deliveries{state="pending"}')).toBe(0);
    expect(held.get('standup_delivery_oldest_due_seconds')).toBe(0);
  });
});

describe('each webhook in the metrics', () => {
  let idle: TestService;
  let one: TestWorkspace;
  let hook: JobWebhook;

  beforeAll(async () => {
    idle = await startService({env: {METRICS_TOKEN: token, ROLES: 'web'}});
  });

  beforeEach(async () => {
    one = await idle.addWorkspace();
    hook = await addWebhook(one, receiver);
    await postStandups(one, 3);
    await fanOutOnce(idle, one);
    await untilIndexed(idle, one);
  });

  // Waiting deliveries of other tests would be counted too.
  afterEach(() => one.request('DELETE', `/v1/webhooks/${hook.id}`));

  afterAll(() => idle.close());

  const call = (...args: RedisCommand) => idle.core.store.connection.call(performance.now() + 5_000, args);
  const health = async () => (await one.request('GET', `/v1/webhooks/${hook.id}/health`)).body;

  async function openBreaker(): Promise<void> {
    const probe = Date.now() + 20_000;
    const state = {
      breaker: 'open',
      opened: probe - 30_000,
      probe,
      failing: probe - 90_000,
      failed: 7,
      missed: 2,
    };
    await call(
      'HSET',
      workspaceKeys(one.id).webhookState(hook.suffix),
      ...Object.entries(state).flat().map(String),
    );
  }

  /** The webhook's samples, by name and the remaining labels. */
  async function shown(): Promise<Record<string, number>> {
    const labels = `{workspace="${one.id}",webhook="${hook.id}"`;
    const samples = [...(await scrape(idle))].filter(([name]) => name.includes(labels));
    return Object.fromEntries(
      samples.map(([name, value]) => [name.replace(labels, '{').replace('{,', '{').replace('{}', ''), value]),
    );
  }

  it('has the same health as in the API, with times in seconds', async () => {
    const keys = workspaceKeys(one.id);
    const hour = Math.floor(Date.now() / 3_600_000);
    const counts = {ok: 30, bad: 10, [findDurationBucket(50)]: 36, [findDurationBucket(4_000)]: 4};
    await call('HSET', keys.health(hook.suffix, hour), ...Object.entries(counts).flat().map(String));
    await openBreaker();
    const {attempts, backlog, breaker, failing_since: failing} = await health();
    expect(attempts).toMatchObject({succeeded: 30, failed: 10, success_rate: 0.75});
    expect(breaker).toMatchObject({state: 'open', next_probe_at: backlog.next_attempt_at});
    const {standup_webhook_oldest_delivery_seconds: age = 0, ...rest} = await shown();
    expect(rest).toEqual({
      standup_webhook_enabled: 1,
      'standup_webhook_deliveries{state="pending"}': backlog.pending,
      'standup_webhook_deliveries{state="inflight"}': backlog.in_flight,
      standup_webhook_behind_events: 0,
      standup_webhook_next_attempt_timestamp_seconds: Date.parse(backlog.next_attempt_at) / 1_000,
      'standup_webhook_breaker{state="closed"}': 0,
      'standup_webhook_breaker{state="open"}': 1,
      'standup_webhook_breaker{state="recovering"}': 0,
      'standup_webhook_attempts_last_day{result="succeeded"}': attempts.succeeded,
      'standup_webhook_attempts_last_day{result="failed"}': attempts.failed,
      standup_webhook_success_ratio: attempts.success_rate,
      'standup_webhook_attempt_duration_seconds{quantile="0.5"}': attempts.p50_ms / 1_000,
      'standup_webhook_attempt_duration_seconds{quantile="0.95"}': attempts.p95_ms / 1_000,
      standup_webhook_consecutive_failures: 7,
      standup_webhook_failing_since_timestamp_seconds: Date.parse(failing) / 1_000,
      standup_webhook_missed_events: 2,
    });
    expect(age).toBeGreaterThanOrEqual(backlog.oldest_age_ms / 1_000);
  });

  it('is shown as held and not overdue if its breaker is open', async () => {
    await openBreaker();
    // The index of workspaces with work gets this one a moment after its deliveries were made.
    const samples = await until(async () => {
      const found = await scrape(idle);
      return found.get('standup_deliveries{state="held"}') ? found : undefined;
    });
    expect(samples.get('standup_deliveries{state="held"}')).toBe(3);
    expect(samples.get('standup_deliveries{state="pending"}')).toBe(0);
    expect(samples.get('standup_delivery_oldest_due_seconds')).toBe(0);
  });

  it('has no values without data, and disappears when it is deleted', async () => {
    await call(
      'DEL',
      workspaceKeys(one.id).webhookState(hook.suffix),
      workspaceKeys(one.id).pending(hook.suffix),
    );
    await call('DEL', workspaceKeys(one.id).health(hook.suffix, Math.floor(Date.now() / 3_600_000)));
    // The index of workspaces with work gets this one a moment after its deliveries were made.
    const names = await until(async () => Object.keys(await shown()).join('\n') || undefined);
    expect(names).not.toMatch(/timestamp|ratio|quantile/);
    expect(names).toMatch(/standup_webhook_enabled/);
    await one.request('DELETE', `/v1/webhooks/${hook.id}`);
    expect(await shown()).toEqual({});
  });
});

it('the metrics read no workspace without work, and count all workspaces whose work is due', async () => {
  const crowded = await startService({env: {METRICS_TOKEN: token, ROLES: 'web'}});
  try {
    const {store} = crowded.core;
    const call = (...args: [string, string, ...string[]]) =>
      store.connection.call(performance.now() + 5_000, args);
    const quiet = await crowded.addWorkspace();
    const quietHook = await addWebhook(quiet, receiver);
    const busy = await crowded.addWorkspace();
    const busyHook = await addWebhook(busy, receiver);
    const noted = async () => (await scrape(crowded)).get('standup_workspaces_due{side="service"}') === 2;
    await until(noted, {what: 'both workspaces are in the index'});
    await call('ZREM', globalKeys.due(), quiet.id);
    const many = Array.from({length: 1_500}, (_, i) => `ws_${i}`);
    await call('SADD', globalKeys.workspaces(), ...many);
    await call('ZADD', globalKeys.due(), ...many.slice(0, 1_100).flatMap((id, i) => [`${2e12 + i}`, id]));
    await call('ZADD', globalKeys.due(), ...many.slice(0, 20).flatMap((id) => ['1', id]));
    const samples = await scrape(crowded);
    expect(samples.get('standup_workspaces_due{side="service"}')).toBe(21);
    expect(samples.get('standup_workspaces_due{side="slack"}')).toBe(0);
    const enabled = (workspace: string, webhook: string) =>
      samples.get(`standup_webhook_enabled{workspace="${workspace}",webhook="${webhook}"}`);
    expect(enabled(busy.id, busyHook.id)).toBe(1);
    expect(enabled(quiet.id, quietHook.id)).toBeUndefined();
  } finally {
    await crowded.close();
  }
});

it('attempts are counted by outcome', async () => {
  const before = await scrape();
  const failing = await startReceiver();
  try {
    let status = 500;
    failing.respondWith(() => status);
    const hook = await addWebhook(workspace, failing);
    await postStandups(workspace);
    await deliveryIn(workspace, hook, 'retrying', 1);
    status = 204;
    await makeDue(service, workspace, hook);
    await deliveryIn(workspace, hook, 'succeeded', 2);
  } finally {
    await failing.close();
  }
  const after = await scrape();
  for (const result of ['retrying', 'succeeded']) {
    const name = `standup_delivery_attempts_total{result="${result}"}`;
    expect((after.get(name) ?? 0) - (before.get(name) ?? 0)).toBe(1);
  }
});

describe('a process with the role worker only', () => {
  const worker = (env: object = {}) =>
    startService({redisUrl: service.redisUrl, env: {METRICS_TOKEN: token, ROLES: 'worker', ...env}});

  it('shows its metrics and its health, and nothing else', async () => {
    const working = await worker({
      CORS_ORIGINS: 'https://app.example',
      SECURITY_CONTACT: 'mailto:a@b.example',
    });
    try {
      expect((await scrape(working)).get('standup_store_up')).toBe(1);
      expectProblem(await ask(undefined, working), 'authentication_required');
      const get = (path: string) => sendRequest(working.url, 'GET', path, {token: workspace.token});
      for (const path of ['/healthz', '/readyz']) expect((await get(path)).status).toBe(200);
      // `sendRequest` is not used, because it checks answers of documented paths against the document.
      for (const path of [
        '/v1/me',
        '/',
        '/docs',
        '/openapi.json',
        '/slack/events',
        '/.well-known/security.txt',
      ])
        expect((await fetch(working.url + path, {redirect: 'manual'})).status).toBe(404);
      expectProblem(await sendRequest(working.url, 'POST', '/metrics'), 'method_not_allowed');
    } finally {
      await working.close();
    }
  });

  it('counts the attempts that it makes', async () => {
    const web = await startService({env: {METRICS_TOKEN: token, ROLES: 'web'}});
    const working = await startService({
      redisUrl: web.redisUrl,
      env: {METRICS_TOKEN: token, ROLES: 'worker'},
    });
    try {
      const one = await web.addWorkspace();
      const hook = await addWebhook(one, receiver);
      await postStandups(one);
      await deliveryIn(one, hook, 'succeeded', 1);
      const name = 'standup_delivery_attempts_total{result="succeeded"}';
      expect([(await scrape(working)).get(name), (await scrape(web)).get(name)]).toEqual([1, undefined]);
    } finally {
      await working.close();
      await web.close();
    }
  });

  it('works when its port is taken, and has no metrics without METRICS_TOKEN', async () => {
    const {port} = new URL(service.url);
    for (const env of [{PORT: port}, {METRICS_TOKEN: ''}]) {
      const working = await worker(env);
      try {
        expect(new URL(working.url).port).toBe('0');
      } finally {
        await working.close();
      }
    }
  });
});

it('the metrics show that the store is unavailable, and show no old figure as current', async () => {
  const redis: TestRedis = await startTestRedis();
  const alone = await startService({redisUrl: redis.url, env: {METRICS_TOKEN: token}});
  try {
    expect((await scrape(alone)).get('standup_store_up')).toBe(1);
    await redis.kill();
    const samples = await until(async () => {
      const found = await scrape(alone);
      return found.get('standup_store_up') === 0 ? found : undefined;
    });
    expect([...samples.keys()].filter((name) => /^standup_(deliver|work)/.test(name))).toEqual([]);
    expect(samples.get('standup_build_info{version="test"}')).toBe(1);
  } finally {
    await alone.close();
    await redis.stop();
  }
});

it('the metrics show in which state the store is: well, full, or away', async () => {
  const redis: TestRedis = await startTestRedis();
  const alone = await startService({redisUrl: redis.url, env: {METRICS_TOKEN: token}});
  /** Waits for a state, since the store is asked once a second. */
  const untilState = (state: string) =>
    until(async () => {
      const samples = await scrape(alone);
      const states = [...samples].filter(([name]) => name.startsWith('standup_store_state'));
      expect(states.map(([, value]) => value).toSorted()).toEqual([0, 0, 0, 0, 0, 1]);
      return samples.get(`standup_store_state{state="${state}"}`) === 1;
    });
  try {
    await untilState('ok');
    await fillRedis(redis, {forGood: true});
    await untilState('full');
    await removeMemoryLimit(redis);
    await untilState('ok');
    await redis.kill();
    await untilState('unreachable');
  } finally {
    await alone.close();
    await redis.stop();
  }
});

it('regression: the metrics show that there is no worker, and since when work waits', async () => {
  const web = await startService({env: {METRICS_TOKEN: token, ROLES: 'web'}});
  try {
    const own = await web.addWorkspace();
    await addWebhook(own, receiver, {events: ['standup.created']});
    await own.request('POST', '/v1/standups', {body: {team: 'platform', update: 'Nobody delivers it.'}});
    const waits = 'standup_work_oldest_due_seconds{kind="fan-out"}';
    const samples = await until(async () => {
      const now = await scrape(web);
      return (now.get(waits) ?? 0) > 0.5 ? now : undefined;
    });
    expect(samples.get('standup_worker_up')).toBe(0);
    expect(samples.get('standup_workers')).toBe(0);
    expect([...samples.keys()].filter((name) => name.includes('read-slack'))).toEqual([]);
    await until(async () => (await scrape()).get('standup_worker_up') === 1, {what: 'the worker is seen'});
    expect((await scrape()).get('standup_workers')).toBe(1);
  } finally {
    await web.close();
  }
});
