import net from 'node:net';
import {afterAll, beforeAll, describe, expect, it} from '@jest/globals';
import {z} from 'zod';
import type {Route} from '../../../src/api/http/route.js';
import {createRoutes} from '../../../src/api/routes.js';
import type {Services} from '../../../src/service/services.js';
import {startService, type TestService, type TestWorkspace} from '../../support/service.js';
import {until} from '../../support/until.js';
import {sampleUnlessDeep} from '../../support/deep.js';

const routes = createRoutes({} as Services);
const withBody = routes.filter(({body}) => body !== undefined);

let service: TestService;
let workspace: TestWorkspace;
/** Work for a request, in order: `operation query`, `operation body`, `operation handler`. */
let done: string[] = [];

/** Records each parsing of a query or a body, and each start of a handler. */
function watched(route: Route): Route {
  const note = (what: string) => void done.push(`${route.operation} ${what}`);
  const seen = (schema: z.ZodType, what: string) => {
    const look = (value: unknown) => {
      note(what);
      return value;
    };
    return z.preprocess(look, schema);
  };
  const {body, query, handle} = route;
  return {
    ...route,
    query: seen(query, 'query'),
    ...(body !== undefined && {body: seen(body, 'body')}),
    handle(handled) {
      note('handler');
      return handle(handled);
    },
  };
}

beforeAll(async () => {
  service = await startService({changeRoutes: (table) => table.map(watched)});
  workspace = await service.addWorkspace();
});

afterAll(() => service.close());

async function addRevokedToken(used: 'used' | 'never used'): Promise<string> {
  const {value, id} = await workspace.addToken();
  if (used === 'used') await workspace.request('GET', '/v1/me', {token: value});
  await service.core.services.tokens.revokeToken(workspace.operator(), id);
  return value;
}

const filled = (path: string) =>
  path
    .replace('{date}', '2026-11-25')
    .replaceAll(/\{(\w+)\}/g, (_, name: string) => (name === 'team' ? 'platform' : 'x'));

/** The status of the answer to an incomplete request. */
async function statusOf(text: string, url = service.url): Promise<number> {
  const {hostname, port} = new URL(url);
  const socket = net.connect(Number(port), hostname);
  let answer = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => (answer += chunk));
  socket.write(text);
  await until(() => answer.includes('\r\n\r\n'), {what: 'the request is answered'});
  socket.destroy();
  return Number(answer.split(' ')[1]);
}

const head = (route: Route, token: string, more = '') =>
  `${route.method} ${filled(route.path)} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n${more}\r\n`;
const long = 'Content-Type: application/json\r\nContent-Length: 60000\r\n';
const chunked = 'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n';
const short = 'Content-Type: application/json\r\nContent-Length: 14\r\n';

describe('a request with a revoked token', () => {
  it.each([
    ['a long body has come', long],
    ['a body without a length has come', chunked],
  ])('is refused by every operation before %s', async (_, more) => {
    for (const route of sampleUnlessDeep(withBody, 8)) {
      const token = await addRevokedToken('used');
      expect({operation: route.operation, status: await statusOf(head(route, token, more))}).toEqual({
        operation: route.operation,
        status: 401,
      });
    }
  });

  it('is refused by every operation before its query, body or handler is looked at', async () => {
    const token = await addRevokedToken('never used');
    done = [];
    for (const route of sampleUnlessDeep(routes, 25)) {
      const sent =
        route.body === undefined ? head(route, token) : `${head(route, token, short)}{"wrong":true}`;
      expect({operation: route.operation, status: await statusOf(sent)}).toEqual({
        operation: route.operation,
        status: 401,
      });
    }
    expect(done).toEqual([]);
  });

  it('is refused before anything else if it is the first since the revocation', async () => {
    const token = await addRevokedToken('used');
    const [route] = withBody as [Route];
    const send = () => statusOf(`${head(route, token, short)}{"wrong":true}`);
    expect(await send()).toBe(401);
    done = [];
    for (let i = 0; i < 5; i += 1) expect(await send()).toBe(401);
    expect(done).toEqual([]);
  });
});

describe('a request of an assistant whose long body has not come', () => {
  const toMcp = (token: string, more: string) =>
    `POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n${more}\r\n`;

  it.each([
    ['used before', 'used', long],
    ['used before, with a body without a length', 'used', chunked],
    ['never used', 'never used', short],
  ] as const)('is refused for a token that is revoked: %s', async (_, used, more) => {
    expect(await statusOf(toMcp(await addRevokedToken(used), more))).toBe(401);
  });

  it('is refused for a caller without quota', async () => {
    const limited = await startService({env: {RATE_LIMIT: '2'}});
    try {
      const {token, request} = await limited.addWorkspace();
      for (let i = 0; i < 3; i++) await request('GET', '/v1/me');
      expect(await statusOf(toMcp(token, long), limited.url)).toBe(429);
    } finally {
      await limited.close();
    }
  });
});

it('the recorder of this test notices the work for an accepted request', async () => {
  done = [];
  await workspace.request('GET', '/v1/me');
  expect(done).toContain('getMe handler');
});
