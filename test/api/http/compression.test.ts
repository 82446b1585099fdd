import {type IncomingHttpHeaders, request as send} from 'node:http';
import {gunzipSync} from 'node:zlib';
import {afterAll, beforeAll, beforeEach, describe, expect, it} from '@jest/globals';
import {compressReply, createCompressor} from '../../../src/api/http/compress.js';
import {type Receiver, startReceiver} from '../../support/receiver.js';
import {type Json, startService, type TestService, type TestWorkspace} from '../../support/service.js';
import {addFixtures, type Fixtures, make, routes, sampleOf} from '../samples.js';

let service: TestService;
let workspace: TestWorkspace;
let receiver: Receiver;
let fixtures: Fixtures;
/** A standup that is long enough to be compressed. */
let long: Json;

beforeAll(async () => {
  service = await startService();
  receiver = await startReceiver();
  workspace = await service.addWorkspace();
  fixtures = await addFixtures(workspace, receiver.url);
  long = await addLong();
  for (let i = 0; i < 8; i += 1) {
    const update = `Number ${i}: ${'the same words again and again, '.repeat(20)}`;
    await make(workspace, '/v1/standups', {team: 'platform', update});
    await make(workspace, '/v1/webhooks', {url: receiver.url, events: ['team.deleted'], enabled: false});
    await make(workspace, '/v1/tokens', {name: `token ${i}`});
  }
});

afterAll(async () => {
  await service.close();
  await receiver.close();
});

const addLong = () =>
  make(workspace, '/v1/standups', {team: 'platform', update: 'Shipped the importer. '.repeat(150)});

interface Raw {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** The raw answer, which `fetch` would decompress; only the beginning of an endless stream. */
function ask(method: string, path: string, headers: Record<string, string>, url = service.url): Promise<Raw> {
  return new Promise((resolve, reject) => {
    const authorization = `Bearer ${workspace.token}`;
    const asked = send(`${url}${path}`, {method, headers: {authorization, ...headers}});
    asked.on('error', reject).on('response', (response) => {
      const chunks: Buffer[] = [];
      const finish = () => {
        resolve({status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks)});
        asked.destroy();
      };
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        if (response.headers['content-type'] === 'text/event-stream') finish();
      });
      response.on('end', finish);
    });
    asked.end();
  });
}

const gzip = {'accept-encoding': 'gzip, deflate, br'};
const list = '/v1/standups?limit=100';

it('a large answer is compressed for clients that accept gzip, and has the same content', async () => {
  const [plain, packed] = [await ask('GET', list, {}), await ask('GET', list, gzip)];
  expect(plain.headers['content-encoding']).toBeUndefined();
  expect(packed.headers).toMatchObject({
    'content-encoding': 'gzip',
    'content-type': 'application/json',
    'content-length': String(packed.body.length),
    vary: 'Accept-Encoding',
  });
  expect(packed.body.length).toBeLessThan(plain.body.length / 2);
  expect(gunzipSync(packed.body).toString()).toBe(plain.body.toString());
  expect(plain.headers.vary).toBe('Accept-Encoding');
});

it.each(['', 'identity', 'br', 'gzip;q=0', 'gzip;q=0.2, identity;q=0.8', '*;q=0'])(
  'an answer is not compressed for Accept-Encoding "%s", and its header Vary names Accept-Encoding',
  async (accepted) => {
    const {headers, body} = await ask('GET', list, {'accept-encoding': accepted});
    expect([headers['content-encoding'], headers.vary]).toEqual([undefined, 'Accept-Encoding']);
    expect(JSON.parse(body.toString()).object).toBe('list');
  },
);

it.each(['GZIP', '*', 'br;q=1.0, gzip;q=0.5', 'x-gzip'])(
  'an answer is compressed for Accept-Encoding "%s"',
  async (accepted) => {
    const {headers} = await ask('GET', list, {'accept-encoding': accepted});
    expect(headers['content-encoding']).toBe('gzip');
  },
);

it('a small answer is not compressed', async () => {
  const {headers} = await ask('GET', '/v1/teams/platform', gzip);
  expect([headers['content-encoding'], headers.vary]).toEqual([undefined, 'Accept-Encoding']);
});

it('HEAD gets the headers of a compressed GET', async () => {
  const [get, head] = [await ask('GET', list, gzip), await ask('HEAD', list, gzip)];
  expect(head.body).toHaveLength(0);
  for (const name of ['content-encoding', 'content-length', 'vary', 'content-type', 'cache-control'])
    expect([name, head.headers[name]]).toEqual([name, get.headers[name]]);
});

describe('the entity tag of a compressed resource', () => {
  const path = () => `/v1/standups/${long.id}`;

  beforeEach(async () => {
    long = await addLong();
  });

  it('differs from the tag of the uncompressed resource, since the bytes differ', async () => {
    const [plain, packed] = [await ask('GET', path(), {}), await ask('GET', path(), gzip)];
    expect([plain.headers.etag, packed.headers.etag]).toEqual(['"1"', '"1.gzip"']);
    expect(packed.headers['content-encoding']).toBe('gzip');
  });

  it.each(['"1"', '"1.gzip"', 'W/"1.gzip"', '"7", "1.gzip"'])(
    'leads to 304 for %s too, with the tag that the client has',
    async (given) => {
      const {status, headers, body} = await ask('GET', path(), {...gzip, 'if-none-match': given});
      expect([status, body.length]).toEqual([304, 0]);
      expect(headers.etag).toBe(/"1[^"]*"/.exec(given)?.[0]);
      expect(headers.vary).toBe('Accept-Encoding');
    },
  );

  it('leads to a full answer if it is of an earlier revision', async () => {
    const {status} = await ask('GET', path(), {...gzip, 'if-none-match': '"2.gzip"'});
    expect(status).toBe(200);
  });

  it('works in If-Match like the tag of the uncompressed resource', async () => {
    const change = (tag: string) =>
      workspace.request('PATCH', path(), {body: {metadata: {seen: tag}}, headers: {'if-match': tag}});
    expect((await change('"9.gzip"')).status).toBe(412);
    const answer = await change('"1.gzip"');
    expect([answer.status, answer.headers.get('etag')]).toEqual([200, '"2"']);
  });
});

describe('compression of answers by operation', () => {
  /** Scopes whose operations show secrets, or values that are secret from some callers. */
  const withoutPacking =
    /^(?:standups:write_any|webhooks:manage|tokens:manage|events:read|workspace:manage)$/;
  const reads = routes.filter(({method, success}) => method === 'GET' && success.mediaTypes === undefined);

  it.each(reads)('is used only for what a member may read: $operation', async (route) => {
    const {path, token} = sampleOf(route, fixtures);
    const {status, headers} = await ask(
      'GET',
      route.success.list ? `${path}${path.includes('?') ? '&' : '?'}limit=100` : path,
      {...gzip, ...(token !== undefined && {authorization: `Bearer ${token}`})},
    );
    expect(status).toBe(200);
    // Each program that writes a part of a draft would learn of the others' parts by the length.
    const isMixed = route.operation === 'getDraft';
    const may = route.scope !== undefined && !withoutPacking.test(route.scope) && !isMixed;
    expect(headers.vary).toBe(may ? 'Accept-Encoding' : undefined);
    if (!may) expect(headers['content-encoding']).toBeUndefined();
  });

  it.each(['/v1/events?limit=100', '/v1/tokens?limit=100', '/v1/webhooks?limit=100'])(
    'is not used for %s, however large',
    async (path) => {
      const {headers, body} = await ask('GET', path, gzip);
      expect(body.length).toBeGreaterThan(2_048);
      expect(headers['content-encoding']).toBeUndefined();
    },
  );

  it('is not used for answers to changes, such as those with a token, a sign-in link or a secret', async () => {
    const reply = {status: 200, body: 'the same words again and again, '.repeat(200)};
    for (const route of routes.filter(({method}) => method !== 'GET'))
      expect([route.operation, await compressReply(route, reply, 'gzip', createCompressor())]).toEqual([
        route.operation,
        reply,
      ]);
  });

  it('is not used for streams and exports', async () => {
    const cursor = (await workspace.request('GET', '/v1/events?limit=1')).body.next_cursor;
    for (const path of ['/v1/export?format=ndjson', `/v1/events/stream?after=${cursor}`]) {
      const {status, headers, body} = await ask('GET', path, gzip);
      expect([status, headers['content-encoding']]).toEqual([200, undefined]);
      expect(body.length).toBeGreaterThan(0);
    }
  });

  it('is not used for refusals and answers to changes', async () => {
    const refused = await ask('GET', `${list}&unknown=${'x'.repeat(3_000)}`, gzip);
    expect([refused.status, refused.headers['content-encoding']]).toEqual([400, undefined]);
    const changed = await workspace.request('PATCH', `/v1/standups/${long.id}`, {body: {}, headers: gzip});
    expect(changed.text.length).toBeGreaterThan(2_048);
    expect(changed.headers.get('content-encoding')).toBeNull();
  });
});

it('an answer varies by origin and by encoding if pages of other origins may request it', async () => {
  const env = {CORS_ORIGINS: 'https://page.example', ROLES: 'web'};
  const open = await startService({redisUrl: service.redisUrl, env});
  try {
    const headers = {...gzip, origin: 'https://page.example'};
    const answer = await ask('GET', list, headers, open.url);
    expect(answer.headers).toMatchObject({'content-encoding': 'gzip', vary: 'Origin, Accept-Encoding'});
  } finally {
    await open.close();
  }
});

it('a repeated answer is compressed once', async () => {
  const pack = createCompressor(1);
  const content = Buffer.alloc(100_000, 'abc');
  const first = await pack(content, 'gzip');
  const others = await Promise.all([1, 2, 3].map(() => pack(content, 'gzip')));
  expect(others.map((one) => one === first)).toEqual([true, true, true]);
  expect(await pack(content, 'identity')).toBeUndefined();
  expect(await pack(Buffer.from(content), 'gzip')).not.toBe(first);
});

it('answers are sent uncompressed while many others are being compressed', async () => {
  const pack = createCompressor(2);
  const content = Buffer.alloc(100_000, 'abc');
  const all = await Promise.all([1, 2, 3].map(() => pack(content, 'gzip')));
  expect(all.map((one) => one?.length !== undefined)).toEqual([true, true, false]);
  expect(await pack(content, 'gzip')).toBeDefined();
});
