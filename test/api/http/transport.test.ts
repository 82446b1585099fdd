import net from 'node:net';
import {afterAll, beforeAll, describe, expect, it} from '@jest/globals';
import {type ProblemCode, problemKinds} from '../../../src/api/http/problems.js';
import {startService, type TestService, type TestWorkspace} from '../../support/service.js';
import {until} from '../../support/until.js';
import {type RawAnswer, sendRaw} from '../raw.js';
import {eventsOf} from '../samples.js';

let service: TestService;
let workspace: TestWorkspace;

beforeAll(async () => {
  service = await startService();
  workspace = await service.addWorkspace();
});

afterAll(() => service.close());

/** Checks that an error of the HTTP parser is a problem like every other, and closes the connection. */
function expectTransportProblem({status, headers, body}: RawAnswer, code: ProblemCode): void {
  expect({status, code: body?.code}).toEqual({status: problemKinds[code].status, code});
  expect(headers.get('content-type')).toBe('application/problem+json');
  expect(headers.get('connection')).toBe('close');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('cache-control')).toBe('no-store');
  expect(body).toMatchObject({title: problemKinds[code].title, request_id: headers.get('x-request-id')});
  expect(body.type).toContain(`/problems/${code}`);
}

const head = 'Host: x\r\nConnection: close\r\n';

describe('a request that is no HTTP', () => {
  it.each([
    ['a line that is no request', 'what is this\r\n\r\n'],
    ['a version that does not exist', `GET /v1/me HTTP/9.9\r\n${head}\r\n`],
    ['a header without a colon', `GET /v1/me HTTP/1.1\r\n${head}nonsense\r\n\r\n`],
    ['a space before a colon', `GET /v1/me HTTP/1.1\r\n${head}Authorization : Bearer x\r\n\r\n`],
    ['a control character in a header', `GET /v1/me HTTP/1.1\r\n${head}X-A: a\u0001b\r\n\r\n`],
    ['a length that is no number', `POST /v1/standups HTTP/1.1\r\n${head}Content-Length: ten\r\n\r\n`],
    [
      'both a length and chunks, which smuggles requests past proxies',
      `POST /v1/standups HTTP/1.1\r\n${head}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    ['two lengths', `POST /v1/standups HTTP/1.1\r\n${head}Content-Length: 3\r\nContent-Length: 4\r\n\r\nabc`],
    ['no Host', 'GET /v1/me HTTP/1.1\r\nConnection: close\r\n\r\n'],
  ])('is answered with bad_request: %s', async (_, request) => {
    expectTransportProblem(await sendRaw(service.url, request), 'bad_request');
  });
});

describe('request headers that are too large', () => {
  it('are answered with headers_too_large if they have too many bytes', async () => {
    const request = `GET /v1/me HTTP/1.1\r\n${head}X-Long: ${'x'.repeat(20_000)}\r\n\r\n`;
    expectTransportProblem(await sendRaw(service.url, request), 'headers_too_large');
  });

  it('are refused if there are too many, since dropping some could lose an Idempotency-Key', async () => {
    const many = Array.from({length: 120}, (_, i) => `X-H${i}: 1\r\n`).join('');
    const body = '{"team":"platform","update":"Twice?"}';
    const request =
      `POST /v1/standups HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n` +
      `Authorization: Bearer ${workspace.token}\r\n${many}Idempotency-Key: at-the-end\r\n\r\n${body}`;
    const before = (await eventsOf(workspace)).length;
    expectTransportProblem(await sendRaw(service.url, request), 'headers_too_large');
    expect(await eventsOf(workspace)).toHaveLength(before);
  });

  it('are more than 100, since 100 are accepted', async () => {
    const many = Array.from({length: 97}, (_, i) => `X-H${i}: 1\r\n`).join('');
    const request = `GET /v1/me HTTP/1.1\r\n${head}Authorization: Bearer ${workspace.token}\r\n${many}\r\n`;
    expect((await sendRaw(service.url, request)).status).toBe(200);
  });
});

describe('an address that is too long', () => {
  it.each([8_300, 15_000, 30_000])('is answered with uri_too_long at %d characters', async (length) => {
    const request = `GET /v1/standups?team=${'x'.repeat(length)} HTTP/1.1\r\n${head}\r\n`;
    expectTransportProblem(await sendRaw(service.url, request), 'uri_too_long');
  });

  it('has more than 8,000 characters: an address of 8,000 is accepted', async () => {
    const request = `GET /v1/standups?team=${'x'.repeat(8_000)} HTTP/1.1\r\n${head}Authorization: Bearer ${workspace.token}\r\n\r\n`;
    expect((await sendRaw(service.url, request)).body.code).toBe('invalid_parameter');
  });
});

it('the answer to a refused body of any size still arrives', async () => {
  const size = 8 * 1024 * 1024;
  const request = (token: string) =>
    `POST /v1/standups HTTP/1.1\r\n${head}Content-Type: application/json\r\nAuthorization: Bearer ${token}\r\nContent-Length: ${size}\r\n\r\n`;
  const body = Buffer.alloc(size, 'x');
  const tooLarge = await sendRaw(service.url, [request(workspace.token), body]);
  expect(tooLarge.body.code).toBe('payload_too_large');
  const unknown = await sendRaw(service.url, [request('x'), body]);
  expect(unknown.body.code).toBe('invalid_token');
});

it('two requests in one packet are answered in order on one connection', async () => {
  const auth = `Host: x\r\nAuthorization: Bearer ${workspace.token}\r\n`;
  const {text} = await sendRaw(
    service.url,
    `GET /v1/me HTTP/1.1\r\n${auth}\r\nGET /v1/standups HTTP/1.1\r\n${auth}Connection: close\r\n\r\n`,
  );
  expect(text.indexOf('"object":"me"')).toBeLessThan(text.indexOf('"object":"list"'));
  expect(text).toContain('"object":"list"');
});

it('a caller that disconnects in the middle of a body leaves nothing behind', async () => {
  const before = (await eventsOf(workspace)).length;
  const {port, hostname} = new URL(service.url);
  const socket = net.connect(Number(port), hostname);
  socket.write(
    `POST /v1/standups HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nAuthorization: Bearer ${workspace.token}\r\nContent-Length: 100\r\n\r\n{"team":`,
  );
  await until(() => socket.bytesWritten > 0 && !socket.connecting);
  socket.destroy();
  expect((await workspace.request('GET', '/v1/me')).status).toBe(200);
  expect(await eventsOf(workspace)).toHaveLength(before);
});

it('a request that does not arrive completely is answered with request_timeout', async () => {
  const hasty = await startService({httpTimes: {headersMs: 500, requestMs: 1_000}});
  try {
    const answer = await sendRaw(hasty.url, 'GET /v1/me HTTP/1.1\r\nHost: x\r\nX-Never-Ended: ');
    expectTransportProblem(answer, 'request_timeout');
  } finally {
    await hasty.close();
  }
});
