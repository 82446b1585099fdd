import {afterAll, beforeAll, describe, expect, it} from '@jest/globals';
import {sendRequest, startService, type TestService, type TestWorkspace} from '../../support/service.js';
import {expectProblem} from './expect-problem.js';
import {routes} from '../samples.js';
import {sampleUnlessDeep} from '../../support/deep.js';

const app = 'https://app.example.com';
const board = 'http://board.example.com:8080';

let open: TestService;
let closed: TestService;
let workspace: TestWorkspace;

beforeAll(async () => {
  open = await startService({env: {CORS_ORIGINS: `${app}, ${board}`}});
  closed = await startService();
  workspace = await open.addWorkspace();
});

afterAll(async () => {
  await open.close();
  await closed.close();
});

function ask(service: TestService, path: string, origin: string, method = 'POST') {
  return sendRequest(service.url, 'OPTIONS', path, {
    headers: {
      origin,
      'access-control-request-method': method,
      'access-control-request-headers': 'authorization,content-type,idempotency-key',
    },
  });
}

const corsHeaders = (headers: Headers) =>
  [...headers.keys()].filter((name) => name.startsWith('access-control'));
const listOf = (header: string | null) => (header ?? '').split(/, ?/).toSorted();

const paths = [...new Set(routes.map(({path}) => path))];

describe('CORS by default', () => {
  it.each(sampleUnlessDeep(paths, 8))('allows no page to call %s', async (path) => {
    const preflight = await ask(closed, path, app);
    const actual = await sendRequest(closed.url, 'GET', path, {headers: {origin: app}});
    expect([...corsHeaders(preflight.headers), ...corsHeaders(actual.headers)]).toEqual([]);
  });
});

describe('a page of a listed origin', () => {
  it.each(sampleUnlessDeep(paths, 8))('learns from a preflight what %s accepts', async (path) => {
    const {status, text, headers} = await ask(open, path, app);
    expect({status, text}).toEqual({status: 204, text: ''});
    expect(headers.get('access-control-allow-origin')).toBe(app);
    const methods = routes.filter((route) => route.path === path).map(({method}) => method);
    expect(listOf(headers.get('access-control-allow-methods'))).toEqual(methods.toSorted());
    expect(listOf(headers.get('access-control-allow-headers'))).toEqual(
      [
        'Authorization',
        'Content-Type',
        'Idempotency-Key',
        'If-Match',
        'If-None-Match',
        'Last-Event-ID',
        'Mcp-Method',
        'Mcp-Name',
        'Mcp-Protocol-Version',
        'X-Request-Id',
        'traceparent',
      ].toSorted(),
    );
    expect(headers.get('access-control-max-age')).toBe('600');
    expect(headers.get('access-control-allow-credentials')).toBeNull();
    expect(headers.get('vary')).toMatch(/\bOrigin\b/);
    expect(headers.get('allow')).toContain('OPTIONS');
  });

  it('may read the answer and the headers that a client needs', async () => {
    const answer = await workspace.request('POST', '/v1/standups', {
      body: {team: 'platform', update: 'From a page.'},
      headers: {origin: board},
    });
    expect(answer.status).toBe(201);
    expect(answer.headers.get('access-control-allow-origin')).toBe(board);
    expect(answer.headers.get('vary')).toBe('Origin');
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
    expect(listOf(answer.headers.get('access-control-expose-headers'))).toEqual(
      [
        'Content-Disposition',
        'Deprecation',
        'ETag',
        'Idempotent-Replayed',
        'Link',
        'Location',
        'RateLimit',
        'RateLimit-Policy',
        'Retry-After',
        'Sunset',
        'WWW-Authenticate',
        'X-Request-Id',
      ].toSorted(),
    );
  });

  it.each([
    ['without a token', '/v1/me', 'authentication_required'],
    ['at an address that does not exist', '/v1/nothing', 'not_found'],
    ['at an address that is wrongly encoded', '/v1/teams/%ff', 'bad_request'],
  ] as const)('may read a refusal %s', async (_, path, code) => {
    const answer = await sendRequest(open.url, 'GET', path, {headers: {origin: app}});
    expectProblem(answer, code);
    expect(answer.headers.get('access-control-allow-origin')).toBe(app);
  });

  it.each(['/openapi.json', '/v1'])('may read the document %s', async (path) => {
    const {status, headers} = await sendRequest(open.url, 'GET', path, {headers: {origin: app}});
    expect({status, origin: headers.get('access-control-allow-origin')}).toEqual({status: 200, origin: app});
    const preflight = await ask(open, path, app, 'GET');
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-methods')).toBe('GET');
  });
});

describe('a page of an unlisted origin', () => {
  it.each([
    'https://evil.example.com',
    `${app}.evil.example.com`,
    `${app}:444`,
    'http://app.example.com',
    'https://APP.example.com',
    'null',
    'https://app.example.co',
  ])('may not call the API from %s', async (origin) => {
    const preflight = await ask(open, '/v1/standups', origin);
    const actual = await workspace.request('GET', '/v1/standups', {headers: {origin}});
    for (const {headers} of [preflight, actual]) {
      expect(headers.get('access-control-allow-origin')).toBeNull();
      expect(headers.get('access-control-allow-methods')).toBeNull();
      // A cache must not give this answer to a page with a listed origin.
      expect(headers.get('vary')).toMatch(/\bOrigin\b/);
    }
  });
});

it('addresses outside the API are closed for listed origins', async () => {
  for (const path of ['/healthz', '/readyz', '/docs', '/.well-known/jwks.json']) {
    const {headers} = await sendRequest(open.url, 'GET', path, {headers: {origin: app}});
    expect(corsHeaders(headers)).toEqual([]);
  }
});

it('OPTIONS without an origin is answered as without CORS', async () => {
  const {status, headers} = await sendRequest(open.url, 'OPTIONS', '/v1/teams');
  expect({status, allow: headers.get('allow')}).toEqual({status: 204, allow: 'GET, HEAD, OPTIONS, POST'});
  expect(headers.get('access-control-allow-origin')).toBeNull();
});
