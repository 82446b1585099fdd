import {afterAll, afterEach, beforeAll, describe, expect, it} from '@jest/globals';
import {everyScope, scopes} from '../../src/domain/core/access.js';
import {lifetimes, limits} from '../../src/domain/core/limits.js';
import {expectProblem} from '../api/http/expect-problem.js';
import {addPerson, type Person} from '../api/people.js';
import {eventsOf} from '../api/samples.js';
import {dumpRedis} from '../store/dump.js';
import {
  type Json,
  sendRequest,
  startService,
  type TestService,
  type TestWorkspace,
} from '../support/service.js';
import type {TestClock} from '../support/test-clock.js';
import {startTwins, type Twins} from '../support/twins.js';
import {until} from '../support/until.js';
import {createTestBrowser, makeLink, passOf, signedIn, type TestBrowser} from './test-browser.js';

let twins: Twins;
let clock: TestClock;
let service: TestService;
let twin: TestService;
let workspace: TestWorkspace;
let owner: Person;
let ada: Person;
const lines: string[] = [];
const log = {
  debug: () => undefined,
  info: (fields: object, message: string) => void lines.push(JSON.stringify({...fields, message})),
  warn: (fields: object, message: string) => void lines.push(JSON.stringify({...fields, message})),
  error: (fields: object, message: string) => void lines.push(JSON.stringify({...fields, message})),
};

beforeAll(async () => {
  twins = await startTwins(undefined, {log});
  ({clock, service, twin} = twins);
  workspace = await service.addWorkspace();
  owner = await addPerson(service, workspace, {name: 'Olga Owner', role: 'owner'});
  ada = await addPerson(service, workspace, {
    name: 'Ada Lovelace',
    team: 'platform',
    email: 'ada@example.com',
  });
});

afterAll(() => twins.close());

const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
});

const me = (token: string) => workspace.request('GET', '/v1/me', {token});
const scopesOf = async (browser: TestBrowser): Promise<string[]> =>
  (await me(await browser.token())).body.scopes;
const idOf = async (browser: TestBrowser) => {
  const [, payload = ''] = (await browser.token()).split('.');
  return JSON.parse(Buffer.from(payload, 'base64url').toString()).jti as string;
};

describe('a sign-in link', () => {
  it('shows its member and workspace before it is used, and remains valid', async () => {
    const url = await makeLink(workspace, ada.id);
    const browser = createTestBrowser(service);
    const looked = await browser.ask('POST', '/app/session', {body: {link: passOf(url), look: true}});
    expect(looked.body).toMatchObject({
      member: {id: ada.id, name: 'Ada Lovelace'},
      workspace: {id: workspace.id},
    });
    expect(looked.headers.get('set-cookie')).toBeNull();
    expect((await browser.signIn(url)).status).toBe(201);
  });

  it('signs in once: a second or simultaneous use is refused', async () => {
    const url = await makeLink(workspace, ada.id);
    const [first, second] = await Promise.all([
      createTestBrowser(service).signIn(url),
      createTestBrowser(twin).signIn(url),
    ]);
    expect([first.status, second.status].toSorted()).toEqual([201, 401]);
    expectProblem(await createTestBrowser(service).signIn(url), 'invalid_token');
  });

  it('expires after ten minutes', async () => {
    const url = await makeLink(workspace, ada.id);
    await clock.advance(lifetimes.signInLink * 1_000 + 1_000);
    expectProblem(await createTestBrowser(service).signIn(url), 'invalid_token');
  });

  it('is not used up when its address is opened', async () => {
    const url = await makeLink(workspace, ada.id);
    const {pathname} = new URL(url);
    for (const method of ['GET', 'HEAD']) {
      const unfurled = await createTestBrowser(service).ask(method, pathname, {
        headers: {'sec-fetch-site': undefined},
      });
      expect(unfurled.status).toBe(200);
    }
    expect((await createTestBrowser(service).signIn(url)).status).toBe(201);
  });

  it.each([
    ['of another secret', (pass: string) => `${pass.slice(0, -4)}AAAA`],
    ['of another workspace', (pass: string) => `ws_01jd0000007000000000000000${pass.slice(29)}`],
    ['malformed', () => 'abc'],
    ['empty', () => ''],
  ])('is refused when it is %s', async (_, change) => {
    const link = change(passOf(await makeLink(workspace, ada.id)));
    expectProblem(
      await createTestBrowser(service).ask('POST', '/app/session', {body: {link}}),
      'invalid_token',
    );
  });

  it('does not work as a session cookie, nor a session cookie as a link', async () => {
    const url = await makeLink(workspace, ada.id);
    const browser = createTestBrowser(service);
    browser.cookie = `standup=${passOf(url)}`;
    expectProblem(await browser.ask('POST', '/app/session/token'), 'invalid_token');
    const other = await signedIn(service, workspace, ada.id);
    const link = other.cookie?.split('=')[1];
    expectProblem(await browser.ask('POST', '/app/session', {body: {link}}), 'invalid_token');
  });

  it(`is removed as the oldest when its member has more than ${limits.signInLinksPerMember} links`, async () => {
    const urls: string[] = [];
    for (let i = 0; i <= limits.signInLinksPerMember; i++) urls.push(await makeLink(workspace, ada.id));
    expectProblem(await createTestBrowser(service).signIn(urls[0] ?? ''), 'invalid_token');
    expect((await createTestBrowser(service).signIn(urls[1] ?? '')).status).toBe(201);
  });

  it('is removed when the admin who made it for another member is removed', async () => {
    const admin = await addPerson(service, workspace, {name: 'Adele Admin', role: 'admin'});
    const {body} = await workspace.request('POST', '/v1/sign-in-links', {
      token: admin.token,
      body: {member: ada.id},
    });
    await workspace.request('PATCH', `/v1/members/${admin.id}`, {token: owner.token, body: {role: 'member'}});
    expectProblem(await createTestBrowser(service).signIn(body.url), 'invalid_token');
  });
});

describe('making a sign-in link', () => {
  const ask = (token: string, body?: Json) => workspace.request('POST', '/v1/sign-in-links', {token, body});

  it('is allowed to every member for themselves', async () => {
    const {status, body} = await ask(ada.token);
    expect({status, holder: body.holder.id}).toEqual({status: 201, holder: ada.id});
    expect((await createTestBrowser(service).signIn(body.url)).body.holder.id).toBe(ada.id);
  });

  it('for other members is limited to owners and admins, and for an owner to owners', async () => {
    const admin = await addPerson(service, workspace, {name: 'Adele Admin', role: 'admin'});
    expectProblem(await ask(ada.token, {member: admin.id}), 'forbidden');
    expectProblem(await ask(admin.token, {member: owner.id}), 'forbidden');
    expect((await ask(admin.token, {member: ada.id})).status).toBe(201);
    expect((await ask(owner.token, {member: 'ada@example.com'})).status).toBe(201);
    expectProblem(await ask(workspace.token, {member: ada.id}), 'forbidden');
  });

  it('is allowed in Slack to members for themselves, with every scope of their role', async () => {
    const principal = {type: 'member', id: ada.id, name: ada.name} as const;
    const call = {...workspace.operator(), principal, scopes: everyScope, entryPoint: 'slack'} as const;
    const browser = createTestBrowser(service);
    const answer = await browser.signIn(await makeLink(workspace, 'me', call));
    expect(answer.body).toMatchObject({holder: {id: ada.id}, created_by: {id: ada.id}, parent: null});
    expect(await scopesOf(browser)).toContain('tokens:manage');
    await expect(makeLink(workspace, owner.id, call)).rejects.toMatchObject({code: 'forbidden'});
  });

  it('through an API token gives the session that token’s scopes, except to make tokens, and only while the token is valid', async () => {
    const few = await addPerson(service, workspace, {
      name: 'Few Scopes',
      scopes: ['tokens:manage', 'standups:read'],
    });
    const {body} = await ask(few.token);
    const browser = createTestBrowser(service);
    expect((await browser.signIn(body.url)).body).toMatchObject({
      parent: body.parent,
      scopes: ['standups:read'],
    });
    expect(await scopesOf(browser)).toEqual(['standups:read']);
    await workspace.request('DELETE', `/v1/tokens/${body.parent}`, {token: owner.token});
    expectProblem(await browser.ask('POST', '/app/session/token'), 'invalid_token');
  });

  it('for another member gives a session that cannot make tokens and ends when the link’s maker is removed', async () => {
    const admin = await addPerson(service, workspace, {name: 'Adele Admin', role: 'admin'});
    const browser = createTestBrowser(service);
    await browser.signIn((await ask(admin.token, {member: ada.id})).body.url);
    expect(await scopesOf(browser)).not.toContain('tokens:manage');
    const token = await browser.token();
    await workspace.request('DELETE', `/v1/members/${admin.id}`, {token: owner.token});
    expect((await me(token)).status).toBe(401);
    expectProblem(await browser.ask('POST', '/app/session/token'), 'invalid_token');
  });
});

describe('the session cookie', () => {
  it('over plain HTTP equals the documented one byte for byte, without Secure', async () => {
    const answer = await createTestBrowser(service).signIn(await makeLink(workspace, ada.id));
    expect(answer.headers.get('set-cookie')).toMatch(
      /^standup=ws_[0-9a-z]{26}\.[0-9a-z]{16}\.[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Strict$/,
    );
  });

  it('over HTTPS is for this host alone', async () => {
    const secure = await startService({env: {PUBLIC_URL: 'https://standup.example.com'}});
    cleanUps.push(() => secure.close());
    const own = await secure.addWorkspace();
    const person = await addPerson(secure, own);
    const answer = await createTestBrowser(secure).signIn(await makeLink(own, person.id));
    expect(answer.headers.get('set-cookie')).toMatch(
      /^__Host-standup=[\w.-]+; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
    );
  });

  it('does not authenticate requests to /v1', async () => {
    const {cookie = ''} = await signedIn(service, workspace, ada.id);
    for (const path of ['/v1/me', '/v1/standups', '/v1/tokens']) {
      const answer = await sendRequest(service.url, 'GET', path, {headers: {cookie}});
      expectProblem(answer, 'authentication_required');
    }
    const pass = cookie.split('=')[1] ?? '';
    expectProblem(await me(pass), 'invalid_token');
  });

  it('is new at each sign-in, and an existing cookie is never reused', async () => {
    const browser = await signedIn(service, workspace, ada.id);
    const planted = browser.cookie;
    await browser.signIn(await makeLink(workspace, owner.id));
    expect(browser.cookie).not.toBe(planted);
    const other = createTestBrowser(service);
    other.cookie = planted;
    expectProblem(await other.ask('POST', '/app/session/token'), 'invalid_token');
    expect((await me(await browser.token())).body.principal.id).toBe(owner.id);
  });

  it('gets tokens of its own session only, and mixed parts of two cookies are refused', async () => {
    const [one, two] = await Promise.all([
      signedIn(service, workspace, ada.id),
      signedIn(service, workspace, owner.id),
    ]);
    expect((await me(await one.token())).body.principal.id).toBe(ada.id);
    expect((await me(await two.token())).body.principal.id).toBe(owner.id);
    const [workspaceId, suffix] = one.cookie?.split('=')[1]?.split('.') ?? [];
    const secret = two.cookie?.split('.')[2];
    const mixed = createTestBrowser(service);
    mixed.cookie = `standup=${workspaceId}.${suffix}.${secret}`;
    expectProblem(await mixed.ask('POST', '/app/session/token'), 'invalid_token');
  });
});

describe('a token of a session', () => {
  it('is valid for ten minutes and allows what its member’s role allows', async () => {
    const browser = await signedIn(service, workspace, ada.id);
    const {body} = await me(await browser.token());
    expect(Date.parse(body.expires_at) - clock.now()).toBeLessThanOrEqual(600_000);
    expect(Date.parse(body.expires_at) - clock.now()).toBeGreaterThan(590_000);
    const managing = ['webhooks:manage', 'workspace:manage', 'events:read'];
    expect(new Set(body.scopes)).toEqual(new Set(scopes.filter((scope) => !managing.includes(scope))));
    expect(new Set(await scopesOf(await signedIn(service, workspace, owner.id)))).toEqual(new Set(scopes));
  });

  it('may make tokens and links and change the workspace only for 15 minutes after the sign-in', async () => {
    const browser = await signedIn(service, workspace, owner.id);
    await clock.advance(13.5 * 60_000);
    const late = await browser.ask('POST', '/app/session/token');
    expect(late.body.scopes).toContain('tokens:manage');
    expect(late.body.expires_at).toBe(late.body.confirmed_until);
    await clock.advance(60_000);
    const {body} = await browser.ask('POST', '/app/session/token');
    expect(scopes.filter((scope) => !body.scopes.includes(scope))).toEqual([
      'tokens:manage',
      'workspace:manage',
    ]);
    const ask = (path: string) => workspace.request('POST', path, {token: body.token, body: {name: 'kept'}});
    expectProblem(await ask('/v1/tokens'), 'insufficient_scope');
    expectProblem(await ask('/v1/sign-in-links'), 'insufficient_scope');
    await clock.advance(29_000);
    expect((await me(late.body.token)).status).toBe(200);
    await clock.advance(10_000);
    expectProblem(await me(late.body.token), 'invalid_token');
    await browser.signIn(await makeLink(workspace, owner.id));
    expect(await scopesOf(browser)).toContain('tokens:manage');
  });

  it('appears as the source “dashboard” in standups, events and the log', async () => {
    const browser = await signedIn(service, workspace, ada.id);
    const body = {team: 'platform', update: 'From the dashboard.'};
    const posted = await workspace.request('POST', '/v1/standups', {token: await browser.token(), body});
    expect(posted.body).toMatchObject({source: 'dashboard', author: {id: ada.id}});
    const event = (await eventsOf(workspace)).find(({type}) => type === 'standup.created');
    expect(event.actor).toMatchObject({source: 'dashboard', id: ada.id, token: await idOf(browser)});
    expect(lines.some((line) => line.includes('"source":"dashboard"'))).toBe(true);
  });

  it('is logged with its person and its workspace when its session begins, is used and ends', async () => {
    const from = lines.length;
    const browser = await signedIn(service, workspace, ada.id);
    await browser.token();
    const token = await idOf(browser);
    await browser.ask('DELETE', '/app/session');
    const logged = lines.slice(from).map((line) => JSON.parse(line));
    for (const operation of ['signIn', 'grantToken', 'signOut']) {
      const line = logged.find((one) => one.operation === operation);
      expect(line).toMatchObject({operation, principal: ada.id, token, workspace: workspace.id});
    }
  });

  it('can make a token that outlasts the session', async () => {
    const browser = await signedIn(service, workspace, ada.id);
    const asked = {token: await browser.token(), body: {name: 'mine', expires_in: 86_400}};
    const {body} = await workspace.request('POST', '/v1/tokens', asked);
    expect(body.parent).toBeNull();
    expect(Date.parse(body.expires_at)).toBeGreaterThan(clock.now() + 86_000_000);
    await browser.ask('DELETE', '/app/session');
    expect((await me(body.token)).status).toBe(200);
    await workspace.request('DELETE', `/v1/tokens/${body.id}`, {token: owner.token});
  });
});

describe('a session', () => {
  /** Checks that `end` ends the session and a token made with it. */
  async function expectEnd(browser: TestBrowser, end: () => Promise<unknown>): Promise<void> {
    const token = await browser.token();
    expect((await me(token)).status).toBe(200);
    await end();
    expectProblem(await me(token), 'invalid_token');
    const elsewhere = createTestBrowser(twin);
    elsewhere.cookie = browser.cookie;
    const refused = await elsewhere.ask('POST', '/app/session/token');
    expectProblem(refused, 'invalid_token');
    expect(elsewhere.cookie).toBeUndefined();
  }
  const end = (path: string) => workspace.request('DELETE', path, {token: owner.token});

  it('ends when it is revoked like a token, in every process from the next request on', async () => {
    const browser = await signedIn(service, workspace, ada.id);
    const id = await idOf(browser);
    await expectEnd(browser, () => end(`/v1/tokens/${id}`));
  });

  it('ends when its member is removed', async () => {
    const person = await addPerson(service, workspace, {name: 'Brief Guest'});
    const browser = await signedIn(service, workspace, person.id);
    await expectEnd(browser, () => end(`/v1/members/${person.id}`));
  });

  it('ends when its member loses a role, but not when the member gets one', async () => {
    const person = await addPerson(service, workspace, {name: 'Adele Admin', role: 'admin'});
    const browser = await signedIn(service, workspace, person.id);
    const give = (role: string) =>
      workspace.request('PATCH', `/v1/members/${person.id}`, {token: owner.token, body: {role}});
    await give('owner');
    expect((await me(await browser.token())).status).toBe(200);
    await expectEnd(browser, () => give('member'));
  });

  it('ends when its browser signs out, and no other session does', async () => {
    const [here, there] = await Promise.all([
      signedIn(service, workspace, ada.id),
      signedIn(service, workspace, ada.id),
    ]);
    const kept = createTestBrowser(service);
    kept.cookie = here.cookie;
    const token = await here.token();
    const answer = await here.ask('DELETE', '/app/session');
    expect(answer.status).toBe(204);
    expect(answer.headers.get('set-cookie')).toBe('standup=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict');
    expectProblem(await me(token), 'invalid_token');
    expectProblem(await kept.ask('POST', '/app/session/token'), 'invalid_token');
    expect((await me(await there.token())).status).toBe(200);
  });

  it('ends when its member signs out everywhere, with all other sessions and links of that member', async () => {
    const [here, there, other] = await Promise.all([
      signedIn(service, workspace, ada.id),
      signedIn(service, workspace, ada.id),
      signedIn(service, workspace, owner.id),
    ]);
    const url = await makeLink(workspace, ada.id);
    await expectEnd(there, () => here.ask('DELETE', '/app/session?everywhere=true'));
    expectProblem(await createTestBrowser(service).signIn(url), 'invalid_token');
    expect((await me(await other.token())).status).toBe(200);
    expect((await me(ada.token)).status).toBe(200);
  });

  it('ends after seven days without use, and after 30 days however often it is used', async () => {
    const [idle, busy] = await Promise.all([
      signedIn(service, workspace, ada.id),
      signedIn(service, workspace, ada.id),
    ]);
    for (let days = 0; days < 30; days += 6) {
      expect((await busy.ask('POST', '/app/session/token')).status).toBe(200);
      await clock.advance(6 * 86_400_000);
      if (days === 6) expectProblem(await idle.ask('POST', '/app/session/token'), 'invalid_token');
    }
    expectProblem(await busy.ask('POST', '/app/session/token'), 'invalid_token');
  });

  it('ends without an error when a browser signs out twice or without a session', async () => {
    const browser = await signedIn(service, workspace, ada.id);
    const {cookie} = browser;
    expect((await browser.ask('DELETE', '/app/session')).status).toBe(204);
    browser.cookie = cookie;
    expect((await browser.ask('DELETE', '/app/session')).status).toBe(204);
    expect((await createTestBrowser(service).ask('DELETE', '/app/session')).status).toBe(204);
  });
});

describe('the list of tokens', () => {
  it('distinguishes sessions and sign-in links, and shows browser and last use', async () => {
    const own = await service.addWorkspace();
    const person = await addPerson(service, own, {name: 'Grace Hopper', role: 'owner'});
    const browser = createTestBrowser(service);
    const agent = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/156.0.0.0 Safari/537.36';
    const link = passOf(await makeLink(own, person.id));
    await browser.ask('POST', '/app/session', {body: {link}, headers: {'user-agent': agent}});
    await makeLink(own, person.id);
    const token = await browser.token();
    const list = async (query = '') => (await own.request('GET', `/v1/tokens${query}`, {token})).body.data;
    const names = async (query: string) => (await list(query)).map(({name}: Json) => name);
    expect(await names('?kind=session')).toEqual(['Chrome on Linux']);
    expect(await names('?kind=sign_in_link')).toEqual(['Sign-in link']);
    expect(await names('?kind=token')).toEqual(['own', 'ci']);
    expect((await list()).length).toBe(4);
    const [session] = await list('?kind=session');
    expect(session).toMatchObject({
      kind: 'session',
      holder: {id: person.id},
      last_used_at: expect.any(String),
    });
  });

  it(`has at most ${limits.sessionsPerMember} sessions of a member: a further one removes the least recently used`, async () => {
    const own = await service.addWorkspace();
    const person = await addPerson(service, own, {name: 'Many Browsers'});
    const browsers: TestBrowser[] = [];
    for (let i = 0; i < limits.sessionsPerMember; i++) {
      browsers.push(await signedIn(service, own, person.id));
      await clock.advance(60_000);
    }
    await browsers[0]?.token();
    browsers.push(await signedIn(service, own, person.id));
    const states = await Promise.all(browsers.map((one) => one.ask('POST', '/app/session/token')));
    expect(states.map(({status}) => status)).toEqual([
      200,
      401,
      ...Array(limits.sessionsPerMember - 1).fill(200),
    ]);
  });
});

it('no secret of a link, a cookie or a token is in the store, in an event or in the log', async () => {
  const url = await makeLink(workspace, ada.id);
  const browser = createTestBrowser(service);
  await browser.signIn(url);
  const token = await browser.token();
  await workspace.request('POST', '/v1/sign-in-links', {
    token: ada.token,
    headers: {'idempotency-key': 'a link'},
  });
  const {text} = await dumpRedis(service.redisUrl);
  const everything = text + lines.join('\n');
  const secretOf = (pass = '') => pass.slice(-43);
  for (const secret of [secretOf(passOf(url)), secretOf(browser.cookie), token, token.slice(-40)]) {
    expect(secret.length).toBeGreaterThanOrEqual(40);
    expect(everything).not.toContain(secret);
  }
});

it('erasing a member leaves nothing of their sessions', async () => {
  const person = await addPerson(service, workspace, {name: 'Erased Wholly'});
  const browser = await signedIn(service, workspace, person.id);
  await makeLink(workspace, person.id);
  await browser.token();
  await workspace.request('DELETE', `/v1/members/${person.id}?erase=true`, {token: owner.token});
  await until(async () => (await eventsOf(workspace)).every(({data}) => data?.holder?.id !== person.id), {
    what: 'no event tells of their sessions',
  });
  expect((await dumpRedis(service.redisUrl)).text).not.toContain('Erased Wholly');
});

it('callers who try many sign-in links are limited like callers who try tokens; signed-in members are not', async () => {
  const strict = await startService({env: {RATE_LIMIT_AUTH_FAILURES: '3'}});
  cleanUps.push(() => strict.close());
  const own = await strict.addWorkspace();
  const person = await addPerson(strict, own);
  const browser = await signedIn(strict, own, person.id);
  const guess = () => createTestBrowser(strict).ask('POST', '/app/session', {body: {link: 'abc'}});
  for (let i = 0; i < 3; i++) expectProblem(await guess(), 'invalid_token');
  const refused = await guess();
  expectProblem(refused, 'rate_limited');
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await browser.ask('POST', '/app/session/token')).status).toBe(200);
});

it('requests with tokens of a session count against the quota of its member', async () => {
  const strict = await startService({env: {RATE_LIMIT: '3'}});
  cleanUps.push(() => strict.close());
  const own = await strict.addWorkspace();
  const person = await addPerson(strict, own);
  const browser = await signedIn(strict, own, person.id);
  for (let i = 0; i < 3; i++) await browser.token();
  expectProblem(await browser.ask('POST', '/app/session/token'), 'rate_limited');
});
