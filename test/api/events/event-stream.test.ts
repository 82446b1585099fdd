import diagnostics from 'node:diagnostics_channel';
import {createServer, type IncomingMessage, request, type Server, type ServerResponse} from 'node:http';
import net from 'node:net';
import {pipeline} from 'node:stream';
import {createGzip} from 'node:zlib';
import {afterAll, afterEach, beforeAll, beforeEach, describe, expect, it} from '@jest/globals';
import {sendToRedis} from '../../../scripts/redis-protocol.mjs';
import {createEventRoutes} from '../../../src/api/events/routes.js';
import {runRequest} from '../../../src/api/server/run-request.js';
import {limits} from '../../../src/domain/core/limits.js';
import type {Services} from '../../../src/service/services.js';
import {
  type EventStreamClient,
  openEvents,
  type EventStreamOptions,
} from '../../support/event-stream-client.js';
import {type TestRedis, startTestRedis} from '../../support/redis-server.js';
import {
  type Json,
  sendRequest,
  startService,
  type TestResponse,
  type TestService,
  type TestWorkspace,
} from '../../support/service.js';
import {measureTime} from '../../support/stopwatch.js';
import {until} from '../../support/until.js';
import {expectProblem} from '../http/expect-problem.js';
import {eventsOf, make} from '../samples.js';

let service: TestService;
let twin: TestService;
let workspace: TestWorkspace;
const open: EventStreamClient[] = [];

beforeAll(async () => {
  service = await startService({streaming: {pulse: 100}});
  twin = await startService({redisUrl: service.redisUrl});
});

afterAll(async () => {
  await twin.close();
  await service.close();
});

beforeEach(async () => {
  workspace = await service.addWorkspace();
});

afterEach(() => {
  for (const client of open.splice(0)) client.cut();
});

async function follow(
  options: Partial<EventStreamOptions> = {},
  url = service.url,
): Promise<EventStreamClient> {
  const client = await openEvents(url, {token: workspace.token, ...options});
  open.push(client);
  return client;
}

const post = (update: string, url = service.url): Promise<TestResponse> =>
  sendRequest(url, 'POST', '/v1/standups', {token: workspace.token, body: {team: 'platform', update}});

const sequences = ({events}: EventStreamClient): number[] =>
  events.map(({data}) => JSON.parse(data).sequence);

const updates = ({events}: EventStreamClient): string[] =>
  events.map(({data}) => JSON.parse(data).data.update);

const has = (client: EventStreamClient, count: number) =>
  until(() => client.events.length >= count, {what: `${count} events`});

/** The events of the feed as JSON text, without parsing them. */
async function feedTexts(): Promise<string[]> {
  const {text, body} = await workspace.request('GET', '/v1/events?limit=100');
  const start = '{"object":"list","data":[';
  const events = body.data as Json[];
  const texts: string[] = [];
  let at = start.length;
  for (const [i] of events.entries()) {
    const next = events[i + 1];
    const end =
      next === undefined
        ? text.lastIndexOf('],"has_more":')
        : text.indexOf(`,{"id":"${next.id}","object":"event"`, at);
    texts.push(text.slice(at, end));
    at = end + 1;
  }
  return texts;
}

it('a streamed event has its id, its type and the bytes of the feed, in one line', async () => {
  const client = await follow();
  expect(client.headers).toMatchObject({
    'content-type': 'text/event-stream',
    'x-accel-buffering': 'no',
    'x-content-type-options': 'nosniff',
  });
  expect(client.headers['cache-control']).toBe('no-store, no-transform');
  expect(client.headers['content-encoding']).toBeUndefined();
  await post('Zeile eins\nline two\r\n😀 "quoted" \u2028 end');
  await has(client, 1);
  const [event] = await eventsOf(workspace).then((all) => all.slice(-1));
  const bytes = (await feedTexts()).at(-1);
  expect(client.events).toEqual([{id: event.id, event: 'standup.created', data: bytes}]);
});

it('two clients get every event of two processes once and in order, even after a reconnection', async () => {
  const steady = await follow();
  let broken = await follow({}, twin.url);
  const seen: number[] = [];
  let cuts = 0;
  const posting = (async () => {
    for (let i = 0; i < 48; i += 4) {
      await Promise.all([0, 1, 2, 3].map((n) => post(`${i + n}`, n % 2 === 0 ? service.url : twin.url)));
    }
  })();
  for (const after of [8, 16, 30]) {
    await until(() => seen.length + broken.events.length >= after, {what: `${after} events`});
    broken.cut();
    await broken.ended;
    cuts += 1;
    seen.push(...sequences(broken));
    // The client reconnects to one process or the other.
    const url = cuts % 2 === 0 ? twin.url : service.url;
    broken = await follow({lastEventId: broken.lastId()}, url);
  }
  await posting;
  await has(steady, 48);
  await until(() => seen.length + broken.events.length >= 48);
  seen.push(...sequences(broken));
  const all = (await eventsOf(workspace)).map(({sequence}) => sequence).slice(-48);
  expect(sequences(steady)).toEqual(all);
  expect(seen).toEqual(all);
  expect(cuts).toBe(3);
});

describe('the start of a stream', () => {
  it('is the next event by default, and a client that has received no event yet can still reconnect', async () => {
    await post('Before.');
    const client = await follow();
    await until(() => client.lastId());
    client.cut();
    await client.ended;
    await post('While away.');
    const back = await follow({lastEventId: client.lastId()});
    await post('After.');
    await has(back, 2);
    expect(updates(back)).toEqual(['While away.', 'After.']);
  });

  it('is after a cursor of the feed, or after Last-Event-ID if the client sends both', async () => {
    for (const update of ['A', 'B', 'C']) await post(update);
    const {body} = await workspace.request('GET', '/v1/events?limit=3');
    const query = `?after=${body.next_cursor}`;
    const client = await follow({query});
    await has(client, 2);
    expect(updates(client)).toEqual(['B', 'C']);
    const back = await follow({query, lastEventId: client.events[0]?.id});
    await has(back, 1);
    expect(updates(back)).toEqual(['C']);
  });

  it('may be long ago, and the stream continues to new events', async () => {
    const first = (await eventsOf(workspace))[0];
    await Promise.all(Array.from({length: 90}, (_, i) => post(`${i}`)));
    const client = await follow({lastEventId: first.id});
    await has(client, 91);
    await post('New.');
    await has(client, 92);
    expect(sequences(client)).toEqual(Array.from({length: 92}, (_, i) => i + 2));
  });

  it('may be limited to some event types, and the others are then skipped permanently', async () => {
    const client = await follow({query: '?types=team.*,standup.deleted'});
    await post('Not wanted.');
    const last = (await eventsOf(workspace)).at(-1);
    await until(() => client.lastId() === last.id, {
      what: 'the client has passed the events that it does not want',
    });
    const {slug} = await make(workspace, '/v1/teams', {slug: 'data'});
    await has(client, 1);
    expect(slug).toBe('data');
    expect(client.events.map(({event}) => event)).toEqual(['team.created']);
  });
});

it.each(['/v1/events/stream', '/v1/changes/stream'])(
  'the stream %s starts at the next event if Last-Event-ID is empty',
  async (path) => {
    const client = await follow({path, lastEventId: ''});
    expect(client.status).toBe(200);
    await post('one');
    await has(client, 1);
  },
);

describe('a stream behind a proxy that compresses', () => {
  let proxy: Server;
  let url: string;

  beforeAll(async () => {
    proxy = createServer((asked, answer) => {
      const {method = 'GET', url: path = '/', headers} = asked;
      const onward = request(`${service.url}${path}`, {method, headers, agent: false}, (came) => {
        const isKept = /\bno-transform\b/.test(came.headers['cache-control'] ?? '');
        answer.writeHead(came.statusCode ?? 502, {
          ...came.headers,
          ...(!isKept && {'content-encoding': 'gzip'}),
        });
        answer.flushHeaders();
        // Compresses as proxies do by default: gzip waits for more data.
        const stages = isKept ? [came, answer] : [came, createGzip(), answer];
        pipeline(stages, () => undefined);
      });
      onward.on('error', () => answer.destroy()).end();
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(proxy.address() as net.AddressInfo).port}`;
  });

  afterAll(async () => {
    proxy.closeAllConnections();
    await new Promise((resolve) => proxy.close(resolve));
  });

  it.each(['/v1/events/stream', '/v1/changes/stream'])(
    'sends an event of %s when it happens',
    async (path) => {
      const client = await follow({path}, url);
      await post('one');
      await has(client, 1);
      expect(client.headers['cache-control']).toBe('no-store, no-transform');
    },
  );
});

describe('a request for a stream', () => {
  const stream = (headers: Record<string, string>, query = '') =>
    workspace.request('GET', `/v1/events/stream${query}`, {headers});

  it('is refused after an invalid event id, and after an event that this log does not have', async () => {
    const other = await service.addWorkspace();
    const [foreign] = await eventsOf(other);
    const [own] = await eventsOf(workspace);
    const edited = `${own.id.slice(0, 12)}${own.id[12] === '0' ? '1' : '0'}${own.id.slice(13)}`;
    for (const id of ['nonsense', own.id.replace('evt_', 'std_')])
      expectProblem(await stream({'last-event-id': id}), 'invalid_parameter', {header: 'Last-Event-ID'});
    // Events of another workspace, and lost events of a restored store, get the same answer.
    for (const id of [foreign.id, edited, `${own.id.slice(0, -8)}0000zzzz`])
      expectProblem(await stream({'last-event-id': id}), 'cursor_expired');
  });

  it('is refused after a dropped event, or after a cursor before it', async () => {
    for (const update of ['A', 'B', 'C', 'D']) await post(update);
    const [, second, , fourth] = await eventsOf(workspace);
    const {next_cursor: early} = (await workspace.request('GET', '/v1/events?limit=1')).body;
    await sendToRedis(service.redisUrl, [['XTRIM', `{${workspace.id}}:events`, 'MINID', '4-0']]);
    expectProblem(await stream({'last-event-id': second.id}), 'cursor_expired');
    expectProblem(await stream({}, `?after=${early}`), 'cursor_expired');
    const client = await follow({lastEventId: fourth.id});
    await has(client, 2);
    expect(updates(client)).toEqual(['C', 'D']);
  });

  it('is refused with a cursor of another list, unknown types, or an Accept without its media type', async () => {
    const {next_cursor: elsewhere} = (await workspace.request('GET', '/v1/teams?limit=1')).body;
    expectProblem(await stream({}, `?after=${elsewhere ?? 'x'}`), 'invalid_cursor', {parameter: 'after'});
    for (const types of ['standup', '', 'standup.*,', '*.created'])
      expectProblem(await stream({}, `?types=${types}`), 'invalid_parameter', {parameter: 'types'});
    expectProblem(await stream({accept: 'application/json'}), 'not_acceptable', undefined);
    const accepted = await stream({accept: 'text/event-stream'});
    expect(accepted.status).toBe(200);
  });

  it('is refused if the principal has as many streams as allowed, until one of them ends', async () => {
    const clients: EventStreamClient[] = [];
    for (let i = 0; i < limits.streamsPerPrincipal; i++) clients.push(await follow());
    expectProblem(await stream({}), 'limit_reached');
    // Another principal has its own limit.
    const {value} = await workspace.addToken({name: 'another'});
    expect((await follow({token: value})).status).toBe(200);
    clients[0]?.cut();
    await until(async () => (await stream({})).status === 200, {what: 'a seat that is free again'});
  });

  it('is answered for HEAD without a stream, and does not count toward the limit of streams', async () => {
    for (let i = 0; i <= limits.streamsPerPrincipal; i++) {
      const head = await workspace.request('HEAD', '/v1/events/stream');
      expect({status: head.status, type: head.headers.get('content-type')}).toEqual({
        status: 200,
        type: 'text/event-stream',
      });
    }
    expect((await stream({})).status).toBe(200);
  });
});

describe('a read of the event list that waits', () => {
  /** The cursor at the end of the list, with a type that the other events of a test do not have. */
  async function findEnd(query = 'types=standup.created', url = service.url): Promise<string> {
    const {token} = workspace;
    const {body} = await sendRequest(url, 'GET', `/v1/events?limit=100&${query}`, {token});
    return body.next_cursor;
  }

  /** Sends a read that waits, and resolves once it does. */
  async function waitAt(
    {core, url}: TestService,
    query: string,
    token = workspace.token,
  ): Promise<{answer: Promise<TestResponse>; cut: () => void; free: () => number}> {
    const {eventTail} = core.store;
    const {open: openTail} = eventTail;
    let [waits, free] = [0, 0];
    Object.assign(eventTail, {
      open(of: TestWorkspace['id']) {
        const consumer = openTail(of);
        return {
          ...consumer,
          wait(...given: Parameters<typeof consumer.wait>) {
            waits += 1;
            return consumer.wait(...given);
          },
          close() {
            free += 1;
            consumer.close();
          },
        };
      },
    });
    const {abort, signal} = cutter();
    const answer = fetch(`${url}/v1/events?${query}`, {
      headers: {authorization: `Bearer ${token}`},
      signal,
    }).then(async (response): Promise<TestResponse> => {
      const text = await response.text();
      const {status, headers} = response;
      return {status, headers, text, body: JSON.parse(text)} as TestResponse;
    });
    answer.catch(() => undefined);
    await until(() => waits > 0, {what: 'a request that waits'});
    Object.assign(eventTail, {open: openTail});
    return {answer, cut: abort, free: () => free};
  }

  function cutter() {
    const controller = new AbortController();
    return {signal: controller.signal, abort: () => controller.abort()};
  }

  it('is answered by the first event that matches, of this process or another, with the cursor after it', async () => {
    for (const url of [service.url, twin.url]) {
      const cursor = await findEnd();
      const {answer} = await waitAt(service, `types=standup.created&wait=30&cursor=${cursor}`);
      await make(workspace, '/v1/members', {name: 'Nobody asked for'});
      const posted = await post('At last.', url);
      const [{status, body}, ms] = await measureTime(() => answer);
      expect(status).toBe(200);
      expect(body.data.map(({data}: Json) => data.id).at(-1)).toBe(posted.body.id);
      expect(body.has_more).toBe(false);
      expect(ms).toBeLessThan(5_000);
      const next = await workspace.request(
        'GET',
        `/v1/events?types=standup.created&cursor=${body.next_cursor}`,
      );
      expect(next.body.data).toEqual([]);
    }
  });

  it('is answered at once if there are events, and its cursor is that of the list', async () => {
    await post('There already.');
    const [waited, plain] = await Promise.all([
      workspace.request('GET', '/v1/events?wait=30'),
      workspace.request('GET', '/v1/events'),
    ]);
    expect(waited.body).toEqual(plain.body);
  });

  it('is answered without rows when its time is over, with a cursor after the events that do not match', async () => {
    const cursor = await findEnd();
    const {answer} = await waitAt(service, `types=standup.created&wait=1&cursor=${cursor}`);
    await make(workspace, '/v1/members', {name: 'Nobody asked for'});
    const {status, body, headers} = await answer;
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/json');
    expect(body).toMatchObject({object: 'list', data: [], has_more: false});
    expect(body.next_cursor).not.toBe(cursor);
    const {id} = (await post('Later.')).body;
    const next = await workspace.request(
      'GET',
      `/v1/events?types=standup.created&cursor=${body.next_cursor}`,
    );
    expect(next.body.data.map(({data}: Json) => data.id)).toEqual([id]);
  });

  it('is answered with its cursor at once when the service stops', async () => {
    const stopping = await startService({redisUrl: service.redisUrl});
    const cursor = await findEnd('', stopping.url);
    const {answer} = await waitAt(stopping, `wait=30&cursor=${cursor}`);
    const closing = stopping.close();
    const [{status, body}, ms] = await measureTime(() => answer);
    expect([status, body.data, body.next_cursor]).toEqual([200, [], cursor]);
    expect(ms).toBeLessThan(3_000);
    await closing;
  });

  it('is refused at its end if its token was revoked meanwhile', async () => {
    const {value, id} = await workspace.addToken({name: 'waiting'});
    const cursor = await findEnd();
    const {answer} = await waitAt(service, `types=standup.created&wait=30&cursor=${cursor}`, value);
    await service.core.services.tokens.revokeToken(workspace.operator(), id);
    await post('Not for a revoked token.');
    const {status, text} = await answer;
    expect(status).toBe(401);
    expect(text).not.toContain('Not for a revoked token.');
  });

  it('is refused if the principal has as many streams open as allowed, and frees its own when its client leaves', async () => {
    const cursor = await findEnd();
    const path = `/v1/events?types=standup.created&cursor=${cursor}`;
    for (let i = 1; i < limits.streamsPerPrincipal; i++) await follow();
    const waiting = await waitAt(service, `types=standup.created&wait=30&cursor=${cursor}`);
    expectProblem(await workspace.request('GET', `${path}&wait=1`), 'limit_reached');
    expect((await workspace.request('GET', path)).status).toBe(200);
    waiting.cut();
    await until(() => waiting.free() === 1, {what: 'the end of the wait'});
    expect((await follow()).status).toBe(200);
  });

  it('holds no slot for running requests, which are few while deliveries wait', async () => {
    const events = {
      listEvents: () => Promise.resolve({rows: [], next: {sequence: 7}, more: false}),
      awaitEvents: () => Promise.resolve({rows: ['{}'], next: {sequence: 8}, more: false}),
    };
    const route = createEventRoutes({events} as unknown as Services).find(
      ({operation}) => operation === 'listEvents',
    );
    let [taken, running] = [0, 0];
    const context = {
      requestMs: 1_000,
      pace: () => undefined,
      knownTokens: {recognise: () => 'known', remember: () => undefined},
      authenticate: () => Promise.resolve({scopes: new Set(['events:read']), token: {}}),
      limiter: {
        open: () => ({verdict: {granted: true}}),
        refuseAlone: () => undefined,
        seemsUsedUp: () => false,
        recordVerdict: () => [],
      },
      requireAdmission: () => Promise.resolve(),
      cursors: {encode: (position: string) => position},
      enter() {
        taken += 1;
        running += 1;
        return () => (running -= 1);
      },
    };
    const exchange = {
      request: {headers: {authorization: 'Bearer x'}},
      span: {},
      path: '/v1/events',
      search: 'wait=30',
    };
    const reply = await runRequest(
      context as unknown as Parameters<typeof runRequest>[0],
      route as NonNullable<typeof route>,
      exchange as unknown as Parameters<typeof runRequest>[2],
    );
    expect([taken, running, reply.body]).toEqual([1, 0, undefined]);
    const {signal} = new AbortController();
    expect((await reply.later?.(signal))?.body).toContain('"data":[{}]');
  });

  it('ends with cursor_expired when the log was restored to a state before its cursor', async () => {
    for (const update of ['A', 'B']) await post(update);
    const cursor = await findEnd('');
    const {answer} = await waitAt(service, `wait=30&cursor=${cursor}`);
    await sendToRedis(service.redisUrl, [['HSET', `{${workspace.id}}:head`, 'sequence', '2']]);
    expectProblem(await answer, 'cursor_expired');
  });

  it('is not cut off like a client that does not read, however long it waits', async () => {
    const hasty = await startService({
      redisUrl: service.redisUrl,
      httpTimes: {headersMs: 5_000, requestMs: 5_000, drainMs: 200},
    });
    try {
      const cursor = await findEnd('', hasty.url);
      const {answer} = await waitAt(hasty, `wait=1&cursor=${cursor}`);
      expect((await answer).status).toBe(200);
    } finally {
      await hasty.close();
    }
  });

  it('is answered for HEAD at once', async () => {
    const cursor = await findEnd('');
    const head = await workspace.request('HEAD', `/v1/events?wait=30&cursor=${cursor}`);
    expect([head.status, head.headers.get('content-type')]).toEqual([200, 'application/json']);
  });

  it.each([
    ['with the newest first', 'order=desc&wait=5'],
    ['with an end', 'until=2035-01-01T00:00:00Z&wait=5'],
    ['for no time', 'wait=0'],
    ['for too long', 'wait=31'],
    ['for a part of a second', 'wait=1.5'],
  ])('is refused %s', async (_, query) => {
    expectProblem(await workspace.request('GET', `/v1/events?${query}`), 'invalid_parameter', {
      parameter: 'wait',
    });
  });
});

it('a stream sends keep-alives while nothing happens', async () => {
  const client = await follow();
  await until(() => client.comments.length >= 4);
  expect(client.events).toEqual([]);
});

describe('the end of a stream', () => {
  it('comes when its token is revoked, and not for other tokens', async () => {
    const {value, id} = await workspace.addToken({name: 'short'});
    const [client, other] = [await follow({token: value}), await follow()];
    await service.core.services.tokens.revokeToken(workspace.operator(), id);
    expect(await client.ended).toBe('end');
    expect(client.comments.at(-1)).toMatch(/revoked/);
    expect((await follow({token: value})).status).toBe(401);
    await post('Still here.');
    await until(() => other.events.some(({event}) => event === 'standup.created'));
  });

  it('comes when its token expires', async () => {
    const {value, id} = await workspace.addToken({name: 'expiring'});
    const client = await follow({token: value});
    const key = `{${workspace.id}}:t:${id.slice(-16)}`;
    const [set] = await sendToRedis(service.redisUrl, [['PEXPIRE', key, '150']]);
    expect(set).toBe(1);
    expect(await client.ended).toBe('end');
  });

  it('comes when the log was restored to a state before its position, instead of skipping new events', async () => {
    for (const update of ['A', 'B']) await post(update);
    const client = await follow();
    await until(() => client.lastId());
    await sendToRedis(service.redisUrl, [['HSET', `{${workspace.id}}:head`, 'sequence', '2']]);
    expect(await client.ended).toBe('end');
  });

  it('comes at once and without an error when the service stops', async () => {
    const stopping = await startService({redisUrl: service.redisUrl});
    const client = await follow({}, stopping.url);
    await until(() => client.lastId());
    const closing = stopping.close();
    const [end, ms] = await measureTime(() => client.ended);
    expect(end).toBe('end');
    // This is long before the time after which the server cuts connections.
    expect(ms).toBeLessThan(3_000);
    await closing;
  });
});

describe('a client that does not read', () => {
  const slowClients: net.Socket[] = [];
  const responses: {url: string; response: ServerResponse}[] = [];
  const note = (message: unknown): void => {
    const {request, response} = message as {request: IncomingMessage; response: ServerResponse};
    if (request.url?.startsWith('/v1/events/stream')) responses.push({url: request.url, response});
  };

  beforeAll(() => diagnostics.subscribe('http.server.request.start', note));
  afterAll(() => void diagnostics.unsubscribe('http.server.request.start', note));
  afterEach(() => {
    for (const socket of slowClients.splice(0)) socket.destroy();
    responses.length = 0;
  });

  /** A connection that requests the stream and then reads nothing. */
  async function openSlow(url: string): Promise<ServerResponse> {
    const {hostname, port} = new URL(url);
    const socket = net.connect(Number(port), hostname);
    slowClients.push(socket);
    socket.on('error', () => undefined);
    socket.pause();
    socket.write(
      `GET /v1/events/stream?types=* HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${workspace.token}\r\n\r\n`,
    );
    return until(
      () => responses.find((one) => one.url.endsWith('?types=*') && one.response.headersSent)?.response,
    );
  }

  /** An event of 36 KB: the kernel buffers some MB for a connection. */
  const postBig = () =>
    service.core.services.standups.postStandup(
      {...workspace.operator(), principal: workspace.principal},
      {
        team: 'platform',
        update: '😀'.repeat(limits.update),
        metadata: Object.fromEntries(
          Array.from({length: limits.metadataKeys}, (_, i) => [`key-${i}`, 'ö'.repeat(limits.metadataValue)]),
        ),
        source: 'api',
      },
    );

  it('costs the service a bounded buffer, and delays no other client', async () => {
    const slow = await openSlow(service.url);
    const fast = await follow();
    let most = 0;
    const delays: number[] = [];
    let count = 0;
    const round = async (): Promise<void> => {
      await Promise.all(Array.from({length: 10}, postBig));
      count += 10;
      most = Math.max(most, slow.writableLength);
      await has(fast, count);
    };
    for (let after = 0; after < 10 && count < 1_000; after += slow.writableNeedDrain ? 1 : 0)
      delays.push((await measureTime(round))[1]);
    expect(slow.writableNeedDrain).toBe(true);
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThan(256 * 1024);
    expect(new Set(sequences(fast)).size).toBe(count);
    expect(delays.toSorted((a, b) => a - b)[Math.floor(delays.length / 2)]).toBeLessThan(1_000);
  }, 60_000);

  it('is disconnected after a while', async () => {
    const hasty = await startService({redisUrl: service.redisUrl, streaming: {drain: 200}});
    try {
      const slow = await openSlow(hasty.url);
      await until(
        async () => {
          await Promise.all(Array.from({length: 10}, postBig));
          return slow.destroyed;
        },
        {what: 'the service closes the connection'},
      );
    } finally {
      await hasty.close();
    }
  }, 60_000);
});

describe('a stream while Redis is away', () => {
  let redis: TestRedis;
  let own: TestService;

  beforeAll(async () => {
    redis = await startTestRedis();
    own = await startService({redisUrl: redis.url, streaming: {pulse: 100}});
  });

  afterAll(async () => {
    await own.close();
    await redis.stop();
  });

  it('stays open, and continues without a gap when Redis is back', async () => {
    workspace = await own.addWorkspace();
    const client = await follow({}, own.url);
    await post('Before.', own.url);
    await has(client, 1);
    await redis.kill();
    const comments = client.comments.length;
    await until(() => client.comments.length >= comments + 3, {what: 'signs of life'});
    await redis.restart();
    await until(async () => (await post('After.', own.url)).status === 201);
    await has(client, 2);
    expect(updates(client)).toEqual(['Before.', 'After.']);
  }, 60_000);
});
