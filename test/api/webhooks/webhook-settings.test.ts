import {afterAll, beforeAll, beforeEach, describe, expect, it} from '@jest/globals';
import {defaultSettings} from '../../../src/domain/webhooks/webhook-settings.js';
import {suffixOf} from '../../../src/domain/core/ids.js';
import {workspaceKeys} from '../../../src/store/core/keys.js';
import {type Json, startService, type TestService, type TestWorkspace} from '../../support/service.js';
import {testCertificate} from '../../webhook/certificate.js';
import {expectProblem} from '../http/expect-problem.js';
import {eventsOf, make} from '../samples.js';

let service: TestService;
let workspace: TestWorkspace;

beforeAll(async () => {
  service = await startService();
});

beforeEach(async () => {
  workspace = await service.addWorkspace();
});

afterAll(() => service.close());

const url = 'https://hooks.example/standups';

const create = (settings: Json) =>
  workspace.request('POST', '/v1/webhooks', {body: {url, events: ['standup.*'], ...settings}});

const added = (settings: Json = {}) =>
  make(workspace, '/v1/webhooks', {url, events: ['standup.*'], ...settings});

const change = (webhook: Json, body: Json) =>
  workspace.request('PATCH', `/v1/webhooks/${webhook.id}`, {body});

/** Settings that all differ from the defaults. */
const chosen = {
  concurrency: 3,
  throttle: {max: 10, per_seconds: 60},
  retry_schedule: [1, 86_400],
  ordering: 'per_team',
  payload: 'thin',
  plain_text: true,
  api_version: 'v1',
  signature_versions: ['v1', 'v1a'],
};

/** The state that the store's scripts use. */
async function stateOf({id}: Json): Promise<Record<string, string>> {
  const key = workspaceKeys(workspace.id).webhookState(suffixOf(id));
  const flat = await service.core.store.connection.call<string[]>(performance.now() + 5_000, [
    'HGETALL',
    key,
  ]);
  const all = Array.from({length: flat.length / 2}, (_, i) => flat.slice(2 * i, 2 * i + 2));
  // The lag of a webhook is not part of its settings.
  return Object.fromEntries(all.filter(([name]) => name !== 'behind' && name !== 'until'));
}

describe('a new webhook', () => {
  it('has the settings it was given, wherever it is shown', async () => {
    const {status, body} = await create(chosen);
    expect(status).toBe(201);
    expect(body).toMatchObject(chosen);
    const {secret: _, ...webhook} = body;
    expect((await workspace.request('GET', `/v1/webhooks/${body.id}`)).body).toEqual(webhook);
    expect((await workspace.request('GET', '/v1/webhooks')).body.data).toEqual([webhook]);
    expect((await eventsOf(workspace)).at(-1)).toMatchObject({type: 'webhook.created', data: webhook});
  });

  it('has the documented default for each setting that is left out or null', async () => {
    const nothing = Object.fromEntries(Object.keys(defaultSettings).map((name) => [name, null]));
    for (const settings of [{}, nothing]) {
      const {status, body} = await create(settings);
      expect(status).toBe(201);
      expect(body).toMatchObject(defaultSettings);
    }
  });

  it('may have an empty retry schedule, which is not the default one', async () => {
    expect(await added({retry_schedule: []})).toMatchObject({retry_schedule: []});
  });

  it('shows the versions of its signatures in order', async () => {
    expect(await added({signature_versions: ['v1a', 'v1']})).toMatchObject({
      signature_versions: ['v1', 'v1a'],
    });
  });

  it.each<[string, Json]>([
    ['1 request at a time', {concurrency: 1}],
    ['32 requests at a time', {concurrency: 32}],
    ['the tightest throttle', {throttle: {max: 1, per_seconds: 3_600}}],
    ['the widest throttle', {throttle: {max: 1_000, per_seconds: 1}}],
    ['15 retries', {retry_schedule: Array.from({length: 15}, () => 28_800)}],
    ['retries over 5 days', {retry_schedule: Array.from({length: 5}, () => 86_400)}],
  ])('accepts %s', async (_, settings) => {
    expect(await added(settings)).toMatchObject(settings);
  });

  it.each<[string, Json, string]>([
    ['no request at a time', {concurrency: 0}, '#/concurrency'],
    ['33 requests at a time', {concurrency: 33}, '#/concurrency'],
    ['half a request at a time', {concurrency: 1.5}, '#/concurrency'],
    ['a throttle of nothing', {throttle: {max: 0, per_seconds: 1}}, '#/throttle/max'],
    ['a throttle of 1,001', {throttle: {max: 1_001, per_seconds: 1}}, '#/throttle/max'],
    ['a throttle over more than an hour', {throttle: {max: 1, per_seconds: 3_601}}, '#/throttle/per_seconds'],
    ['a throttle without its time', {throttle: {max: 1}}, '#/throttle/per_seconds'],
    ['a throttle with more', {throttle: {max: 1, per_seconds: 1, burst: 2}}, '#/throttle/burst'],
    ['a wait of nothing', {retry_schedule: [0]}, '#/retry_schedule/0'],
    ['a wait of more than a day', {retry_schedule: [1, 86_401]}, '#/retry_schedule/1'],
    ['half a second', {retry_schedule: [0.5]}, '#/retry_schedule/0'],
    ['16 retries', {retry_schedule: Array.from({length: 16}, () => 1)}, '#/retry_schedule'],
    [
      'retries over more than 5 days',
      {retry_schedule: [1, ...Array.from({length: 5}, () => 86_400)]},
      '#/retry_schedule',
    ],
    ['another order', {ordering: 'per_member'}, '#/ordering'],
    ['another payload', {payload: 'fat'}, '#/payload'],
    ['another version of the API', {api_version: 'v2'}, '#/api_version'],
    ['no signature', {signature_versions: []}, '#/signature_versions'],
    ['no v1 signature', {signature_versions: ['v1a']}, '#/signature_versions'],
    ['a signature twice', {signature_versions: ['v1', 'v1']}, '#/signature_versions'],
    ['another signature', {signature_versions: ['v1', 'v2']}, '#/signature_versions/1'],
    ['an empty certificate', {tls: {ca: ''}}, '#/tls/ca'],
    ['a certificate of 16,385 characters', {tls: {ca: 'x'.repeat(16_385)}}, '#/tls/ca'],
    ['a text for verify', {tls: {verify: 'no'}}, '#/tls/verify'],
    ['a public key of the caller', {public_key: 'whpk_x'}, '#/public_key'],
  ])('is refused with %s', async (_, settings, pointer) => {
    expectProblem(await create(settings), 'validation_failed', {pointer});
  });
});

describe('a change of a webhook', () => {
  it('sets one setting, leaves the others, and has an event with the previous value', async () => {
    let webhook = await added();
    for (const [name, value] of Object.entries(chosen)) {
      if (name === 'api_version') continue;
      const {status, body} = await change(webhook, {[name]: value});
      expect({status, body}).toMatchObject({status: 200, body: {[name]: value}});
      const {secret: _, ...before} = webhook;
      expect({...body, revision: 0, updated_at: ''}).toEqual({
        ...before,
        [name]: value,
        revision: 0,
        updated_at: '',
      });
      expect((await eventsOf(workspace)).at(-1)).toMatchObject({
        type: 'webhook.updated',
        data: body,
        previous_attributes: {[name]: before[name]},
      });
      webhook = body;
    }
  });

  it('accepts null for the default, and changes nothing that is left out', async () => {
    const webhook = await added(chosen);
    for (const name of Object.keys(chosen)) {
      const {body} = await change(webhook, {[name]: null});
      expect(body[name]).toEqual(defaultSettings[name as keyof typeof defaultSettings]);
    }
    const {body} = await change(webhook, {description: 'Another'});
    expect(body).toMatchObject(defaultSettings);
    expect((await change(await added(chosen), {description: 'Another'})).body).toMatchObject(chosen);
  });

  it('merges a throttle field by field, as a merge patch does', async () => {
    const webhook = await added({throttle: {max: 10, per_seconds: 60}});
    const {body} = await change(webhook, {throttle: {max: 5}});
    expect(body.throttle).toEqual({max: 5, per_seconds: 60});
    const second = await change(webhook, {throttle: {per_seconds: 1}});
    expect(second.body.throttle).toEqual({max: 5, per_seconds: 1});
  });

  it('cannot set only one half of a throttle if the webhook has none', async () => {
    const webhook = await added();
    for (const [throttle, missing] of [
      [{max: 5}, 'per_seconds'],
      [{per_seconds: 5}, 'max'],
    ] as const) {
      expectProblem(await change(webhook, {throttle}), 'validation_failed', {
        pointer: `#/throttle/${missing}`,
      });
    }
    expect((await change(webhook, {throttle: {}})).status).toBe(422);
  });

  it('makes no revision if all its values are the present ones', async () => {
    const webhook = await added(chosen);
    expect((await change(webhook, chosen)).body.revision).toBe(1);
  });
});

describe('the TLS settings in a request', () => {
  const {cert, key} = testCertificate;

  it('are merged field by field, shown as they are stored, and null if they equal the default', async () => {
    const webhook = await added({tls: {ca: cert}});
    expect(webhook.tls).toEqual({ca: cert, verify: true});
    expect((await change(webhook, {tls: {verify: false}})).body.tls).toEqual({ca: cert, verify: false});
    expect((await change(webhook, {tls: {ca: null}})).body.tls).toEqual({ca: null, verify: false});
    expect((await change(webhook, {tls: {verify: null}})).body.tls).toBeNull();
    expect((await change(webhook, {tls: {verify: false}})).body.tls).toEqual({ca: null, verify: false});
    expect((await change(webhook, {tls: null})).body.tls).toBeNull();
    expect((await added({tls: {}})).tls).toBeNull();
  });

  it.each([
    ['a text that is no certificate', 'hello'],
    ['half a certificate', cert.slice(0, 200)],
    ['a private key beside the certificate', cert + key],
  ])('are refused with %s', async (_, ca) => {
    expectProblem(await create({tls: {ca}}), 'validation_failed', {pointer: '#/tls'});
    expectProblem(await change(await added(), {tls: {ca}}), 'validation_failed', {pointer: '#/tls'});
  });

  it('are refused with the reason if the operator has opened no network', async () => {
    const env = {NODE_ENV: 'production', HOST: '127.0.0.1', PUBLIC_URL: 'https://standup.example.com'};
    const closed = await startService({env});
    try {
      const there = await closed.addWorkspace();
      const made = await there.request('POST', '/v1/webhooks', {body: {url, events: ['*']}});
      const patch = {body: {tls: {verify: false}}};
      const {status, body} = await there.request('PATCH', `/v1/webhooks/${made.body.id}`, patch);
      expect(status).toBe(422);
      expect(body.errors).toEqual([
        {
          code: 'validation_failed',
          detail: expect.stringContaining('WEBHOOK_ALLOW_NETWORKS'),
          pointer: '#/tls',
        },
      ]);
    } finally {
      await closed.close();
    }
  });
});

describe('the configuration used for deliveries', () => {
  it('is written with the webhook, and again with each change of it', async () => {
    const webhook = await added({concurrency: 3, throttle: {max: 10, per_seconds: 60}});
    expect(await stateOf(webhook)).toEqual({concurrency: '3', throttle: '10/60'});
    await change(webhook, {throttle: null, ordering: 'per_team', concurrency: 4});
    expect(await stateOf(webhook)).toEqual({concurrency: '4', ordering: 'per_team'});
    await change(webhook, {ordering: null, concurrency: null});
    expect(await stateOf(webhook)).toEqual({concurrency: '16'});
    await change(webhook, {enabled: false});
    expect(await stateOf(webhook)).toEqual({concurrency: '16', off: '1'});
    await change(webhook, {throttle: {max: 1, per_seconds: 1}});
    expect(await stateOf(webhook)).toEqual({concurrency: '16', off: '1', throttle: '1/1'});
    await change(webhook, {enabled: true});
    expect(await stateOf(webhook)).toEqual({concurrency: '16', throttle: '1/1', anew: expect.any(String)});
  });
});
