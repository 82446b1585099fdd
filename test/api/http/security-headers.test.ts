import {afterAll, beforeAll, describe, expect, it} from '@jest/globals';
import {sendRequest, startService, type TestService, type TestWorkspace} from '../../support/service.js';
import {sendRaw} from '../raw.js';
import {addFixtures, type Fixtures, routes, sampleOf} from '../samples.js';
import {startReceiver, type Receiver} from '../../support/receiver.js';
import {deep, sampleUnlessDeep} from '../../support/deep.js';

let service: TestService;
let plain: TestService;
let workspace: TestWorkspace;
let receiver: Receiver;
let fixtures: Fixtures;

beforeAll(async () => {
  const slack = {
    SLACK_BOT_TOKEN: 'xoxb-test',
    SLACK_SIGNING_SECRET: 'signing',
    SLACK_API_URL: 'http://127.0.0.1:9/',
  };
  const open = {METRICS_TOKEN: 'metrics-token', SECURITY_CONTACT: 'mailto:security@example.com'};
  service = await startService({env: {PUBLIC_URL: 'https://standup.example.com', ...slack, ...open}});
  plain = await startService();
  receiver = await startReceiver();
  workspace = await service.addWorkspace();
  fixtures = await addFixtures(workspace, receiver.url);
});

afterAll(async () => {
  await service.close();
  await plain.close();
  await receiver.close();
});

type Lookup = {get(name: string): string | null | undefined};

function expectSafe(headers: Lookup): void {
  expect({
    poweredBy: headers.get('x-powered-by') ?? null,
    sniffing: headers.get('x-content-type-options'),
    referrer: headers.get('referrer-policy'),
    resource: headers.get('cross-origin-resource-policy'),
    transport: headers.get('strict-transport-security'),
  }).toEqual({
    poweredBy: null,
    sniffing: 'nosniff',
    referrer: 'no-referrer',
    resource: 'same-origin',
    transport: expect.stringMatching(/^max-age=31536000/),
  });
}

/** If data were ever shown as a page, it must load nothing and be framed by no page. */
function expectData(headers: Lookup): void {
  expectSafe(headers);
  expect(headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'");
}

function expectPage(headers: Lookup): void {
  expectSafe(headers);
  const policy = headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none';script-src 'self';");
  expect(policy).toContain("frame-ancestors 'none'");
}

const anonymous = (method: string, path: string, headers: Record<string, string> = {}) =>
  sendRequest(service.url, method, path, {headers});

describe('the security headers of an operation', () => {
  it.each(sampleUnlessDeep(routes, 12))('are set on success and on refusal: $method $path', async (route) => {
    const {path, body} = sampleOf(route, fixtures);
    const answers = await Promise.all([
      anonymous(route.method, path),
      workspace.request(route.method, path, {body, headers: {accept: 'text/html'}}),
      ...(route.method === 'GET' ? [workspace.request('GET', path)] : []),
    ]);
    for (const {headers} of answers) expectData(headers);
  });
});

describe('the security headers of other answers of the API', () => {
  it.each<[string, number, string, string, Record<string, string>?]>([
    ['a revision that the caller has', 304, 'GET', 'standup', {'if-none-match': '*'}],
    [
      'a refused condition',
      412,
      'PATCH',
      'standup',
      {'if-match': '"99"', 'content-type': 'application/json'},
    ],
    ['HEAD', 200, 'HEAD', 'standup'],
    ['OPTIONS', 204, 'OPTIONS', 'standup'],
    ['a method that is not known', 405, 'PUT', 'standup'],
    ['an unknown id', 404, 'GET', '/v1/standups/std_0'],
    ['an unknown path', 404, 'GET', '/v1/nothing'],
    ['an address that is wrongly encoded', 400, 'GET', '/v1/teams/%ff'],
    ['an unknown parameter', 400, 'GET', '/v1/teams?x=1'],
  ])('are set on %s (%i)', async (_, status, method, path, headers = {}) => {
    const address = path === 'standup' ? `/v1/standups/${fixtures.standup}` : path;
    const body = method === 'PATCH' ? '{"update":"x"}' : undefined;
    const answer = await workspace.request(method, address, {headers, body});
    expect(answer.status).toBe(status);
    expectData(answer.headers);
  });
});

describe('the security headers of addresses without a token', () => {
  it.each([
    ['/healthz', 200],
    ['/readyz', 200],
    // The document takes a second to build.
    ...(deep ? ([['/openapi.json', 200]] as const) : []),
    ['/v1', 200],
    ['/llms.txt', 200],
    ['/.well-known/jwks.json', 200],
    ['/.well-known/security.txt', 200],
    ['/problems/no-such-code', 404],
    ['/docs/nothing', 404],
    ['/docs/assets/nothing.js', 404],
    ['/docs/assets/%ff', 400],
    ['/nothing', 404],
  ])('are set on data at %s (%i)', async (path, status) => {
    const answer = await anonymous('GET', path);
    expect(answer.status).toBe(status);
    expectData(answer.headers);
  });

  it.each([
    ['/', 302],
    ['/docs', 200],
    ['/docs/start.js', 200],
    ['/docs/page.css', 200],
    ['/docs/assets/swagger-ui.css', 200],
    ['/problems', 200],
    ['/problems/not_found', 200],
    ['/security', 200],
  ])('are set on the page at %s (%i)', async (path, status) => {
    const answer = await anonymous('GET', path);
    expect(answer.status).toBe(status);
    expectPage(answer.headers);
  });

  it.each(['/healthz', '/docs'])('are set on POST %s', async (path) => {
    expectData((await anonymous('POST', path)).headers);
  });
});

describe('the security headers of a refusal by the HTTP parser', () => {
  const head = 'Host: x\r\nConnection: close\r\n';

  it.each([
    [400, 'what is this\r\n\r\n'],
    [400, 'GET /v1/me HTTP/1.1\r\nConnection: close\r\n\r\n'],
    [414, `GET /${'x'.repeat(9_000)} HTTP/1.1\r\n${head}\r\n`],
    [431, `GET /v1/me HTTP/1.1\r\n${head}X-Long: ${'x'.repeat(20_000)}\r\n\r\n`],
    [401, `GET /v1/me HTTP/1.1\r\n${head}Expect: the-unexpected\r\n\r\n`],
  ])('are set with status %i', async (status, request) => {
    const answer = await sendRaw(service.url, request);
    expect(answer.status).toBe(status);
    expectData(answer.headers);
  });
});

describe('the security headers of addresses for Slack', () => {
  it.each([
    ['a request without a signature', 'POST', {}, 401],
    [
      'a wrong signature',
      'POST',
      {
        'x-slack-request-timestamp': `${Math.floor(Date.now() / 1_000)}`,
        'x-slack-signature': `v0=${'0'.repeat(64)}`,
      },
      401,
    ],
    ['a method that Slack does not use', 'GET', {}, 404],
  ])('are set on %s', async (_, method, headers, status) => {
    const answer = await anonymous(method, '/slack/events', headers);
    expect(answer.status).toBe(status);
    expectData(answer.headers);
  });
});

it('regression: a request of Slack without a body is refused like any unsigned one', async () => {
  const signed = `X-Slack-Request-Timestamp: ${Math.floor(Date.now() / 1_000)}\r\nX-Slack-Signature: v0=${'0'.repeat(64)}`;
  const request = `POST /slack/events HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${signed}\r\n\r\n`;
  const answer = await sendRaw(service.url, request);
  expect(answer.status).toBe(401);
  expectData(answer.headers);
});

it('no header of strict transport security is sent on plain http', async () => {
  for (const path of ['/v1/me', '/healthz', '/docs']) {
    const {headers} = await sendRequest(plain.url, 'GET', path);
    expect(headers.get('strict-transport-security')).toBeNull();
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  }
});
