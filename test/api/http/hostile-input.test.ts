import net from 'node:net';
import {afterAll, beforeAll, describe, expect, it} from '@jest/globals';
import {deep, sampleUnlessDeep} from '../../support/deep.js';
import {sendRequest, startService, type TestService, type TestWorkspace} from '../../support/service.js';
import {measureTime, measureCpuMs} from '../../support/stopwatch.js';
import {until} from '../../support/until.js';
import {expectProblem} from './expect-problem.js';
import {sendRaw} from '../raw.js';
import {eventsOf} from '../samples.js';

let service: TestService;
let workspace: TestWorkspace;
/**
 * The same service for slow clients, with shorter timeouts than the ten and thirty seconds of
 * http-server.test.ts.
 */
let hasty: TestService;
/** Slow connections, started first and checked last. */
let slow: Record<'headers' | 'body' | 'silence' | 'refused' | 'open', Promise<ClosedConnection>>;

beforeAll(async () => {
  service = await startService();
  hasty = await startService({redisUrl: service.redisUrl, httpTimes});
  workspace = await service.addWorkspace();
  const auth = `Host: x\r\nAuthorization: Bearer ${workspace.token}\r\n`;
  const json = 'Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n';
  slow = {
    headers: drip(`GET /v1/me HTTP/1.1\r\n${auth}X-Slow: `),
    body: drip(`POST /v1/standups HTTP/1.1\r\n${auth}${json}{"team":"platform","update":"`),
    silence: drip('', 0),
    refused: drip(`POST /v1/standups HTTP/1.1\r\nHost: x\r\n${json}{`),
    open: drip('what is this\r\n\r\n', 0),
  };
});

afterAll(async () => {
  await hasty.close();
  await service.close();
});

const httpTimes = {headersMs: 3_000, requestMs: 5_000};

interface ClosedConnection {
  readonly text: string;
  readonly afterMs: number;
}

/**
 * Sends a start, then a byte each `everyMs` (0: nothing more), and never ends by itself. Resolves when the
 * service has closed the connection.
 */
function drip(start: string, everyMs = 250): Promise<ClosedConnection> {
  const {hostname, port} = new URL(hasty.url);
  const begunAt = performance.now();
  return new Promise((resolve) => {
    const socket = net.connect({host: hostname, port: Number(port), allowHalfOpen: true});
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    if (start !== '') socket.write(start);
    const timer = everyMs === 0 ? undefined : setInterval(() => socket.write('x'), everyMs);
    // A half-open socket learns only by writing that the other side is gone.
    const probe = setInterval(() => socket.readableEnded && socket.write('x'), 500);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearInterval(timer);
      clearInterval(probe);
      resolve({text, afterMs: performance.now() - begunAt});
    });
  });
}

const json = {'content-type': 'application/json'};
const post = (body: string | Uint8Array) => workspace.request('POST', '/v1/standups', {headers: json, body});
const head = () => `Host: x\r\nConnection: close\r\nAuthorization: Bearer ${workspace.token}\r\n`;

describe('a body that two parsers could read in two ways', () => {
  it.each([
    ['a member twice', '{"team":"platform","update":"A","update":"B"}'],
    ['a member twice, once spelled with escapes', '{"team":"platform","update":"A","\\u0075pdate":"B"}'],
    ['a member of a member twice', '{"team":"platform","update":"A","metadata":{"a":"1","b":"2","a":"3"}}'],
    ['a member twice with space around its colon', '{"team":"platform","update" :"A","update"\n\t:"B"}'],
    ['the same member twice with one value', '{"team":"platform","update":"A","update":"A"}'],
  ])('is refused with %s', async (_, body) => {
    const before = (await eventsOf(workspace)).length;
    expect(expectProblem(await post(body), 'malformed_json').detail).toMatch(/the member "(update|a)" twice/);
    expect(await eventsOf(workspace)).toHaveLength(before);
  });

  it.each([
    ['the same name in two objects', '{"team":"platform","update":"A","metadata":{"team":"x","update":"y"}}'],
    [
      'text that looks like members',
      JSON.stringify({team: 'platform', update: '"update":"A","update":"B" {"a":1}} \\'}),
    ],
    [
      'a quote at the end of a text',
      JSON.stringify({team: 'platform', update: 'said "', metadata: {'"': ':', ':': '"'}}),
    ],
  ])('is not suspected because of %s', async (_, body) => {
    // Twice, because parsing one body must not change the parsing of the next.
    for (const {status} of [await post(body), await post(body)]) expect(status).toBe(201);
  });
});

describe('regression: a long and repetitive text', () => {
  const middles = [' ', '\t', ';', ' ;', ',', '"', '0', '.', '-', '=', 'a', ':', '%'];
  const names = [
    'accept',
    'accept-encoding',
    'authorization',
    'content-type',
    'cookie',
    'idempotency-key',
    'if-match',
    'if-none-match',
    'last-event-id',
    'origin',
    'traceparent',
    'x-forwarded-for',
    'x-request-id',
  ];

  it.each(names)('is read at once in the header %s', async (name) => {
    for (const middle of sampleUnlessDeep(middles, 4)) {
      const value = `1${middle.repeat(12_000 / middle.length)}1`;
      const ms = await measureCpuMs(async () => {
        await sendRequest(service.url, 'HEAD', '/problems', {headers: {[name]: value}});
        await workspace.request('POST', '/v1/standups', {headers: {...json, [name]: value}, body: '{}'});
      });
      expect({middle, dear: ms > 300}).toEqual({middle, dear: false});
    }
  });

  it.each([
    ['a number with 60,000 zeros behind its point', `1.${'0'.repeat(60_000)}1`],
    ['a number with 60,000 zeros in all', `1.${'0'.repeat(30_000)}1${'0'.repeat(30_000)}`],
    [
      'many numbers with zeros',
      `[${Array(60)
        .fill(`1.${'0'.repeat(1_000)}1`)
        .join(',')}]`,
    ],
    ['a number of 60,000 digits', '9'.repeat(60_000)],
  ])('is read at once: %s', async (_, number) => {
    const ms = await measureCpuMs(() => post(`{"update":${number}}`));
    expect(ms).toBeLessThan(300);
  });
});

describe('names that lead to a prototype', () => {
  it.each(['__proto__', 'constructor', 'prototype', '\\u005f_proto__'])(
    'are refused anywhere in a body: %s',
    async (name) => {
      for (const body of [
        `{"team":"platform","update":"A","${name}":{"admin":true}}`,
        `{"team":"platform","update":"A","metadata":{"${name}":"x"}}`,
      ]) {
        expectProblem(await post(body), 'malformed_json');
      }
      expect(({} as {admin?: boolean}).admin).toBeUndefined();
    },
  );

  it.each(['__proto__', 'constructor', 'prototype'])('are unknown as parameters: %s', async (name) => {
    expectProblem(await workspace.request('GET', `/v1/standups?${name}=x`), 'invalid_parameter');
    expectProblem(await workspace.request('GET', `/v1/teams/${name}`), 'not_found');
  });
});

describe('a deeply nested body', () => {
  it.each([
    ['40,000 lists', '['.repeat(40_000)],
    ['30,000 lists, closed', '['.repeat(30_000) + ']'.repeat(30_000)],
    ['12,000 objects', '{"a":'.repeat(12_000)],
    ['9,000 objects, closed', `${'{"a":'.repeat(9_000)}1${'}'.repeat(9_000)}`],
    [
      '17 levels in metadata',
      `{"team":"platform","update":"A","metadata":${'{"a":'.repeat(17)}1${'}'.repeat(17)}}`,
    ],
  ])('is refused, and the service survives %s', async (_, body) => {
    expectProblem(await post(body), 'malformed_json');
    expect((await workspace.request('GET', '/v1/me')).status).toBe(200);
  });
});

describe('bytes that are not UTF-8', () => {
  const bytes: [string, number[]][] = [
    ['a byte that no character has', [0xff]],
    ['a slash in two bytes', [0xc0, 0xaf]],
    ['half a surrogate pair', [0xed, 0xa0, 0x80]],
    ['a character that breaks off', [0xe2, 0x82]],
    ['a character past the last', [0xf4, 0x90, 0x80, 0x80]],
  ];

  it.each(bytes)('are refused in a body: %s', async (_, wrong) => {
    const body = Buffer.concat([
      Buffer.from('{"team":"platform","update":"'),
      Buffer.from(wrong),
      Buffer.from('"}'),
    ]);
    expect(expectProblem(await post(body), 'malformed_json').detail).toBe('The body is not valid UTF-8.');
  });

  it.each(bytes)('are refused in a query: %s', async (_, wrong) => {
    const encoded = wrong.map((byte) => `%${byte.toString(16)}`).join('');
    expectProblem(await workspace.request('GET', `/v1/standups?team=${encoded}`), 'invalid_parameter', {
      parameter: 'team',
    });
    expectProblem(await workspace.request('GET', `/v1/standups?${encoded}=a`), 'invalid_parameter');
  });

  it.each(bytes)('are refused in a path: %s', async (_, wrong) => {
    const encoded = wrong.map((byte) => `%${byte.toString(16)}`).join('');
    expectProblem(await workspace.request('GET', `/v1/teams/${encoded}`), 'bad_request');
  });

  it.each(['%', '%z', '%zz', 'a%2'])(
    'are not suspected in a text that only looks encoded: %s',
    async (text) => {
      expectProblem(await workspace.request('GET', `/v1/standups?team=${text}`), 'invalid_parameter');
      expectProblem(await workspace.request('GET', `/v1/teams/${text}`), 'bad_request');
    },
  );

  it('are refused in a request line that contains them unencoded', async () => {
    for (const target of ['/v1/teams/\xff', '/v1/standups?team=\xff']) {
      const request = Buffer.from(`GET ${target} HTTP/1.1\r\n${head()}\r\n`, 'latin1');
      expect((await sendRaw(service.url, request)).body.code).toBe('bad_request');
    }
  });

  it('are not suspected because a query contains a plus or an escaped character', async () => {
    const {body} = await workspace.request('GET', '/v1/standups?team=pl%C3%A4t+form%21');
    expect(body.detail).toContain('"plät form!"');
  });
});

describe('bodies of 10 MB at full speed', () => {
  const size = 10 * 1024 * 1024;

  it.each([
    ['with its length', `Content-Length: ${size}`, Buffer.alloc(size, 'x')],
    [
      'in chunks',
      'Transfer-Encoding: chunked',
      Buffer.from(`10000\r\n${'x'.repeat(0x10000)}\r\n`.repeat(size / 0x10000) + '0\r\n\r\n'),
    ],
  ])('are refused while others are served: %s', async (_, framing, body) => {
    const request = `POST /v1/standups HTTP/1.1\r\n${head()}Content-Type: application/json\r\n${framing}\r\n\r\n`;
    const floods = Array.from({length: deep ? 5 : 2}, () => sendRaw(service.url, [request, body]));
    const served = await Promise.all(Array.from({length: 10}, () => workspace.request('GET', '/v1/me')));
    expect(served.map(({status}) => status)).toEqual(Array(10).fill(200));
    for (const answer of await Promise.all(floods)) expect(answer.body.code).toBe('payload_too_large');
  });
});

describe('a request whose framing can be read in two ways', () => {
  const smuggled = 'GET /v1/standups HTTP/1.1\r\nHost: smuggled\r\n\r\n';
  const start = (line: string) =>
    `POST /v1/standups HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${workspace.token}\r\nContent-Type: application/json\r\n${line}\r\n\r\n`;

  it.each([
    ['a length and chunks', 'Content-Length: 5\r\nTransfer-Encoding: chunked', '0\r\n\r\n'],
    ['chunks and a length', 'Transfer-Encoding: chunked\r\nContent-Length: 5', '0\r\n\r\n'],
    ['a space before the colon', 'Transfer-Encoding : chunked', '0\r\n\r\n'],
    ['a coding that is not known', 'Transfer-Encoding: xchunked', '0\r\n\r\n'],
    ['a coding before chunked', 'Transfer-Encoding: gzip, chunked', '0\r\n\r\n'],
    ['chunked and then another', 'Transfer-Encoding: chunked\r\nTransfer-Encoding: identity', '0\r\n\r\n'],
    ['chunked twice', 'Transfer-Encoding: chunked, chunked', '0\r\n\r\n'],
    ['two lengths', 'Content-Length: 2\r\nContent-Length: 4', '{}{}'],
    ['a list of lengths', 'Content-Length: 2, 2', '{}'],
    ['a length with a sign', 'Content-Length: +2', '{}'],
    ['a length in hexadecimal', 'Content-Length: 0x2', '{}'],
    ['a negative chunk', 'Transfer-Encoding: chunked', '-2\r\n{}\r\n0\r\n\r\n'],
    ['a chunk past all numbers', 'Transfer-Encoding: chunked', 'fffffffffffffffff\r\n{}\r\n0\r\n\r\n'],
    ['chunks that end in bare line feeds', 'Transfer-Encoding: chunked', '2\n{}\n0\n\n'],
    ['a header folded over two lines', 'X-A: b\r\n Content-Length: 2', '{}'],
    ['a second Host', 'Content-Length: 2\r\nHost: y', '{}'],
    ['a second Authorization', 'Content-Length: 2\r\nAuthorization: Bearer x', '{}'],
  ])('is refused, and nothing after it is read: %s', async (_, line, body) => {
    const {text, status} = await sendRaw(service.url, start(line) + body + smuggled);
    expect(status).toBe(400);
    expect(text).not.toMatch(/HTTP\/1\.1 \d/);
  });

  it('is refused with chunks in HTTP/1.0', async () => {
    const request = start('Transfer-Encoding: chunked').replace('HTTP/1.1', 'HTTP/1.0');
    const {status, body} = await sendRaw(service.url, `${request}2\r\n{}\r\n0\r\n\r\n`);
    expect({status, code: body.code}).toEqual({status: 400, code: 'bad_request'});
  });
});

describe('a request target', () => {
  const get = (target: string, method = 'GET') =>
    sendRaw(service.url, `${method} ${target} HTTP/1.1\r\n${head()}\r\n`);

  it('may be a whole address, of which only the path counts', async () => {
    const {status, body} = await get('http://elsewhere.example/v1/me');
    expect({status, object: body.object}).toEqual({status: 200, object: 'me'});
    for (const update of ['One.', 'Two.']) await post(JSON.stringify({team: 'platform', update}));
    const list = await get('https://elsewhere.example:99/v1/standups?limit=1');
    expect(list.headers.get('link')).toMatch(/^<http:\/\/localhost:\d+\/v1\/standups\?/);
    const refused = await get('http://elsewhere.example/v1/nothing');
    expect(refused.body.instance).toBe('/v1/nothing');
  });

  it.each([
    ['*', 'OPTIONS', 400],
    ['*', 'GET', 400],
    ['//elsewhere.example/v1/me', 'GET', 404],
    ['/v1/../v1/me', 'GET', 404],
    ['/v1/%2e%2e/v1/me', 'GET', 404],
    ['/v1/me;a=b', 'GET', 404],
    ['/v1/me#a', 'GET', 400],
    ['v1/me', 'GET', 400],
    ['file:///etc/passwd', 'GET', 400],
  ])('is answered, if it is %s (%s), with status %i', async (target, method, status) => {
    const answer = await get(target, method);
    expect(answer.status).toBe(status);
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
  });

  it('is refused with the method CONNECT, and no tunnel is opened', async () => {
    expect((await get('localhost:6379', 'CONNECT')).text).toBe('');
  });
});

describe('the headers of an answer', () => {
  it.each([
    ['a line break in X-Request-Id', 'X-Request-Id: abcdefgh\r\n Set-Cookie: a=b', 400],
    ['a bare carriage return in X-Request-Id', 'X-Request-Id: abcdefgh\rSet-Cookie: a=b', 400],
    ['an encoded line break in X-Request-Id', 'X-Request-Id: abcdefgh%0d%0aSet-Cookie:%20a=b', 200],
    ['a secret in X-Request-Id', 'X-Request-Id: xoxb-1234-abcdefgh', 200],
    ['two X-Request-Ids', 'X-Request-Id: abcdefgh\r\nX-Request-Id: ijklmnop', 200],
  ])('contain nothing from %s', async (_, line, status) => {
    const answer = await sendRaw(service.url, `GET /v1/me HTTP/1.1\r\n${head()}${line}\r\n\r\n`);
    expect(answer.status).toBe(status);
    expect(answer.headers.has('set-cookie')).toBe(false);
    expect(answer.headers.get('x-request-id')).toMatch(/^req_[0-9a-z]{26}$/);
  });

  it('contain no extra header made by the text of a cursor, a filter or a path', async () => {
    for (const update of ['One.', 'Two.']) await post(JSON.stringify({team: 'platform', update}));
    const {headers} = await workspace.request('GET', '/v1/standups?limit=1&team=platform%0d%0aX-A:%20b');
    expect(headers.get('x-a')).toBeNull();
    expectProblem(await workspace.request('GET', '/v1/%0d%0aX-A:%20b'), 'not_found');
  });
});

it('very many connections that never finish a request are closed, and delay no other request', async () => {
  const {hostname, port} = new URL(hasty.url);
  const many = deep ? 1_000 : 100;
  let closed = 0;
  let connected = 0;
  const sockets = Array.from({length: many}, (_, i) => {
    const socket = net.connect(Number(port), hostname, () => (connected += 1));
    socket.on('error', () => undefined).on('close', () => (closed += 1));
    socket.write(i % 2 === 0 ? 'GET /v1/me HTTP/1.1\r\nHost: x\r\n' : 'POST /v1/standups HTTP/1.1\r\nX-Half');
    return socket.resume();
  });
  try {
    await until(() => connected === many, {what: 'all are connected'});
    const times: number[] = [];
    for (let i = 0; i < 20; i += 1) {
      const ask = () => sendRequest(hasty.url, 'GET', '/v1/me', {token: workspace.token});
      const [{status}, ms] = await measureTime(ask);
      expect(status).toBe(200);
      times.push(ms);
    }
    expect(times.toSorted((a, b) => a - b)[17]).toBeLessThan(500);
    await until(() => closed === many, {what: 'all are cut', withinMs: 30_000});
  } finally {
    for (const socket of sockets) socket.destroy();
  }
});

describe('a slow or idle connection', () => {
  const statusesOf = (text: string): string[] =>
    [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status ?? '');

  it('is closed if it sends nothing', async () => {
    const {text, afterMs} = await slow.silence;
    expect(statusesOf(text)).toEqual(['408']);
    expect(afterMs).toBeLessThan(10_000);
  });

  it('is closed after a request that is no HTTP', async () => {
    const {text, afterMs} = await slow.open;
    expect(statusesOf(text)).toEqual(['400']);
    expect(afterMs).toBeLessThan(10_000);
  });

  it('is closed with 408 if it sends its headers byte by byte', async () => {
    const {text, afterMs} = await slow.headers;
    expect(statusesOf(text)).toEqual(['408']);
    expect(afterMs).toBeLessThan(10_000);
  });

  it('is closed with one answer at once if it was refused and continues to send its body', async () => {
    const {text, afterMs} = await slow.refused;
    expect(statusesOf(text)).toEqual(['401']);
    expect(afterMs).toBeLessThan(20_000);
  });

  it('is closed with 408 and nothing stored if it sends its body byte by byte', async () => {
    const before = (await eventsOf(workspace)).length;
    const {text, afterMs} = await slow.body;
    expect(statusesOf(text)).toEqual(['408']);
    expect(text).toContain('"code":"request_timeout"');
    expect(afterMs).toBeLessThan(15_000);
    expect(await eventsOf(workspace)).toHaveLength(before);
  });
});
