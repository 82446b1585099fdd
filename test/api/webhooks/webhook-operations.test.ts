import {afterAll, afterEach, beforeAll, beforeEach, describe, expect, it} from '@jest/globals';
import {suffixOf} from '../../../src/domain/core/ids.js';
import {workspaceKeys} from '../../../src/store/core/keys.js';
import {type Receiver, startReceiver, verifyWebhook} from '../../support/receiver.js';
import {type Json, startService, type TestService, type TestWorkspace} from '../../support/service.js';
import {until} from '../../support/until.js';
import {expectProblem} from '../http/expect-problem.js';
import {eventsOf, make} from '../samples.js';

let service: TestService;
let receiver: Receiver;
let workspace: TestWorkspace;
let webhook: Json;

beforeAll(async () => {
  service = await startService();
});

beforeEach(async () => {
  receiver = await startReceiver();
  workspace = await service.addWorkspace();
  webhook = await make(workspace, '/v1/webhooks', {url: receiver.url, events: ['standup.deleted']});
});

afterEach(() => receiver.close());

afterAll(() => service.close());

const post = (path: string, options: Json = {}) => workspace.request('POST', path, options);
const get = async (path: string): Promise<Json> => (await workspace.request('GET', path)).body;
const test = (options: Json = {}) => post(`/v1/webhooks/${webhook.id}/test`, options);
const rotate = (body?: Json, headers: Json = {}) =>
  post(`/v1/webhooks/${webhook.id}/rotate-secret`, {headers, ...(body !== undefined && {body})});

const untilState = (id: string, state: string): Promise<Json> =>
  until(
    async () => {
      const delivery = await get(`/v1/deliveries/${id}`);
      return delivery.state === state ? delivery : undefined;
    },
    {what: `the delivery is ${state}`},
  );

describe('POST /v1/webhooks/{webhook}/test', () => {
  it('returns a delivery whose attempt and answer can be read at once', async () => {
    receiver.respondWith({status: 200, body: 'got it'});
    const {status, body, headers} = await test();
    expect(status).toBe(202);
    expect(headers.get('etag')).toBeNull();
    expect(body).toEqual({
      id: expect.stringMatching(/^dlv_/),
      object: 'delivery',
      webhook_id: webhook.id,
      event_id: expect.stringMatching(/^evt_/),
      event_type: 'webhook.test',
      state: 'pending',
      attempts: 0,
      next_attempt_at: body.created_at,
      last_attempt: null,
      replay_id: null,
      created_at: expect.any(String),
      updated_at: body.created_at,
    });
    const first = await workspace.request('GET', `/v1/deliveries/${body.id}`);
    expect(first.status).toBe(200);
    const done = await untilState(body.id, 'succeeded');
    expect(done).toMatchObject({event_id: body.event_id, created_at: body.created_at, attempts: 1});
    const {data} = await get(`/v1/deliveries/${body.id}/attempts`);
    expect(data).toMatchObject([{number: 1, status: 200, response: {body: 'got it'}}]);
  });

  it('sends a signed event about the webhook, with the same bytes as in the feed', async () => {
    const {body} = await test({body: {}});
    const [sent] = await receiver.waitFor(1);
    if (sent === undefined) throw new Error('nothing came');
    const {secret, ...shown} = webhook;
    expect(verifyWebhook(sent, secret)).toEqual((await eventsOf(workspace)).at(-1));
    expect(JSON.parse(sent.body.toString())).toMatchObject({
      id: body.event_id,
      type: 'webhook.test',
      data: shown,
    });
    expect(sent.headers['standup-delivery']).toBe(body.id);
  });

  it('reaches this webhook alone, whatever it and the others subscribe to', async () => {
    const other = await make(workspace, '/v1/webhooks', {
      url: `${receiver.url}/other`,
      events: ['*', 'webhook.test'],
    });
    const narrow = await make(workspace, '/v1/webhooks', {
      url: `${receiver.url}/narrow`,
      events: ['team.updated'],
      teams: ['platform'],
    });
    const {body} = await post(`/v1/webhooks/${narrow.id}/test`);
    await untilState(body.id, 'succeeded');
    // The fan-out has passed the test event when a later event has arrived.
    await make(workspace, '/v1/standups', {team: 'platform', update: 'Afterwards.'});
    await receiver.waitFor((received) =>
      received.some(({path, body: bytes}) => path === '/other' && bytes.includes('Afterwards')),
    );
    const types = async ({id}: Json) =>
      (await get(`/v1/webhooks/${id}/deliveries`)).data.map((delivery: Json) => delivery.event_type);
    expect(await types(narrow)).toEqual(['webhook.test']);
    expect(await types(other)).not.toContain('webhook.test');
    expect(await types(webhook)).toEqual([]);
  });

  it('makes one event and one delivery for one idempotency key, however often it is requested', async () => {
    const headers = {'idempotency-key': 'test-once'};
    const answers = await Promise.all(Array.from({length: 10}, () => test({headers})));
    expect(new Set(answers.map(({text}) => text)).size).toBe(1);
    expect(answers.map(({status}) => status)).toEqual(Array.from({length: 10}, () => 202));
    expect(answers.filter((answer) => answer.headers.get('idempotent-replayed') === null)).toHaveLength(1);
    const {id}: Json = answers[0]?.body ?? {};
    await untilState(id, 'succeeded');
    expect((await test({headers})).text).toBe(answers[0]?.text);
    expect((await get(`/v1/webhooks/${webhook.id}/deliveries`)).data).toMatchObject([{id, attempts: 1}]);
    const tests = (await eventsOf(workspace)).filter(({type}) => type === 'webhook.test');
    expect(tests).toHaveLength(1);
    expect(receiver.received).toHaveLength(1);
  });

  it('makes a delivery that is retried like every other if the receiver fails', async () => {
    receiver.respondWith(500);
    const {body} = await test();
    const delivery = await untilState(body.id, 'retrying');
    expect(delivery).toMatchObject({attempts: 1, last_attempt: {status: 500, error: 'status'}});
  });

  it('is refused for a disabled webhook and for an unknown webhook', async () => {
    await workspace.request('PATCH', `/v1/webhooks/${webhook.id}`, {body: {enabled: false}});
    const before = await eventsOf(workspace);
    expectProblem(await test(), 'webhook_disabled');
    expect(await eventsOf(workspace)).toEqual(before);
    await workspace.request('DELETE', `/v1/webhooks/${webhook.id}`);
    expectProblem(await test(), 'not_found');
    expectProblem(await test({body: {type: 'x'}}), 'validation_failed', {pointer: '#/type'});
  });

  it('sends its delivery even if the process dies after the commit, and a repeat with the same key returns that delivery', async () => {
    let dies = false;
    const frail = await startService({
      failpoint: (name) => {
        if (!dies || name !== 'after-commit') return;
        dies = false;
        throw new Error('as if the process had died');
      },
    });
    try {
      workspace = await frail.addWorkspace();
      webhook = await make(workspace, '/v1/webhooks', {url: receiver.url, events: ['team.deleted']});
      const headers = {'idempotency-key': 'dies'};
      dies = true;
      expect((await test({headers})).status).toBe(500);
      const again = await test({headers});
      expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([202, 'true']);
      const done = await until(async () => {
        const {body, status} = await workspace.request('GET', `/v1/deliveries/${again.body.id}`);
        return status === 200 && body.state === 'succeeded' ? body : undefined;
      });
      expect(done).toMatchObject({event_id: again.body.event_id, attempts: 1});
      expect(receiver.received).toHaveLength(1);
    } finally {
      await frail.close();
    }
  });
});

describe('POST /v1/webhooks/{webhook}/rotate-secret', () => {
  it('returns the webhook with a new secret, and when the old one ends: after a day by default', async () => {
    const {status, body, headers} = await rotate();
    expect(status).toBe(200);
    const {secret: old, ...before} = webhook;
    const {secret, previous_secret_expires_at: expires, ...after} = body;
    expect(after).toEqual({
      ...before,
      secret_rotated_at: expect.any(String),
      public_key: expect.stringMatching(/^whpk_[A-Za-z0-9+/]{43}=$/),
      revision: 2,
      updated_at: expect.any(String),
    });
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(secret).not.toBe(old);
    expect(after.public_key).not.toBe(before.public_key);
    expect(Date.parse(expires) - Date.parse(after.secret_rotated_at)).toBe(86_400_000);
    expect(Math.abs(Date.parse(after.secret_rotated_at) - Date.parse(after.updated_at))).toBeLessThan(1_000);
    expect(headers.get('etag')).toBe('"2"');
    expect(await get(`/v1/webhooks/${webhook.id}`)).toEqual(after);
  });

  it('sends an event to the other webhooks, without a secret', async () => {
    const {body} = await rotate({overlap_seconds: 0});
    const events = await eventsOf(workspace);
    expect(events.at(-1)).toMatchObject({
      type: 'webhook.updated',
      data: {id: webhook.id, secret_rotated_at: body.secret_rotated_at},
      previous_attributes: {secret_rotated_at: null, public_key: webhook.public_key},
    });
    const {text} = await workspace.request('GET', '/v1/webhooks');
    for (const shown of [JSON.stringify(events), text]) expect(shown).not.toMatch(/whsec_|whsk_/);
  });

  it('returns the same bytes for the same idempotency key, and creates only one secret', async () => {
    const headers = {'idempotency-key': 'rotate-once'};
    const answers = await Promise.all(Array.from({length: 5}, () => rotate({overlap_seconds: 60}, headers)));
    expect(new Set(answers.map(({text}) => text)).size).toBe(1);
    const again = await rotate({overlap_seconds: 60}, headers);
    expect(again.text).toBe(answers[0]?.text);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect((await get(`/v1/webhooks/${webhook.id}`)).revision).toBe(2);
    expectProblem(await rotate({overlap_seconds: 61}, headers), 'idempotency_key_reused');
  });

  it.each([-1, 604_801, 1.5, '60', null, true])('refuses an overlap of %j', async (overlap) => {
    expectProblem(await rotate({overlap_seconds: overlap}), 'validation_failed', {
      pointer: '#/overlap_seconds',
    });
    expect((await get(`/v1/webhooks/${webhook.id}`)).revision).toBe(1);
  });

  it('accepts the longest overlap, and a disabled webhook', async () => {
    await workspace.request('PATCH', `/v1/webhooks/${webhook.id}`, {body: {enabled: false}});
    const {status, body} = await rotate({overlap_seconds: 604_800});
    expect(status).toBe(200);
    expect(Date.parse(body.previous_secret_expires_at) - Date.parse(body.secret_rotated_at)).toBe(
      604_800_000,
    );
  });

  it('makes five rotations in five concurrent requests, and stores three secrets at most', async () => {
    const answers = await Promise.all(Array.from({length: 5}, () => rotate()));
    expect(answers.map(({status}) => status)).toEqual(Array.from({length: 5}, () => 200));
    expect(answers.map(({body}) => body.revision).toSorted()).toEqual([2, 3, 4, 5, 6]);
    const keys = workspaceKeys(workspace.id);
    const suffix = suffixOf(webhook.id);
    const {connection} = service.core.store;
    const found = await connection.call<string[]>(performance.now() + 5_000, [
      'KEYS',
      `${keys.secret(suffix)}*`,
    ]);
    expect(found.toSorted()).toEqual([keys.secret(suffix), ...keys.earlierSecrets(suffix)]);
    await workspace.request('DELETE', `/v1/webhooks/${webhook.id}`);
    const left = await connection.call<string[]>(performance.now() + 5_000, [
      'KEYS',
      `${keys.secret(suffix)}*`,
    ]);
    expect(left).toEqual([]);
  });
});
