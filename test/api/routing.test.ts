import {afterAll, beforeAll, describe, expect, it} from '@jest/globals';
import {sendRequest, startService, type TestService, type TestWorkspace} from '../support/service.js';
import {startReceiver, type Receiver} from '../support/receiver.js';
import {expectProblem} from './expect-problem.js';
import {addFixtures, type Fixtures, routes, sampleOf} from './samples.js';

let service: TestService;
let workspace: TestWorkspace;
let receiver: Receiver;
let fixtures: Fixtures;

beforeAll(async () => {
  service = await startService();
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
/** What is answered without a token. */
const openPaths = [
  '/healthz',
  '/readyz',
  '/openapi.json',
  '/docs',
  '/problems/not_found',
  '/.well-known/jwks.json',
];

function allowedAt(path: string): string {
  const methods = routes.filter((route) => route.path === path).map(({method}) => method);
  const all = [...methods, 'OPTIONS', ...(methods.includes('GET') ? ['HEAD'] : [])];
  return all.toSorted().join(', ');
}

describe('HEAD answers what GET answers, without the body', () => {
  it.each(reads)('$path', async (route) => {
    const {path} = sampleOf(route, fixtures);
    const [get, head] = [await workspace.request('GET', path), await workspace.request('HEAD', path)];
    expect({status: head.status, text: head.text}).toEqual({status: 200, text: ''});
    for (const name of ['content-type', 'content-length', 'etag', 'cache-control', 'link']) {
      expect(head.headers.get(name)).toBe(get.headers.get(name));
    }
  });

  it('also for an error', async () => {
    const head = await workspace.request('HEAD', '/v1/standups/std_0');
    expect({status: head.status, text: head.text}).toEqual({status: 404, text: ''});
  });
});

describe('OPTIONS needs no token and lists the methods', () => {
  it.each(paths)('%s', async (path) => {
    const answer = await sendRequest(service.url, 'OPTIONS', path);
    expect({status: answer.status, text: answer.text}).toEqual({status: 204, text: ''});
    expect(answer.headers.get('allow')).toBe(allowedAt(path));
  });
});

describe('a method that an address does not know is a 405 with Allow', () => {
  it.each(paths)('PUT %s', async (path) => {
    const answer = await workspace.request('PUT', path, {body: {}});
    expectProblem(answer, 'method_not_allowed');
    expect(answer.headers.get('allow')).toBe(allowedAt(path));
  });

  it.each(openPaths)('POST %s', async (path) => {
    const answer = await sendRequest(service.url, 'POST', path);
    expectProblem(answer, 'method_not_allowed');
    expect(answer.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
  });
});

it.each(openPaths)('GET and HEAD %s need no token', async (path) => {
  for (const method of ['GET', 'HEAD'])
    expect((await sendRequest(service.url, method, path)).status).toBe(200);
});

it.each([
  '/v1',
  '/v1/',
  '/v2/standups',
  '/v1/standup',
  '/V1/standups',
  '/v1/standups/a/b',
  '/healthz/x',
  '/%00',
])('GET %s is a 404', async (path) => {
  expectProblem(await workspace.request('GET', path), 'not_found');
});

describe('X-Request-Id', () => {
  it('of the caller comes back when it is well-formed', async () => {
    const headers = {'x-request-id': 'Trace-0123.456_z'};
    expect((await workspace.request('GET', '/v1/me', {headers})).headers.get('x-request-id')).toBe(
      'Trace-0123.456_z',
    );
    const refused = await workspace.request('GET', '/v1/nothing', {headers});
    expect(expectProblem(refused, 'not_found').request_id).toBe('Trace-0123.456_z');
  });

  it.each(['short', 'x'.repeat(129), 'with space', 'semi;colon', '<script>'])(
    'is made new when it is %j',
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

it('every answer forbids sniffing, and none but a revision may be kept', async () => {
  const single = await workspace.request('GET', `/v1/standups/${fixtures.standup}`);
  const list = await workspace.request('GET', '/v1/standups');
  expect(single.headers.get('cache-control')).toBe('private, no-cache');
  expect(list.headers.get('cache-control')).toBe('no-store');
  for (const {headers} of [single, list]) {
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('x-powered-by')).toBeNull();
  }
});
