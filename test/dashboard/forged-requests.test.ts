import {afterAll, beforeAll, describe, expect, it} from '@jest/globals';
import {expectProblem} from '../api/http/expect-problem.js';
import {addPerson, type Person} from '../api/people.js';
import {startService, type TestService, type TestWorkspace} from '../support/service.js';
import {createTestBrowser, makeLink, passOf, signedIn} from './test-browser.js';

const publicUrl = 'http://localhost:3000';

let service: TestService;
/** A process with e-mail on the same data. With e-mail, joining by a link needs a code. */
let mailing: TestService;
let workspace: TestWorkspace;
let ada: Person;

beforeAll(async () => {
  const env = {PUBLIC_URL: publicUrl, CORS_ORIGINS: 'https://other.example', RATE_LIMIT_AUTH_FAILURES: '0'};
  service = await startService({env});
  mailing = await startService({redisUrl: service.redisUrl, env: {...env, ROLES: 'web'}, mail: 'sent'});
  workspace = await service.addWorkspace();
  ada = await addPerson(service, workspace);
});

afterAll(async () => {
  await mailing.close();
  await service.close();
});

type Headers = Record<string, string | undefined>;

/** Requests that a page of another site can make a browser send. */
const forged: [string, Headers][] = [
  ['a form of another site', {'x-standup-dashboard': undefined, 'sec-fetch-site': 'cross-site'}],
  [
    'a fetch of another site that guesses the header',
    {'sec-fetch-site': 'cross-site', origin: 'https://evil.example'},
  ],
  ['a sibling subdomain', {'sec-fetch-site': 'same-site', origin: 'http://evil.localhost:3000'}],
  [
    'a page that says the right origin, from another site',
    {'sec-fetch-site': 'cross-site', origin: publicUrl},
  ],
  ['an address that was typed in', {'sec-fetch-site': 'none'}],
  ['a page of our own without the header', {'x-standup-dashboard': undefined}],
  ['a page of our own with another header', {'x-standup-dashboard': 'true'}],
  ['an older browser at another origin', {'sec-fetch-site': undefined, origin: 'https://evil.example'}],
  ['an older browser at the null origin', {'sec-fetch-site': undefined, origin: 'null'}],
  ['an older browser that names no origin', {'sec-fetch-site': undefined, origin: undefined}],
  ['our host by another port', {'sec-fetch-site': undefined, origin: 'http://localhost:8443'}],
  ['our host by another scheme', {'sec-fetch-site': undefined, origin: 'https://localhost:3000'}],
  ['a longer name that begins as ours', {'sec-fetch-site': undefined, origin: `${publicUrl}.evil.example`}],
];

describe.each<[string, string]>([
  ['POST', '/app/session'],
  ['POST', '/app/session/token'],
  ['POST', '/app/session/passkey'],
  ['DELETE', '/app/session'],
  ['POST', '/app/invite'],
  ['POST', '/app/session/code'],
])('%s %s', (method, path) => {
  const target = () => (path === '/app/session/code' ? mailing : service);
  let asked = 0;
  const bodyOf = async () => {
    // Each address may be asked for a few times alone.
    if (path === '/app/session/code') return {email: `ada${(asked += 1)}@example.com`};
    if (path === '/app/invite') {
      const {body} = await workspace.request('POST', '/v1/invites', {body: {}});
      return {link: passOf(body.data[0].url), name: 'Grace', key: 'k'.repeat(22)};
    }
    return method === 'POST' && path === '/app/session'
      ? {link: passOf(await makeLink(workspace, ada.id))}
      : undefined;
  };

  it.each(forged)('is refused to %s, and has no effect', async (_, headers) => {
    const browser = await signedIn(target(), workspace, ada.id);
    const {cookie} = browser;
    const body = await bodyOf();
    const answer = await browser.ask(method, path, {headers, body});
    expectProblem(answer, 'forbidden');
    expect(answer.headers.get('set-cookie')).toBeNull();
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    browser.cookie = cookie;
    expect((await browser.ask('POST', '/app/session/token')).status).toBe(200);
    if (body !== undefined) expect([201, 202]).toContain((await browser.ask(method, path, {body})).status);
  });

  it.each<[string, Headers]>([
    ['a page of our own', {}],
    ['an older browser at our origin', {'sec-fetch-site': undefined, origin: publicUrl}],
  ])('is open to %s', async (_, headers) => {
    const browser = await signedIn(target(), workspace, ada.id);
    const answer = await browser.ask(method, path, {headers, body: await bodyOf()});
    expect(answer.status).toBeLessThan(300);
  });

  it('grants no CORS preflight to another origin', async () => {
    const answer = await createTestBrowser(target()).ask('OPTIONS', path, {
      headers: {origin: 'https://other.example', 'access-control-request-method': method},
    });
    for (const name of answer.headers.keys()) expect(name).not.toMatch(/^access-control/);
  });
});

it('a GET of a session address changes nothing and returns the page', async () => {
  const browser = await signedIn(service, workspace, ada.id);
  for (const path of [
    '/app/session',
    '/app/session/token',
    '/app/session/code',
    '/app/session?everywhere=true',
  ]) {
    const answer = await browser.ask('GET', path);
    expect(answer.headers.get('content-type')).toContain('text/html');
    expect(answer.headers.get('set-cookie')).toBeNull();
  }
  expect((await browser.ask('POST', '/app/session/token')).status).toBe(200);
});

it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', undefined])(
  'a sign-in link in a body of the type %s is refused, and remains valid',
  async (type) => {
    const link = passOf(await makeLink(workspace, ada.id));
    const browser = createTestBrowser(service);
    const sent = Buffer.from(JSON.stringify({link}));
    const answer = await browser.ask('POST', '/app/session', {body: sent, headers: {'content-type': type}});
    expectProblem(answer, 'unsupported_media_type');
    expect((await browser.ask('POST', '/app/session', {body: {link}})).status).toBe(201);
  },
);

it.each<[string, unknown]>([
  ['no link', {}],
  ['a number', {link: 1}],
  ['a list', [1]],
  ['another kind of look', {link: 'x', look: 'yes'}],
])('a sign-in request whose body has %s is refused', async (_, body) => {
  expectProblem(await createTestBrowser(service).ask('POST', '/app/session', {body}), 'validation_failed');
});

it('a sign-in request whose body is not JSON, or is too large, is refused as in the API', async () => {
  const ask = (body: string) =>
    createTestBrowser(service).ask('POST', '/app/session', {
      body,
      headers: {'content-type': 'application/json'},
    });
  expectProblem(await ask('{'), 'malformed_json');
  expectProblem(await ask(`"${'x'.repeat(70_000)}"`), 'payload_too_large');
});

it('looking at the sign-in link of another person only shows its owner, and signs no one in', async () => {
  const eve = await addPerson(service, workspace, {name: 'Eve Elsewhere'});
  const victim = await signedIn(service, workspace, ada.id);
  const link = passOf(await makeLink(workspace, eve.id));
  const looked = await victim.ask('POST', '/app/session', {body: {link, look: true}});
  expect(looked.body.member.name).toBe('Eve Elsewhere');
  const token = await victim.token();
  expect((await workspace.request('GET', '/v1/me', {token})).body.principal.id).toBe(ada.id);
});

it('an unknown method at a dashboard address is answered 405 with the header Allow', async () => {
  const answer = await createTestBrowser(service).ask('PUT', '/app/session');
  expectProblem(answer, 'method_not_allowed');
  expect(answer.headers.get('allow')).toBe('DELETE, GET, HEAD, OPTIONS, POST');
  expect((await createTestBrowser(service).ask('POST', '/app/t/platform')).headers.get('allow')).toBe(
    'GET, HEAD, OPTIONS',
  );
});
