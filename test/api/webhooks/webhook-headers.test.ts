import {afterAll, beforeAll, beforeEach, describe, expect, it} from '@jest/globals';
import {suffixOf} from '../../../src/domain/core/ids.js';
import {workspaceKeys} from '../../../src/store/core/keys.js';
import {dumpRedis} from '../../store/dump.js';
import {type Receiver, startReceiver, verifyWebhook} from '../../support/receiver.js';
import {type Json, startService, type TestService, type TestWorkspace} from '../../support/service.js';
import {until} from '../../support/until.js';
import {expectProblem} from '../http/expect-problem.js';
import {eventsOf, make} from '../samples.js';

let service: TestService;
let receiver: Receiver;
let workspace: TestWorkspace;

beforeAll(async () => {
  service = await startService();
  receiver = await startReceiver();
});

beforeEach(async () => {
  workspace = await service.addWorkspace();
});

afterAll(async () => {
  await service.close();
  await receiver.close();
});

const create = (headers: Json) =>
  workspace.request('POST', '/v1/webhooks', {body: {url: receiver.url, events: ['team.*'], headers}});

const change = ({id}: Json, body: Json) => workspace.request('PATCH', `/v1/webhooks/${id}`, {body});

/** The request that a test of the webhook sends to the receiver. */
async function sentTo({id}: Json) {
  const before = receiver.received.length;
  await workspace.request('POST', `/v1/webhooks/${id}/test`);
  const sent = (await receiver.waitFor(before + 1))[before];
  if (sent === undefined) throw new Error('nothing came');
  return sent;
}

describe('the headers of a webhook', () => {
  it('are sent with every delivery beside ours, which cannot be replaced', async () => {
    const {status, body} = await create({
      Authorization: 'Bearer one two',
      'X-Team': '!~',
      'User-Agent': 'ours/1',
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({header_names: ['authorization', 'user-agent', 'x-team']});
    const sent = await sentTo(body);
    expect(sent.headers).toMatchObject({
      authorization: 'Bearer one two',
      'x-team': '!~',
      'user-agent': 'ours/1',
      'content-type': 'application/json',
    });
    expect(verifyWebhook(sent, body.secret)).toMatchObject({type: 'webhook.test'});
  });

  it('have values that are never shown or stored in plain text', async () => {
    const value = 'a-credential-of-the-receiver';
    const {body} = await create({'x-api-key': value});
    await change(body, {headers: {'x-api-key': `${value}-2`}});
    const shown = await Promise.all(
      [`/v1/webhooks/${body.id}`, '/v1/webhooks', '/v1/events'].map(
        async (path) => (await workspace.request('GET', path)).text,
      ),
    );
    expect(shown.join()).toContain('x-api-key');
    expect(shown.join()).not.toContain(value);
    const {text} = await dumpRedis(service.redisUrl);
    expect(text).toContain('x-api-key');
    expect(text).not.toContain(value);
  });

  it('have values that are not shown even if the receiver repeats them', async () => {
    const value = 'a-credential-of-the-receiver';
    const {body} = await create({authorization: `Bearer ${value}`});
    receiver.respondWith(({headers}) => ({
      status: 500,
      headers: {'x-echo': headers['authorization'] ?? ''},
      body: JSON.stringify(headers),
    }));
    await sentTo(body);
    receiver.respondWith(204);
    const {body: page} = await workspace.request('GET', `/v1/webhooks/${body.id}/deliveries`);
    const [attempt] = await until(async () => {
      const {body: attempts} = await workspace.request('GET', `/v1/deliveries/${page.data[0].id}/attempts`);
      return attempts.data.length > 0 ? attempts.data : undefined;
    });
    expect(attempt.response.body).toContain('"authorization":"[hidden]"');
    expect(JSON.stringify(attempt)).not.toContain(value);
    const {text} = await dumpRedis(service.redisUrl);
    expect(text).not.toContain(value);
  });

  it('are changed by a merge patch from the next delivery on: null removes, and others remain', async () => {
    const {body} = await create({'x-one': '1', 'x-two': '2', 'x-three': '3'});
    const changed = await change(body, {headers: {'X-Two': null, 'X-Three': 'three', 'x-four': '4'}});
    expect(changed.body).toMatchObject({header_names: ['x-four', 'x-one', 'x-three'], revision: 2});
    const {headers} = await sentTo(body);
    expect(headers).toMatchObject({'x-one': '1', 'x-three': 'three', 'x-four': '4'});
    expect(headers['x-two']).toBeUndefined();
    const none = await change(body, {headers: null});
    expect(none.body).toMatchObject({header_names: [], revision: 3});
    expect((await sentTo(body)).headers['x-one']).toBeUndefined();
  });

  it('cause a new revision and an event if a value changes, and neither if nothing changes', async () => {
    const {body} = await create({'x-key': 'one'});
    const value = await change(body, {headers: {'x-key': 'two'}});
    expect(value.body).toMatchObject({header_names: ['x-key'], revision: 2});
    const events = await eventsOf(workspace);
    expect(events.at(-1)).toMatchObject({type: 'webhook.updated', previous_attributes: {}});
    for (const same of [{'x-key': 'two'}, {'X-Key': 'two'}, {}, {'x-gone': null}]) {
      expect((await change(body, {headers: same})).body.revision).toBe(2);
    }
    expect(await eventsOf(workspace)).toEqual(events);
  });

  it('remain when anything else of the webhook changes, and are removed with it', async () => {
    const {body} = await create({'x-key': 'one'});
    await change(body, {description: 'Another', enabled: false});
    await workspace.request('POST', `/v1/webhooks/${body.id}/rotate-secret`);
    await change(body, {enabled: true});
    expect((await sentTo(body)).headers['x-key']).toBe('one');
    const key = workspaceKeys(workspace.id).webhookHeaders(suffixOf(body.id));
    const exists = () => service.core.store.connection.call(performance.now() + 5_000, ['EXISTS', key]);
    expect(await exists()).toBe(1);
    await workspace.request('DELETE', `/v1/webhooks/${body.id}`);
    expect(await exists()).toBe(0);
  });

  it('regression: are sent to no other origin after a change of the url that does not repeat them', async () => {
    const {body} = await create({'x-key': 'one', Authorization: 'two', 'x-gone': 'three'});
    const elsewhere = await startReceiver();
    const url = `${elsewhere.url}/hook`;
    try {
      for (const headers of [undefined, {}, {'X-Key': 'one', 'x-new': 'four'}]) {
        const refused = expectProblem(await change(body, {url, headers}), 'validation_failed', {
          pointer: '#/headers',
        });
        const missing =
          headers?.['X-Key'] === undefined ? 'authorization, x-gone, x-key' : 'authorization, x-gone';
        expect(refused.errors).toEqual([
          {
            code: 'validation_failed',
            pointer: '#/headers',
            detail: `Headers do not move to another origin automatically: ${missing}. Send each again with its value, or as null to remove it, in the same change.`,
          },
        ]);
      }
      await sentTo(body);
      expect(elsewhere.received).toEqual([]);
      const again = {'X-Key': 'one', authorization: 'new', 'x-gone': null};
      expect((await change(body, {url, headers: again})).body).toMatchObject({
        url,
        header_names: ['authorization', 'x-key'],
      });
      await workspace.request('POST', `/v1/webhooks/${body.id}/test`);
      const [sent] = await elsewhere.waitFor(1);
      expect(sent?.headers).toMatchObject({'x-key': 'one', authorization: 'new'});
      expect(sent?.headers['x-gone']).toBeUndefined();
    } finally {
      await elsewhere.close();
    }
  });

  it('remain when the url changes within its origin, and may all be removed by a change to another origin', async () => {
    const {body} = await create({'x-key': 'one'});
    expect((await change(body, {url: `${receiver.url}/other?path`})).status).toBe(200);
    expect((await sentTo(body)).headers['x-key']).toBe('one');
    const url = receiver.url.replace('127.0.0.1', '127.0.0.2');
    expectProblem(await change(body, {url}), 'validation_failed', {pointer: '#/headers'});
    expect((await change(body, {url, headers: null})).body).toMatchObject({url, header_names: []});
    expect((await change(body, {url: receiver.url})).status).toBe(200);
  });

  it('have the changes of both after two concurrent requests', async () => {
    const {body} = await create({});
    const names = Array.from({length: 5}, (_, i) => `x-${i}`);
    await Promise.all(names.map((name) => change(body, {headers: {[name]: name}})));
    const {headers} = await sentTo(body);
    for (const name of names) expect(headers[name]).toBe(name);
  });

  it.each([
    'webhook-id',
    'Webhook-Signature',
    'standup-attempt',
    'host',
    'content-type',
    'Content-Length',
    'connection',
    'keep-alive',
    'proxy-authorization',
    'TE',
    'trailer',
    'transfer-encoding',
    'upgrade',
    'expect',
    'a b',
    'a:b',
    'é',
    '',
    'x'.repeat(65),
  ])('cannot be named %j', async (name) => {
    const pointer = `#/headers/${encodeURIComponent(name)}`;
    expectProblem(await create({[name]: 'a'}), 'validation_failed', {pointer});
    const {body} = await create({});
    expectProblem(await change(body, {headers: {[name]: 'a'}}), 'validation_failed', {pointer});
  });

  it.each(['', ' a', 'a ', 'a\r\nb: c', 'a\u0000', 'é', 'x'.repeat(1_025)])(
    'cannot have the value %j',
    async (value) => {
      expectProblem(await create({'x-key': value}), 'validation_failed', {pointer: '#/headers/x-key'});
    },
  );

  it('are ten at most, each name once', async () => {
    const eleven = Object.fromEntries(Array.from({length: 11}, (_, i) => [`x-${i}`, 'a']));
    expectProblem(await create(eleven), 'validation_failed', {pointer: '#/headers'});
    const {'x-10': _, ...ten} = eleven;
    const {status, body} = await create(ten);
    expect(status).toBe(201);
    expectProblem(await change(body, {headers: {'x-10': 'a'}}), 'validation_failed', {pointer: '#/headers'});
    expect((await change(body, {headers: {'x-10': 'a', 'x-0': null}})).status).toBe(200);
    expectProblem(await create({'x-key': 'a', 'X-Key': 'b'}), 'validation_failed', {
      pointer: '#/headers/X-Key',
    });
    for (const value of ['text', ['a'], {'x-key': 1}, {'x-key': null}]) {
      expectProblem(await create(value), 'validation_failed');
    }
    await make(workspace, '/v1/webhooks', {url: receiver.url, events: ['team.*'], headers: null});
  });
});
