import {limits} from '../../../src/domain/core/limits.js';
import {suffixOf} from '../../../src/domain/core/ids.js';
import {lists} from '../../../src/domain/core/lists.js';
import {workspaceKeys} from '../../../src/store/core/keys.js';
import {afterAll, beforeAll, beforeEach, describe, expect, it} from '@jest/globals';
import {type Receiver, startReceiver} from '../../support/receiver.js';
import {
  type Json,
  startService,
  type TestResponse,
  type TestService,
  type TestWorkspace,
} from '../../support/service.js';
import {testRedisUrl} from '../../support/redis-server.js';
import {createTestClock} from '../../support/test-clock.js';
import {until} from '../../support/until.js';
import {expectProblem} from '../http/expect-problem.js';
import {eventsOf, make} from '../samples.js';
import {type Ask, platforms} from './rest-hooks.js';
import {sampleUnlessDeep} from '../../support/deep.js';
import {addRowsWithoutRecords} from '../../support/fill-list.js';

let service: TestService;
let workspace: TestWorkspace;
let receiver: Receiver;

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

const create = (body: Json) =>
  workspace.request('POST', '/v1/webhooks', {body: {url: receiver.url, events: ['standup.*'], ...body}});

const deliveriesOf = async (webhook: Json, query = ''): Promise<Json> =>
  (await workspace.request('GET', `/v1/webhooks/${webhook.id}/deliveries${query}`)).body;

/** Waits until a webhook's deliveries are in these states, newest first. */
const untilStates = (webhook: Json, states: readonly string[]) =>
  until(
    async () => {
      const {data} = await deliveriesOf(webhook);
      return data.map(({state}: Json) => state).join() === states.join() ? data : undefined;
    },
    {what: `deliveries in the states ${states.join(', ')}`},
  );

describe('POST /v1/webhooks', () => {
  it('returns the webhook, with all fields, and its secret only this once', async () => {
    const {status, body} = await create({});
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^whk_[0-7][0-9a-hjkmnp-tv-z]{25}$/),
      object: 'webhook',
      url: receiver.url,
      events: ['standup.*'],
      teams: null,
      description: null,
      header_names: [],
      enabled: true,
      disabled_reason: null,
      disabled_at: null,
      concurrency: 16,
      throttle: null,
      retry_schedule: null,
      ordering: 'none',
      payload: 'full',
      plain_text: false,
      api_version: 'v1',
      signature_versions: ['v1'],
      tls: null,
      created_by: {type: 'service_account', id: workspace.principal.id},
      secret_rotated_at: null,
      public_key: expect.stringMatching(/^whpk_[A-Za-z0-9+/]{43}=$/),
      revision: 1,
      created_at: expect.any(String),
      updated_at: body.created_at,
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    });
    const {secret, ...webhook} = body;
    expect((await workspace.request('GET', `/v1/webhooks/${body.id}`)).body).toEqual(webhook);
    expect((await workspace.request('GET', '/v1/webhooks')).body.data).toEqual([webhook]);
    const events = await eventsOf(workspace);
    expect(events.at(-1)).toMatchObject({type: 'webhook.created', data: webhook});
    expect(JSON.stringify(events)).not.toContain(secret);
    const changed = await workspace.request('PATCH', `/v1/webhooks/${body.id}`, {body: {description: 'A'}});
    expect(changed.body.secret).toBeUndefined();
  });

  it('stores each event type and each team once, teams by their ids', async () => {
    const {body} = await create({
      events: ['*', 'standup.created', '*'],
      teams: ['platform', workspace.team, 'PLATFORM'],
    });
    expect(body).toMatchObject({events: ['*', 'standup.created'], teams: [workspace.team]});
  });

  it.each<[string, Json, string]>([
    ['no event type', {events: []}, '#/events'],
    ['an event type that does not exist', {events: ['standup.*', 'standup.made']}, '#/events/1'],
    ['51 event types', {events: Array.from({length: 51}, () => '*')}, '#/events'],
    ['no team', {teams: []}, '#/teams'],
    ['an empty URL', {url: ''}, '#/url'],
    ['a URL of 2,049 characters', {url: `https://h.example/${'x'.repeat(2_031)}`}, '#/url'],
    ['a description of 201 characters', {description: 'x'.repeat(201)}, '#/description'],
    ['a text for enabled', {enabled: 'yes'}, '#/enabled'],
    ['a secret of the caller', {secret: 'whsec_x'}, '#/secret'],
  ])('refuses %s', async (_, body, pointer) => {
    expectProblem(await create(body), 'validation_failed', {pointer});
  });

  it('refuses a team that does not exist, and names its position', async () => {
    expectProblem(await create({teams: ['platform', 'nobody']}), 'team_not_found', {pointer: '#/teams/1'});
  });

  const forbidden = [
    'no address',
    'ftp://hooks.example/',
    'http://93.184.216.34/',
    'https://user:password@hooks.example/',
    'https://hooks.example:22/',
    'https://10.0.0.1/',
    'https://192.168.1.1/',
    'https://172.16.0.1/',
    'https://169.254.169.254/latest/meta-data',
    'https://168.63.129.16/',
    'https://100.64.0.1/',
    'https://0.0.0.0/',
    'https://[fe80::1]/',
    'https://[fd00::1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://0x0a000001/',
    'https://167772161/',
    'file:///etc/passwd',
    'http://localhost:3000/v1/standups',
  ];
  // All of them are in the tables of test/webhook/address.test.ts, too.
  it.each(sampleUnlessDeep(forbidden, 6))('refuses the target %s', async (url) => {
    expectProblem(await create({url}), 'webhook_url_forbidden', {pointer: '#/url'});
    const made = await make(workspace, '/v1/webhooks', {url: receiver.url, events: ['*']});
    const changed = await workspace.request('PATCH', `/v1/webhooks/${made.id}`, {body: {url}});
    expectProblem(changed, 'webhook_url_forbidden', {pointer: '#/url'});
  });

  it('names a forbidden target together with all other errors of the body', async () => {
    const pointersOf = ({body}: {body: Json}) => body.errors.map(({pointer}: Json) => pointer);
    const body = {url: 'ftp://hooks.example/', events: []};
    const refused = await create(body);
    expectProblem(refused, 'validation_failed');
    expect(pointersOf(refused)).toEqual(['#/events', '#/url']);
    const {id} = await make(workspace, '/v1/webhooks', {url: receiver.url, events: ['*']});
    const unchanged = await workspace.request('PATCH', `/v1/webhooks/${id}`, {body});
    expectProblem(unchanged, 'validation_failed');
    expect(pointersOf(unchanged)).toEqual(['#/events', '#/url']);
  });

  it('accepts a public name that does not resolve, since it is checked at every connection', async () => {
    expect((await create({url: 'https://no-such-name.example/hooks?a=1', enabled: false})).status).toBe(201);
  });

  it('says who created it, by id, and null in a webhook of an earlier release', async () => {
    const {body} = await create({});
    expect(body.created_by).toEqual({type: 'service_account', id: workspace.principal.id});
    const {connection} = service.core.store;
    const key = workspaceKeys(workspace.id).record(suffixOf(body.id));
    const {created_by: _, ...earlier} = JSON.parse(
      (await connection.call<string>(performance.now() + 5_000, ['GET', key])) ?? '',
    );
    await connection.call(performance.now() + 5_000, ['SET', key, JSON.stringify(earlier)]);
    const path = `/v1/webhooks/${body.id}`;
    expect((await workspace.request('GET', path)).body.created_by).toBeNull();
    const changed = await workspace.request('PATCH', path, {body: {description: 'Kept'}});
    expect(changed.body).toMatchObject({description: 'Kept', created_by: null});
  });

  it('creates 100 webhooks for one principal in concurrent requests, and then only for others', async () => {
    const own = await workspace.addToken({name: 'hooks', scopes: ['webhooks:manage']});
    const other = await workspace.addToken({name: 'others', scopes: ['webhooks:manage']});
    const body = {url: receiver.url, events: ['standup.*'], enabled: false};
    const post = (token: string) => workspace.request('POST', '/v1/webhooks', {body, token});
    const principal = await service.core.services.people.ensureServiceAccount(workspace.operator(), 'hooks');
    for (let i = 0; i < limits.webhooksPerPrincipal - 2; i++)
      await service.core.services.webhooks.createWebhook({...workspace.operator(), principal}, body);
    const answers = await Promise.all(Array.from({length: 8}, () => post(own.value)));
    expect(answers.filter(({status}) => status === 201)).toHaveLength(2);
    const refused = answers.find(({status}) => status !== 201) as TestResponse;
    expectProblem(refused, 'limit_reached');
    expect(refused.body.detail).toContain('100 webhooks');
    expect((await post(other.value)).status).toBe(201);
    const [{id}] = answers.flatMap(({status, body: made}) => (status === 201 ? [made] : []));
    await workspace.request('DELETE', `/v1/webhooks/${id}`);
    expect((await post(own.value)).status).toBe(201);
  });

  it('creates as many webhooks as allowed in concurrent requests, and a deleted webhook makes room', async () => {
    await addRowsWithoutRecords(workspace, lists.webhooks(), limits.webhooksPerWorkspace - 5);
    const answers = await Promise.all(Array.from({length: 15}, () => create({})));
    expect(answers.filter(({status}) => status === 201)).toHaveLength(5);
    for (const answer of answers.filter(({status}) => status !== 201)) expectProblem(answer, 'limit_reached');
    const [{id}] = (await workspace.request('GET', '/v1/webhooks')).body.data;
    await workspace.request('DELETE', `/v1/webhooks/${id}`);
    expect((await create({})).status).toBe(201);
  });
});

describe('the events that a webhook gets', () => {
  it('are those of its types and teams, once each, as its deliveries show', async () => {
    await make(workspace, '/v1/teams', {slug: 'data'});
    const all = await make(workspace, '/v1/webhooks', {url: receiver.url, events: ['*']});
    const data = await make(workspace, '/v1/webhooks', {
      url: receiver.url,
      events: ['standup.*'],
      teams: ['data'],
    });
    const teams = await make(workspace, '/v1/webhooks', {url: receiver.url, events: ['team.updated']});
    await make(workspace, '/v1/standups', {team: 'platform', update: 'A'});
    await make(workspace, '/v1/standups', {team: 'data', update: 'B'});
    await workspace.request('PATCH', '/v1/teams/data', {body: {name: 'Data'}});

    const types = async (webhook: Json) =>
      (await deliveriesOf(webhook)).data.map((delivery: Json) => delivery.event_type);
    // Newest event first; a webhook does not get the event of its own creation.
    const expected = [
      'team.updated',
      'standup.created',
      'standup.created',
      'webhook.created',
      'webhook.created',
    ];
    const complete = async () => (await types(all)).includes('team.updated');
    await until(complete, {what: 'the delivery of the last event'});
    expect(await types(all)).toEqual(expected);
    expect(await types(data)).toEqual(['standup.created']);
    expect(await types(teams)).toEqual(['team.updated']);
  });

  it('are none while the webhook is disabled', async () => {
    const off = await make(workspace, '/v1/webhooks', {
      url: receiver.url,
      events: ['standup.*'],
      enabled: false,
    });
    expect(off).toMatchObject({enabled: false, disabled_reason: 'user'});
    const on = await make(workspace, '/v1/webhooks', {url: receiver.url, events: ['standup.*']});
    await make(workspace, '/v1/standups', {team: 'platform', update: 'Unheard.'});
    await untilStates(on, ['succeeded']);
    expect((await deliveriesOf(off)).data).toEqual([]);

    const enabled = await workspace.request('PATCH', `/v1/webhooks/${off.id}`, {body: {enabled: true}});
    expect(enabled.body).toMatchObject({enabled: true, disabled_reason: null});
    await make(workspace, '/v1/standups', {team: 'platform', update: 'Heard.'});
    await untilStates(off, ['succeeded']);
  });
});

describe('an automation of a platform', () => {
  it.each(platforms)(
    'subscribes by the API, gets events, is turned off, and ends by a 410: $name',
    async ({turnOn, turnOff, readSample}) => {
      const {value: token} = await workspace.addToken({
        name: 'automations',
        scopes: ['webhooks:manage', 'events:read', 'standups:read'],
      });
      const platform = await startReceiver();
      const ask: Ask = (method, path, given) => workspace.request(method, path, {...given, token});
      const typesAt = (path: string) =>
        platform.received.filter((one) => one.path === path).map(({body}) => JSON.parse(`${body}`).type);
      try {
        await make(workspace, '/v1/standups', {team: 'platform', update: 'For the sample.'});
        const first = await turnOn(ask, `${platform.url}/hooks/1`, 'standup.created');
        const second = await turnOn(ask, `${platform.url}/hooks/2`, 'standup.created');
        const samples = await readSample(ask, 'standup.created');
        expect(samples.map(({data}) => data.update)).toEqual(['For the sample.']);
        await make(workspace, '/v1/standups', {team: 'platform', update: 'One.'});
        const [sent] = await platform.waitFor(2);
        // Its fields are those of the sample, so what a person has mapped stays right.
        expect(Object.keys(JSON.parse(`${sent?.body}`))).toEqual(Object.keys(samples[0]));

        expect(await turnOff(ask, first)).toBe(204);
        platform.respondWith(410);
        await make(workspace, '/v1/standups', {team: 'platform', update: 'Two.'});
        await until(
          async () => {
            const {body} = await workspace.request('GET', '/v1/webhooks');
            return body.data.every(({disabled_reason: reason}: Json) => reason === 'gone');
          },
          {what: 'the end of the subscription'},
        );
        await make(workspace, '/v1/standups', {team: 'platform', update: 'Three.'});
        expect(typesAt('/hooks/1')).toEqual(['standup.created']);
        expect(typesAt('/hooks/2')).toEqual(['standup.created', 'standup.created']);
        expect(await turnOff(ask, second)).toBe(204);
        // Platforms turn an automation off twice, after a person has deleted it.
        expect(await turnOff(ask, second)).toBe(404);
        expect((await workspace.request('GET', '/v1/webhooks')).body.data).toEqual([]);
      } finally {
        await platform.close();
      }
    },
  );
});

describe('the event for a webhook that is disabled', () => {
  const patch = (webhook: Json, body: Json) =>
    workspace.request('PATCH', `/v1/webhooks/${webhook.id}`, {body});
  const newest = async () => (await eventsOf(workspace)).at(-1);

  it('is webhook.disabled, with the reason and all other changes; any other change is a webhook.updated', async () => {
    const webhook = await make(workspace, '/v1/webhooks', {url: receiver.url, events: ['standup.*']});
    const off = await patch(webhook, {enabled: false, description: 'Moving'});
    expect(await newest()).toMatchObject({
      type: 'webhook.disabled',
      data: off.body,
      previous_attributes: {enabled: true, disabled_reason: null, disabled_at: null, description: null},
    });
    expect(off.body).toMatchObject({enabled: false, disabled_reason: 'user', description: 'Moving'});
    const moved = await patch(webhook, {enabled: false, description: 'Moved'});
    expect(await newest()).toMatchObject({
      type: 'webhook.updated',
      data: moved.body,
      previous_attributes: {description: 'Moving'},
    });
    const on = await patch(webhook, {enabled: true});
    expect(await newest()).toMatchObject({
      type: 'webhook.updated',
      data: on.body,
      previous_attributes: {enabled: false, disabled_reason: 'user', disabled_at: off.body.disabled_at},
    });
  });
});

describe('a delivery of a webhook', () => {
  it('is shown with all fields, and the list continues where its page ends', async () => {
    const webhook = await make(workspace, '/v1/webhooks', {url: receiver.url, events: ['standup.*']});
    for (const update of ['A', 'B', 'C']) await make(workspace, '/v1/standups', {team: 'platform', update});
    const [newest, ...older] = await untilStates(webhook, ['succeeded', 'succeeded', 'succeeded']);
    const event = (await eventsOf(workspace)).at(-1);
    expect(newest).toEqual({
      id: expect.stringMatching(/^dlv_[0-7][0-9a-hjkmnp-tv-z]{25}$/),
      object: 'delivery',
      webhook_id: webhook.id,
      event_id: event.id,
      event_type: 'standup.created',
      state: 'succeeded',
      attempts: 1,
      next_attempt_at: null,
      last_attempt: expect.objectContaining({
        id: expect.stringMatching(/^att_[0-7][0-9a-hjkmnp-tv-z]{25}$/),
        object: 'attempt',
        number: 1,
        at: expect.any(String),
        duration_ms: expect.any(Number),
        connect_ms: expect.any(Number),
        first_byte_ms: expect.any(Number),
        status: 204,
        error: null,
      }),
      replay_id: null,
      created_at: event.timestamp,
      updated_at: newest.last_attempt.at,
    });
    const first = await deliveriesOf(webhook, '?limit=1');
    expect(first).toMatchObject({data: [newest], has_more: true});
    const rest = await deliveriesOf(webhook, `?cursor=${first.next_cursor}`);
    expect(rest).toMatchObject({data: older, has_more: false, next_cursor: null});
  });

  it('can be sent again as a further attempt, with the same id and bytes', async () => {
    const webhook = await make(workspace, '/v1/webhooks', {url: receiver.url, events: ['standup.*']});
    await make(workspace, '/v1/standups', {team: 'platform', update: 'Twice.'});
    const [delivery] = await untilStates(webhook, ['succeeded']);
    const path = `/v1/deliveries/${delivery.id}/redeliver`;
    const again = await workspace.request('POST', path, {body: {}});
    expect(again.status).toBe(202);
    expect(again.body).toMatchObject({
      id: delivery.id,
      object: 'delivery',
      state: 'pending',
      event_id: delivery.event_id,
    });
    // The delivery is due now, and not at its earlier time.
    const due = Date.parse(again.body.next_attempt_at);
    expect(due).toBeGreaterThan(Date.parse(delivery.updated_at));
    expect(due).toBeLessThan(Date.parse(delivery.updated_at) + 60_000);
    const ofEvent = () => receiver.received.filter(({id}) => id === delivery.event_id);
    await until(() => ofEvent().length === 2, {what: 'the second attempt'});
    const [one, two] = ofEvent();
    expect(two?.body.equals(one?.body ?? Buffer.alloc(0))).toBe(true);
    expect([one, two].map((sent) => sent?.headers['standup-attempt'])).toEqual(['1', '2']);
    await until(async () => (await deliveriesOf(webhook)).data[0].attempts === 2, {what: 'two attempts'});
    const [shown] = await untilStates(webhook, ['succeeded']);
    expect(shown).toMatchObject({id: delivery.id, attempts: 2, last_attempt: {number: 2}});
  });

  it('cannot be sent again 15 days after its event, and keeps its final state', async () => {
    const redisUrl = await testRedisUrl();
    const clock = await createTestClock(redisUrl);
    const timed = await startService({redisUrl, time: clock.time});
    try {
      const own = await timed.addWorkspace();
      await make(own, '/v1/webhooks', {url: receiver.url, events: ['standup.*']});
      await make(own, '/v1/standups', {team: 'platform', update: 'Long ago.'});
      const {headers} = await until(() => receiver.received.find(({body}) => body.includes('Long ago.')));
      const path = `/v1/deliveries/${headers['standup-delivery']}`;
      const find = async () => (await own.request('GET', path)).body;
      await until(async () => (await find()).state === 'succeeded');
      const dayMs = 24 * 3_600_000;
      await clock.advance(15 * dayMs - 60_000);
      expect((await own.request('POST', `${path}/redeliver`)).status).toBe(202);
      await until(async () => {
        const {state, attempts} = await find();
        return state === 'succeeded' && attempts === 2;
      });
      await clock.advance(60_000);
      const ended = await find();
      const {detail} = expectProblem(await own.request('POST', `${path}/redeliver`), 'validation_failed');
      expect(detail).toBe(
        `It is too late to send this again: a delivery expires 15 days after its event. Read the event instead: GET /v1/events/${ended.event_id}.`,
      );
      expect(await find()).toEqual(ended);
      expect(ended).toMatchObject({state: 'succeeded', attempts: 2});
    } finally {
      await timed.close();
      await clock.close();
    }
  });

  it('cannot be sent again while its webhook is disabled, nor after it is deleted', async () => {
    const webhook = await make(workspace, '/v1/webhooks', {url: receiver.url, events: ['standup.*']});
    await make(workspace, '/v1/standups', {team: 'platform', update: 'Once.'});
    const [delivery] = await untilStates(webhook, ['succeeded']);
    const redeliver = () => workspace.request('POST', `/v1/deliveries/${delivery.id}/redeliver`);
    await workspace.request('PATCH', `/v1/webhooks/${webhook.id}`, {body: {enabled: false}});
    expectProblem(await redeliver(), 'webhook_disabled');
    await workspace.request('DELETE', `/v1/webhooks/${webhook.id}`);
    expectProblem(await redeliver(), 'not_found');
    expectProblem(await workspace.request('GET', `/v1/webhooks/${webhook.id}/deliveries`), 'not_found');
  });

  it('is held while its webhook is disabled, and sent when the webhook is enabled', async () => {
    const failing = await startReceiver();
    try {
      failing.respondWith(500);
      const webhook = await make(workspace, '/v1/webhooks', {url: failing.url, events: ['standup.*']});
      await make(workspace, '/v1/standups', {team: 'platform', update: 'Later.'});
      const [waiting] = await untilStates(webhook, ['retrying']);
      expect(waiting).toMatchObject({attempts: 1, last_attempt: {status: 500, error: 'status'}});
      expect(Date.parse(waiting.next_attempt_at)).toBeGreaterThan(Date.parse(waiting.last_attempt.at));
      const patch = (enabled: boolean) =>
        workspace.request('PATCH', `/v1/webhooks/${webhook.id}`, {body: {enabled}});
      await patch(false);
      expect(await untilStates(webhook, ['held'])).toMatchObject([{next_attempt_at: null}]);
      failing.respondWith(204);
      await patch(true);
      await untilStates(webhook, ['succeeded']);
    } finally {
      await failing.close();
    }
  });
});
