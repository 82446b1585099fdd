import {recordAndClaimOne} from '../../support/claims.js';
import {afterAll, beforeAll, beforeEach, describe, expect, it} from '@jest/globals';
import type {RedisCommand} from '../../../src/store/core/connection.js';
import {suffixOf, isId} from '../../../src/domain/core/ids.js';
import {workspaceKeys} from '../../../src/store/core/keys.js';
import {createAttemptRecord, createExchangeRecord} from '../../../src/domain/webhooks/attempt-record.js';
import {type Receiver, startReceiver} from '../../support/receiver.js';
import {type Json, startService, type TestService, type TestWorkspace} from '../../support/service.js';
import {until} from '../../support/until.js';
import {expectProblem} from '../http/expect-problem.js';
import {make} from '../samples.js';

let service: TestService;
let workspace: TestWorkspace;
let receiver: Receiver;
let webhook: Json;

beforeAll(async () => {
  service = await startService();
  receiver = await startReceiver();
});

beforeEach(async () => {
  receiver.respondWith(204);
  workspace = await service.addWorkspace();
  webhook = await make(workspace, '/v1/webhooks', {url: receiver.url, events: ['standup.*']});
});

afterAll(async () => {
  await service.close();
  await receiver.close();
});

const get = async (path: string): Promise<Json> => {
  const {status, body, text} = await workspace.request('GET', path);
  if (status !== 200) throw new Error(`GET ${path}: ${status} ${text}`);
  return body;
};

const attemptsOf = async (delivery: string, query = ''): Promise<Json> =>
  get(`/v1/deliveries/${delivery}/attempts${query}`);

/** Posts a standup and waits for the first attempt of its delivery. */
async function deliver(): Promise<Json> {
  const listed = async () => (await get(`/v1/webhooks/${webhook.id}/deliveries`)).data;
  const before = (await listed()).length;
  await make(workspace, '/v1/standups', {team: 'platform', update: 'Sent.'});
  const [{id}] = await until(async () => {
    const data = await listed();
    return data.length > before ? data : undefined;
  });
  return untilAttempted(id, 1);
}

const untilAttempted = (id: string, attempts: number): Promise<Json> =>
  until(
    async () => {
      const delivery = await get(`/v1/deliveries/${id}`);
      return delivery.last_attempt?.number === attempts ? delivery : undefined;
    },
    {what: `${attempts} attempts`},
  );

async function sendAgain(delivery: Json): Promise<Json> {
  const {attempts} = await get(`/v1/deliveries/${delivery.id}`);
  const {status, text} = await workspace.request('POST', `/v1/deliveries/${delivery.id}/redeliver`);
  if (status !== 202) throw new Error(text);
  return untilAttempted(delivery.id, attempts + 1);
}

const redis = (...command: RedisCommand): Promise<Json> =>
  service.core.store.connection.call<Json>(performance.now() + 5_000, command);

describe('GET /v1/deliveries/{delivery}', () => {
  it('shows a delivery as the list does, without an ETag, since a delivery changes with every attempt', async () => {
    const delivery = await deliver();
    const {data} = await get(`/v1/webhooks/${webhook.id}/deliveries`);
    const answer = await workspace.request('GET', `/v1/deliveries/${delivery.id}`);
    expect(answer.body).toEqual(data[0]);
    expect(answer.headers.get('etag')).toBeNull();
    const again = await workspace.request('GET', `/v1/deliveries/${delivery.id}`, {
      headers: {'if-none-match': '*'},
    });
    expect(again.status).toBe(200);
  });

  it.each(['dlv_01jd0000007000000000000000', 'dlv_', 'whk_01jd0000007000000000000000', '%20'])(
    'does not find %s',
    async (id) => {
      expectProblem(await workspace.request('GET', `/v1/deliveries/${id}`), 'not_found');
      expectProblem(await workspace.request('GET', `/v1/deliveries/${id}/attempts`), 'not_found');
    },
  );

  it('finds neither a delivery nor its attempts after the webhook is deleted', async () => {
    receiver.respondWith({status: 200, body: 'thanks'});
    const {id} = await deliver();
    await workspace.request('DELETE', `/v1/webhooks/${webhook.id}`);
    expectProblem(await workspace.request('GET', `/v1/deliveries/${id}`), 'not_found');
    expectProblem(await workspace.request('GET', `/v1/deliveries/${id}/attempts`), 'not_found');
    expect(await redis('EXISTS', workspaceKeys(workspace.id).excerpts(suffixOf(webhook.id)))).toBe(0);
  });
});

describe('an attempt of a delivery', () => {
  it('shows its time, the duration of each part, and the answer of the receiver', async () => {
    receiver.respondWith({status: 200, body: 'thanks ✅'});
    const before = Date.now();
    const {id, last_attempt: last} = await deliver();
    const {data, has_more: more, next_cursor: next} = await attemptsOf(id);
    expect([more, next]).toEqual([false, null]);
    const [attempt] = data;
    expect(attempt).toMatchObject({...last, response: {body: 'thanks ✅'}});
    expect(attempt).toMatchObject({object: 'attempt', number: 1, status: 200, error: null, probe: false});
    expect(isId('attempt', attempt.id)).toBe(true);
    expect(Date.parse(attempt.at)).toBeGreaterThanOrEqual(before - 1_000);
    const {duration_ms: duration, connect_ms: connect, first_byte_ms: firstByte} = attempt;
    for (const time of [duration, connect, firstByte]) expect(Number.isInteger(time)).toBe(true);
    expect(connect).toBeLessThanOrEqual(firstByte);
    expect(firstByte).toBeLessThanOrEqual(duration);
  });

  it('shows the address of the receiver and the headers of its answer, and no connection times on a reused connection', async () => {
    receiver.respondWith({
      status: 200,
      headers: {'x-said': 'so', 'set-cookie': 'session=secret'},
      body: 'ok',
    });
    webhook = await make(workspace, '/v1/webhooks', {
      url: receiver.url.replace('127.0.0.1', 'localhost'),
      events: ['standup.*'],
    });
    const delivery = await deliver();
    await sendAgain(delivery);
    const [kept, opened] = (await attemptsOf(delivery.id)).data;
    expect(opened).toMatchObject({remote_address: '127.0.0.1', tls_ms: null});
    const {dns_ms: dns, tcp_ms: tcp, connect_ms: connect} = opened;
    expect([dns, tcp]).toEqual([expect.any(Number), expect.any(Number)]);
    // Each value is rounded separately.
    expect(dns + tcp).toBeLessThanOrEqual(Number(connect) + 1);
    expect(kept).toMatchObject({remote_address: '127.0.0.1', dns_ms: null, tcp_ms: null, tls_ms: null});
    for (const {response} of [kept, opened]) {
      expect(response).toEqual({headers: expect.objectContaining({'x-said': 'so'}), body: 'ok'});
      expect(JSON.stringify(response)).not.toContain('session');
    }
  });

  it('shows its request as it was sent: our headers, and the names of custom headers, but no signature and no values', async () => {
    const headers = {authorization: 'Bearer of-the-receiver', 'x-team': 'blue'};
    webhook = await make(workspace, '/v1/webhooks', {
      url: `${receiver.url}/in?a=1`,
      events: ['standup.*'],
      headers,
    });
    const before = receiver.received.length;
    const {id} = await deliver();
    const answer = await workspace.request('GET', `/v1/deliveries/${id}/attempts`);
    const {request} = answer.body.data[0];
    const arrived = receiver.received.slice(before).find(({path}) => path === '/in?a=1');
    const {host: _, connection: __, 'content-length': ___, ...sent} = arrived?.headers ?? {};
    const hidden = {'webhook-signature': '[hidden]', authorization: '[hidden]', 'x-team': '[hidden]'};
    expect(request).toEqual({method: 'POST', url: `${receiver.url}/in?a=1`, headers: {...sent, ...hidden}});
    for (const secret of [...Object.values(headers), sent['webhook-signature'] ?? 'none', webhook.secret])
      expect(answer.text).not.toContain(secret);
  });

  it('shows a `user-agent` set by the webhook as hidden, since that is what was sent', async () => {
    webhook = await make(workspace, '/v1/webhooks', {
      url: receiver.url,
      events: ['standup.*'],
      headers: {'user-agent': 'of-the-owner'},
    });
    const {id} = await deliver();
    expect((await attemptsOf(id)).data[0].request.headers['user-agent']).toBe('[hidden]');
    // Webhooks of other tests get the event, too.
    const own = receiver.received.find(({headers}) => headers['standup-delivery'] === id);
    expect(own?.headers['user-agent']).toBe('of-the-owner');
  });

  it('has no status and no time of the first byte without an answer, and no excerpt if the receiver sent nothing', async () => {
    receiver.respondWith({failure: 'reset'});
    const {id} = await deliver();
    const [attempt] = (await attemptsOf(id)).data;
    expect(attempt).toMatchObject({
      status: null,
      error: 'connection_closed',
      first_byte_ms: null,
      response: null,
      request: {method: 'POST', url: receiver.url},
      connect_ms: expect.any(Number),
    });
  });

  it('has no connection time if nothing listens at the address', async () => {
    const gone = await startReceiver();
    await gone.close();
    webhook = await make(workspace, '/v1/webhooks', {url: gone.url, events: ['standup.*']});
    const {id} = await deliver();
    const [attempt] = (await attemptsOf(id)).data;
    const nothing = {dns_ms: null, tcp_ms: null, tls_ms: null, connect_ms: null, first_byte_ms: null};
    expect(attempt).toMatchObject({error: 'connection_failed', remote_address: null, ...nothing});
  });

  it('looks the same for an address inside the network and for an address where nothing listens', async () => {
    const gone = await startReceiver();
    await gone.close();
    const open = workspace;
    // The web process accepts the address, and the worker has stricter rules.
    const web = await startService({env: {ROLES: 'web'}});
    const strict = await startService({
      redisUrl: web.redisUrl,
      env: {ROLES: 'worker', WEBHOOK_ALLOW_NETWORKS: '192.0.2.0/24'},
    });
    try {
      const shown = [];
      for (const [one, url] of [
        [open, gone.url],
        [await web.addWorkspace(), receiver.url],
      ] as const) {
        workspace = one;
        webhook = await make(one, '/v1/webhooks', {url, events: ['standup.*']});
        const {id} = await deliver();
        const [{id: _, at: __, duration_ms: ___, request, ...attempt}] = (await attemptsOf(id)).data;
        shown.push({...attempt, names: Object.keys(request.headers)});
      }
      expect(shown[1]).toEqual(shown[0]);
      expect(shown[0]).toMatchObject({error: 'connection_failed', remote_address: null, dns_ms: null});
    } finally {
      workspace = open;
      await strict.close();
      await web.close();
    }
  });

  it('shows 4 KiB of the answer of a failure, and 1 KiB of a success', async () => {
    receiver.respondWith({status: 500, body: 'x'.repeat(10_000)});
    const delivery = await deliver();
    receiver.respondWith({status: 200, body: 'y'.repeat(10_000)});
    await sendAgain(delivery);
    const {data} = await attemptsOf(delivery.id);
    expect(data.map((attempt: Json) => attempt.response.body)).toEqual([
      'y'.repeat(1_024),
      'x'.repeat(4_096),
    ]);
  });

  it('shows the answer of the receiver unchanged, even text like our own separators', async () => {
    const said = '1:2:{"a":"b\\nc"}\n\u0000* [x] ?';
    receiver.respondWith({status: 400, body: said});
    const {id} = await deliver();
    expect((await attemptsOf(id)).data[0].response.body).toBe(said);
  });
});

describe('the attempts of a delivery', () => {
  it('are listed newest first, in pages, each with its own id', async () => {
    let delivery = await deliver();
    for (const status of [200, 500, 201]) {
      receiver.respondWith({status, body: `said ${status}`});
      delivery = await sendAgain(delivery);
    }
    const {data} = await attemptsOf(delivery.id);
    expect(data.map((attempt: Json) => [attempt.number, attempt.status, attempt.response.body])).toEqual([
      [4, 201, 'said 201'],
      [3, 500, 'said 500'],
      [2, 200, 'said 200'],
      [1, 204, null],
    ]);
    expect(new Set(data.map(({id}: Json) => id)).size).toBe(4);
    const first = await attemptsOf(delivery.id, '?limit=3');
    expect(first).toMatchObject({data: data.slice(0, 3), has_more: true});
    const rest = await attemptsOf(delivery.id, `?limit=3&cursor=${first.next_cursor}`);
    expect(rest).toMatchObject({data: data.slice(3), has_more: false, next_cursor: null});
  });

  it('are an empty list until the first one has ended', async () => {
    let answer: (status: number) => void = () => undefined;
    receiver.respondWith(() => new Promise((resolve) => (answer = resolve)));
    await make(workspace, '/v1/standups', {team: 'platform', update: 'Under way.'});
    const {id} = await until(async () => {
      const {data} = await get(`/v1/webhooks/${webhook.id}/deliveries`);
      return data.find(({state}: Json) => state === 'delivering');
    });
    expect(await attemptsOf(id)).toMatchObject({data: [], has_more: false});
    answer(204);
    await untilAttempted(id, 1);
    expect((await attemptsOf(id)).data).toHaveLength(1);
  });
});

describe('the storage for answers of receivers', () => {
  const recordAndClaim = (request: object): Promise<Json> =>
    recordAndClaimOne(service.core.store.deliveries, workspace.id, suffixOf(webhook.id), request);

  /** Records attempts of one delivery as a worker does, each with an error text. */
  async function attemptOften(delivery: Json, times: number, said: (n: number) => string): Promise<void> {
    const keys = workspaceKeys(workspace.id);
    const [suffix, hook] = [suffixOf(delivery.id), suffixOf(webhook.id)];
    // The state after a failed first attempt.
    await redis('HSET', keys.delivery(suffix), 'webhook', hook);
    for (let n = 1; n <= times; n++) {
      await redis('HSET', keys.tries(hook), suffix, `${n}:0:::`);
      await redis('ZADD', keys.inflight(hook), '9999999999999', suffix);
      const claim = {suffix, sequence: 0, attempt: n, failures: 0, claimedAt: Date.now(), probe: false};
      const sent = {status: 500, durationMs: 1, responseExcerpt: said(n)};
      const attempt = createAttemptRecord(sent, 1_700_000_000_000 + n, false);
      const exchange = () => createExchangeRecord(sent, {url: receiver.url, own: {}, headers: {}});
      const results = [
        {claim, state: 'aborted', delayMs: 0, charge: 'none', counted: false, attempt, exchange},
      ];
      expect((await recordAndClaim({results, concurrency: 0})).refused).toBe(0);
    }
  }

  it('keeps at least the last 100 answers of a webhook, at most 110, and 100 attempts of a delivery', async () => {
    const delivery = await deliver();
    await attemptOften(delivery, 130, (n) => `said ${n}`);
    const keys = workspaceKeys(workspace.id);
    const excerpts = keys.excerpts(suffixOf(webhook.id));
    const kept = Number(await redis('ZCARD', excerpts));
    expect([kept >= 100, kept <= 110]).toEqual([true, true]);
    const ttl = await redis('TTL', excerpts);
    expect([ttl <= 30 * 86_400 + 3_600, ttl > 30 * 86_400 - 60]).toEqual([true, true]);

    const {data, has_more: more, next_cursor: cursor} = await attemptsOf(delivery.id, '?limit=99');
    expect(data.map(({number}: Json) => number)).toEqual(Array.from({length: 99}, (_, i) => 130 - i));
    expect(data[98]).toMatchObject({number: 32, response: {body: 'said 32'}});
    expect(more).toBe(true);
    const rest = await attemptsOf(delivery.id, `?limit=99&cursor=${cursor}`);
    expect(rest).toMatchObject({data: [{number: 31, response: {body: 'said 31'}}], has_more: false});
  });

  it('removes excerpts of other deliveries when one delivery has very many, and never removes their attempts', async () => {
    receiver.respondWith({status: 200, body: 'first'});
    const quiet = await deliver();
    expect((await attemptsOf(quiet.id)).data[0].response.body).toBe('first');
    const loud = await deliver();
    await attemptOften(loud, 110, () => 'loud');
    expect((await attemptsOf(quiet.id)).data).toMatchObject([{number: 1, request: null, response: null}]);
  });

  it('uses the compact encoding of Redis for an attempt, whatever was measured', async () => {
    const delivery = await deliver();
    const key = workspaceKeys(workspace.id).delivery(suffixOf(delivery.id));
    const longest = {
      at: '2286-11-20T17:46:39.999Z',
      duration_ms: 15_999,
      dns_ms: 15_999,
      tcp_ms: 15_999,
      tls_ms: 15_999,
      connect_ms: 15_999,
      first_byte_ms: 15_999,
      remote_address: '203.113.205.207',
      status: 599,
      error: 'proxy_failed',
      probe: true,
    };
    const suffix = suffixOf(delivery.id);
    await redis('HSET', key, 'webhook', suffixOf(webhook.id));
    await redis('HSET', workspaceKeys(workspace.id).tries(suffixOf(webhook.id)), suffix, '2:0:::');
    await redis('ZADD', workspaceKeys(workspace.id).inflight(suffixOf(webhook.id)), '9999999999999', suffix);
    const claim = {suffix, sequence: 0, attempt: 2, failures: 0, claimedAt: Date.now(), probe: false};
    await recordAndClaim({
      results: [{claim, state: 'aborted', delayMs: 0, charge: 'none', counted: false, attempt: longest}],
      concurrency: 0,
    });
    expect((await get(`/v1/deliveries/${delivery.id}`)).last_attempt).toMatchObject({...longest, number: 2});
    expect(await redis('OBJECT', 'ENCODING', key)).toBe('listpack');
  });

  it('contains no excerpts older than 30 days', async () => {
    receiver.respondWith({status: 200, body: 'recent'});
    const delivery = await deliver();
    const excerpts = workspaceKeys(workspace.id).excerpts(suffixOf(webhook.id));
    await redis('ZADD', excerpts, String(Date.now() - 31 * 86_400_000), `${'0'.repeat(16)}:1:["",{}]\n`);
    const {deliveries} = service.core.store;
    await deliveries.trim(workspace.id, suffixOf(webhook.id), 0, performance.now() + 5_000);
    expect(await redis('ZCARD', excerpts)).toBe(1);
    expect((await attemptsOf(delivery.id)).data[0].response.body).toBe('recent');
  });
});
