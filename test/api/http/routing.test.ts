import {afterAll, beforeAll, describe, expect, it} from '@jest/globals';
import {deep, sampleUnlessDeep} from '../../support/deep.js';
import {sendRequest, startService, type TestService, type TestWorkspace} from '../../support/service.js';
import {startReceiver, type Receiver} from '../../support/receiver.js';
import {runConcurrently} from '../../support/side-by-side.js';
import {expectProblem} from './expect-problem.js';
import {sendRaw} from '../raw.js';
import {addFixtures, type Fixtures, routes, sampleOf} from '../samples.js';

let service: TestService;
let workspace: TestWorkspace;
let receiver: Receiver;
let fixtures: Fixtures;

beforeAll(async () => {
  service = await startService({env: {SECURITY_CONTACT: 'mailto:security@example.com'}});
  receiver = await startReceiver();
  workspace = await service.addWorkspace();
  fixtures = await addFixtures(workspace, receiver.url);
});

afterAll(async () => {
  await service.close();
  await receiver.close();
});

const reads = routes.filter(({method}) => method === 'GET');
const paths = [...new Set(routes.map(({path}) => path))];
/** Paths that need no token. */
const openPaths = [
  '/',
  '/healthz',
  '/readyz',
  '/v1',
  '/openapi.json',
  '/docs',
  '/docs/page.css',
  '/problems',
  '/problems/not_found',
  '/llms.txt',
  '/.well-known/jwks.json',
  '/.well-known/security.txt',
];

function allowedAt(path: string): string {
  if (openPaths.includes(path)) return 'GET, HEAD, OPTIONS';
  const methods = routes.filter((route) => route.path === path).map(({method}) => method);
  const all = [...methods, 'OPTIONS', ...(methods.includes('GET') ? ['HEAD'] : [])];
  return all.toSorted().join(', ');
}

describe('HEAD', () => {
  it.each(sampleUnlessDeep(reads, 12))('is answered like GET, without the body, at $path', async (route) => {
    const {path, token} = sampleOf(route, fixtures);
    const as = {...(token && {token})};
    const [get, head] = await Promise.all([
      workspace.request('GET', path, as),
      workspace.request('HEAD', path, as),
    ]);
    expect({status: head.status, text: head.text}).toEqual({status: 200, text: ''});
    for (const name of ['content-type', 'content-length', 'etag', 'cache-control', 'link']) {
      expect(head.headers.get(name)).toBe(get.headers.get(name));
    }
  });

  it('is answered like GET for an error', async () => {
    const head = await workspace.request('HEAD', '/v1/standups/std_0');
    expect({status: head.status, text: head.text}).toEqual({status: 404, text: ''});
  });
});

describe('OPTIONS', () => {
  it.each(sampleUnlessDeep(paths, 10))('needs no token and lists the methods at %s', async (path) => {
    const answer = await sendRequest(service.url, 'OPTIONS', path);
    expect({status: answer.status, text: answer.text}).toEqual({status: 204, text: ''});
    expect(answer.headers.get('allow')).toBe(allowedAt(path));
  });
});

const everyMethod = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PURGE'];

describe('a method that an address does not know', () => {
  it.each(sampleUnlessDeep([...paths, ...openPaths], 14))(
    'is a 405 with Allow for every caller at %s',
    async (path) => {
      const allow = allowedAt(path);
      const missing = everyMethod.filter((method) => !allow.split(', ').includes(method));
      const known = `Authorization: Bearer ${workspace.token}\r\n`;
      // Every method is tried without a token, and the last one with a token. Deep runs try all with both.
      const asked = missing.flatMap((method, at) =>
        (deep || at === missing.length - 1 ? ['', known] : ['']).map((credentials) => ({
          method,
          credentials,
        })),
      );
      const answers = await runConcurrently(asked, async ({method, credentials}) => {
        const head = `${method} ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${credentials}\r\n`;
        const {status, headers, body} = await sendRaw(service.url, head);
        return {method, status, allow: headers.get('allow'), code: body?.code};
      });
      expect(answers).toEqual(
        asked.map(({method}) => ({
          method,
          status: 405,
          allow,
          code: method === 'HEAD' ? undefined : 'method_not_allowed',
        })),
      );
    },
  );

  it('is a 405 even if it is no method of HTTP and the parser refuses it', async () => {
    const answer = await sendRaw(service.url, 'BREW /v1/standups HTTP/1.1\r\nHost: x\r\n\r\n');
    expect({status: answer.status, code: answer.body?.code}).toEqual({status: 400, code: 'bad_request'});
  });
});

describe('a method that an address knows', () => {
  it.each(sampleUnlessDeep(routes, 12))('is never a 405: $method $path', async ({method, path}) => {
    const answer = await sendRequest(service.url, method, path.replaceAll(/\{\w+\}/g, 'x'));
    expectProblem(answer, 'authentication_required');
  });
});

// The document takes a second to build; openapi.test.ts requests it without a token.
const madeAtOnce = openPaths.filter((path) => deep || path !== '/openapi.json');

it.each(madeAtOnce)('GET and HEAD %s need no token', async (path) => {
  for (const method of ['GET', 'HEAD'])
    expect((await sendRequest(service.url, method, path)).status).toBe(path === '/' ? 302 : 200);
});

it.each(['/v2', '/v2/standups', '/v1/standup', '/V1/standups', '/v1/standups/a/b', '/healthz/x', '/%00'])(
  'GET %s is a 404',
  async (path) => {
    expectProblem(await workspace.request('GET', path), 'not_found');
  },
);

describe('X-Request-Id', () => {
  it("returns the caller's id if it is well-formed", async () => {
    const headers = {'x-request-id': 'Trace-0123.456_z'};
    expect((await workspace.request('GET', '/v1/me', {headers})).headers.get('x-request-id')).toBe(
      'Trace-0123.456_z',
    );
    const refused = await workspace.request('GET', '/v1/nothing', {headers});
    expect(expectProblem(refused, 'not_found').request_id).toBe('Trace-0123.456_z');
  });

  it.each(['short', 'x'.repeat(129), 'with space', 'semi;colon', '<script>'])(
    'is generated if it is %j',
    async (id) => {
      const answer = await workspace.request('GET', '/v1/me', {headers: {'x-request-id': id}});
      expect(answer.headers.get('x-request-id')).toMatch(/^req_[0-7][0-9a-hjkmnp-tv-z]{25}$/);
    },
  );

  it('is never the same twice', async () => {
    const answers = await Promise.all(Array.from({length: 20}, () => workspace.request('GET', '/v1/me')));
    expect(new Set(answers.map(({headers}) => headers.get('x-request-id'))).size).toBe(20);
  });
});

it('every answer forbids sniffing and caching, unless it has an entity tag that is revalidated', async () => {
  const single = await workspace.request('GET', `/v1/standups/${fixtures.standup}`);
  const list = await workspace.request('GET', '/v1/standups');
  const teams = await workspace.request('GET', '/v1/teams');
  for (const {headers} of [single, list]) {
    expect(headers.get('etag')).not.toBeNull();
    expect(headers.get('cache-control')).toBe('private, no-cache');
  }
  expect(teams.headers.get('etag')).toBeNull();
  expect(teams.headers.get('cache-control')).toBe('no-store');
  for (const {headers} of [single, list, teams]) {
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('x-powered-by')).toBeNull();
  }
});

it('an empty Accept header means the same as no Accept header', async () => {
  const head = `GET /v1/me HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${workspace.token}\r\n`;
  expect((await sendRaw(service.url, `${head}Accept:\r\n\r\n`)).status).toBe(200);
});
