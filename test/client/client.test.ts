// test/client/: the typed client, generated from the OpenAPI document, against the whole service.
// Not here: the contract of the API (test/api/).
import {randomUUID} from 'node:crypto';
import {afterAll, beforeAll, describe, expect, it} from '@jest/globals';
import {type ApiClient, createApiClient} from '../../packages/client-ts/src/api-client.js';
import {createClient, ifMatch} from '../../packages/client-ts/src/client.js';
import {ProblemError} from '../../packages/client-ts/src/errors.js';
import {followEvents} from '../../packages/client-ts/src/events.js';
import {paginate} from '../../packages/client-ts/src/pages.js';
import type {Schema} from '../../packages/client-ts/src/schema.js';
import {checkExchange} from '../support/contract.js';
import {type Receiver, startReceiver, verifyWebhook} from '../support/receiver.js';
import {startService, type TestService, type TestWorkspace} from '../support/service.js';
import {until} from '../support/until.js';
import {type Reply, startFaultyProxy} from '../clients/faulty-proxy.js';

let service: TestService;
let workspace: TestWorkspace;
let receiver: Receiver;
let client: ApiClient;

beforeAll(async () => {
  service = await startService();
  receiver = await startReceiver();
  workspace = await service.addWorkspace();
  client = createApiClient({url: service.url, token: workspace.token, fetch: fetchAsDocumented});
});

afterAll(async () => {
  await service.close();
  await receiver.close();
});

async function fetchAsDocumented(request: Request): Promise<Response> {
  const {method, url} = request;
  const response = await fetch(request);
  const {pathname, search} = new URL(url);
  const text = await response.clone().text();
  checkExchange({method, path: pathname + search, status: response.status, headers: response.headers, text});
  return response;
}

/** Returns the data of a successful call, and throws a problem as an error. */
function dataOf<T>({data, error}: {data?: T; error?: Schema<'Problem'>}): T {
  if (data === undefined) throw new Error(`${error?.code}: ${error?.detail}`);
  return data;
}

it('the typed client covers the main task: create a team and a webhook, post a standup, verify webhooks', async () => {
  const team = dataOf(
    await client.POST('/v1/teams', {body: {slug: 'typed', name: 'Typed', timezone: 'Europe/Berlin'}}),
  );
  const webhook = dataOf(
    await client.POST('/v1/webhooks', {
      body: {url: receiver.url, events: ['standup.*'], teams: [team.id]},
    }),
  );

  const key = randomUUID();
  const post = () =>
    client.POST('/v1/standups', {
      params: {header: {'Idempotency-Key': key}},
      body: {team: team.slug, update: 'Posted by types.', metadata: {build: '7'}},
    });
  const standup = dataOf(await post());
  if (standup.object === 'list') throw new Error('one team gets one standup');
  const repeated = await post();
  expect(repeated.response.headers.get('idempotent-replayed')).toBe('true');
  expect(dataOf(repeated)).toEqual(standup);
  expect(standup.author.type).toBe('service_account');

  const at = {path: {standup: standup.id}};
  const read = await client.GET('/v1/standups/{standup}', {params: at});
  const tag = read.response.headers.get('etag') ?? '';
  expect(dataOf(read)).toEqual(standup);
  const again = await client.GET('/v1/standups/{standup}', {
    params: {...at, header: {'If-None-Match': tag}},
    parseAs: 'text',
  });
  expect(again.response.status).toBe(304);

  const edit = (update: string) =>
    client.PATCH('/v1/standups/{standup}', {params: {...at, header: {'If-Match': tag}}, body: {update}});
  expect(dataOf(await edit('Edited by types.'))).toMatchObject({edited: true, revision: 2});
  const stale = await edit('Too late.');
  expect(stale.error).toMatchObject({code: 'precondition_failed', status: 412});
  expect(stale.response.headers.get('etag')).toBe('"2"');

  const events = await receiver.waitFor(2);
  const bodies = events.map((delivery) => verifyWebhook(delivery, webhook.secret));
  expect(bodies).toMatchObject([{type: 'standup.created'}, {type: 'standup.updated'}]);

  const deleted = await client.DELETE('/v1/standups/{standup}', {params: at});
  expect(deleted.response.status).toBe(204);
});

it('the typed client reads a list page by page', async () => {
  for (const update of ['One.', 'Two.', 'Three.'])
    dataOf(await client.POST('/v1/standups', {body: {team: 'platform', update}}));
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const query = {team: ['platform', 'typed'], limit: 1, ...(cursor !== undefined && {cursor})};
    const page = dataOf(await client.GET('/v1/standups', {params: {query}}));
    seen.push(...page.data.map(({update}) => update));
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
  expect(seen).toEqual(['Three.', 'Two.', 'One.']);
});

it('the typed client returns a refusal as a problem with code and pointers, and throws no error', async () => {
  const {data, error, response} = await client.POST('/v1/standups', {body: {team: 'platfrom', update: 'A'}});
  expect(data).toBeUndefined();
  expect(response.status).toBe(422);
  expect(error?.code).toBe('team_not_found');
  expect(error?.errors?.map(({pointer}) => pointer)).toEqual(['#/team']);
  expect(error?.request_id).toBe(response.headers.get('x-request-id'));
});

it('a call that the API document does not contain does not compile, and the service refuses it', async () => {
  const refusals = [
    // @ts-expect-error a member that is spelled wrong
    await client.POST('/v1/teams', {body: {slugs: 'a'}}),
    // @ts-expect-error a missing member
    await client.POST('/v1/teams', {body: {name: 'A'}}),
    // @ts-expect-error a member of another type
    await client.POST('/v1/standups', {body: {team: 'platform', update: 7}}),
    // @ts-expect-error a query parameter that does not exist
    await client.GET('/v1/standups', {params: {query: {mood: 'good'}}}),
    // @ts-expect-error a path that does not exist
    await client.GET('/v1/standup'),
    // @ts-expect-error a method that the path does not have
    await client.PUT('/v1/standups', {body: {}}),
  ];
  expect(refusals.map(({response}) => response.status)).toEqual([422, 422, 422, 400, 404, 405]);
  const me = dataOf(await client.GET('/v1/me'));
  // @ts-expect-error a member that no answer has
  expect(me.password).toBeUndefined();
});

it('a value of a path that would lead to another operation is never sent', async () => {
  const sent: string[] = [];
  const send = async (request: Request) => {
    sent.push(request.url);
    return new Response(null, {status: 204});
  };
  const path = '/v1/teams/{team}/members/{member}';
  const remove = (url: string, team: string) =>
    createApiClient({url, token: 'none', fetch: send}).DELETE(path, {
      params: {path: {team, member: 'mem_1'}},
    });
  for (const team of ['..', '.', ''])
    await expect(remove('http://127.0.0.1:9', team)).rejects.toThrow(TypeError);
  expect(sent).toEqual([]);
  await remove('http://127.0.0.1:9/', '../a b?c#%2e%2e');
  expect(sent).toEqual(['http://127.0.0.1:9/v1/teams/..%2Fa%20b%3Fc%23%252e%252e/members/mem_1']);
});

describe('the client that repeats calls', () => {
  const open = (url = service.url) => createClient({url, token: workspace.token});
  const post = (update: string, url?: string) =>
    open(url).POST('/v1/standups', {body: {team: 'platform', update}});
  /** Posts through a network that answers in turn as `replies` say. */
  const postThrough = async (replies: readonly Reply[], update: string) => {
    const proxy = await startFaultyProxy(service.url, replies);
    try {
      return {standup: await post(update, proxy.url), keys: proxy.keys};
    } finally {
      await proxy.close();
    }
  };
  const find = async (q: string) => {
    const found: string[] = [];
    const query = {q, limit: 1};
    for await (const {update} of paginate(open(), '/v1/standups', {params: {query}})) found.push(update);
    return found;
  };

  it.each(['lose', 'break'] as const)(
    'the client posts once if the network loses the answer after the write (%s)',
    async (reply) => {
      const update = `Posted through a network: ${reply}.`;
      const {standup, keys} = await postThrough([reply, reply], update);
      expect(standup).toMatchObject({object: 'standup', update});
      expect(keys).toHaveLength(3);
      expect(new Set(keys).size).toBe(1);
      expect(await find(`network: ${reply}`)).toEqual([update]);
    },
  );

  it('the client waits for Retry-After of a 503, and posts then', async () => {
    const startedAt = performance.now();
    await postThrough([{status: 503, headers: {'retry-after': '1'}}], 'Posted after a pause.');
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(1_000);
    expect(await find('pause')).toEqual(['Posted after a pause.']);
  });

  it('a change of another revision is refused with a typed error', async () => {
    const standup = await post('Edited twice.');
    if (standup.object === 'list') throw new Error('one team gets one standup');
    const path = {standup: standup.id};
    const edit = (update: string) =>
      open().PATCH('/v1/standups/{standup}', {params: {path, header: ifMatch(standup)}, body: {update}});
    expect(await edit('Edited once.')).toMatchObject({revision: 2});
    const refusal = await edit('Edited again.').catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(ProblemError);
    expect(refusal).toMatchObject({status: 412, code: 'precondition_failed', errors: [{header: 'If-Match'}]});
  });

  it('an answer of another server is an error, and never data', async () => {
    const wrong = createClient({url: receiver.url, token: 'none', retryWithinMs: 0});
    const expectUnexpected = async (status: number) =>
      expect(await wrong.GET('/v1/me').catch((error: unknown) => error)).toMatchObject({
        name: 'ProblemError',
        code: 'unexpected_answer',
        status,
      });
    receiver.respondWith({status: 200, headers: {'content-type': 'text/html'}, body: '<p>Welcome</p>'});
    await expectUnexpected(200);
    receiver.respondWith({status: 302, headers: {location: '/elsewhere'}});
    await expectUnexpected(302);
    receiver.respondWith({status: 502, headers: {'content-type': 'text/html'}, body: '<p>Bad gateway</p>'});
    await expectUnexpected(502);
    receiver.respondWith(204);
  });

  it('followEvents continues from a kept cursor, waits for the next event, and ends by the signal', async () => {
    await post('Before the cursor.');
    const updates: (string | undefined)[] = [];
    let kept: string | undefined;
    const follow = async (signal: AbortSignal) => {
      const filter = {cursor: kept, types: ['standup.created'] as const, signal};
      for await (const {events, cursor} of followEvents(open(), filter)) {
        for (const event of events)
          updates.push(event.type === 'standup.created' ? event.data?.update : event.type);
        kept = cursor;
      }
    };
    const first = new AbortController();
    const before = follow(first.signal);
    await until(() => updates.includes('Before the cursor.'));
    first.abort();
    await before;

    updates.length = 0;
    const second = new AbortController();
    const after = follow(second.signal);
    await post('After the cursor.');
    await until(() => updates.length > 0);
    second.abort();
    await after;
    expect(updates).toEqual(['After the cursor.']);
  });
});
