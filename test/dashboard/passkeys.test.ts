import {afterAll, afterEach, beforeAll, beforeEach, describe, expect, it} from '@jest/globals';
import {lifetimes} from '../../src/domain/core/limits.js';
import {expectProblem} from '../api/http/expect-problem.js';
import {addPerson, type Person} from '../api/people.js';
import {eventsOf} from '../api/samples.js';
import {testRedisUrl} from '../support/redis-server.js';
import {
  type Json,
  sendRequest,
  startService,
  type TestResponse,
  type TestService,
  type TestWorkspace,
} from '../support/service.js';
import {
  type Assertion,
  type Authenticator,
  createAuthenticator,
  type Lies,
} from '../support/software-authenticator.js';
import {createTestClock, type TestClock} from '../support/test-clock.js';
import {startTwins, type Twins} from '../support/twins.js';
import {createSessionToken, createTestBrowser, signedIn, type TestBrowser} from './test-browser.js';

const start = Date.parse('2026-11-23T09:00:00Z');

let twins: Twins;
let clock: TestClock;
let service: TestService;
let twin: TestService;
let workspace: TestWorkspace;
let ada: Person;
let device: Authenticator;
let passkey: string;

beforeAll(async () => {
  twins = await startTwins(start);
  ({clock, service, twin} = twins);
});

afterAll(() => twins.close());

beforeEach(async () => {
  workspace = await service.addWorkspace();
  ada = await addPerson(service, workspace, {name: 'Ada Lovelace', role: 'admin'});
  device = createAuthenticator();
  passkey = await addDevice(device, ada);
});

afterEach(() => clock.set(start));

/** Adds a device to a member, and returns the id of its passkey. */
async function addDevice(authenticator: Authenticator, {id}: {id: string}, lies?: Lies): Promise<string> {
  const token = await (await signedIn(service, workspace, id)).token();
  const {body} = await workspace.request('POST', '/v1/passkeys/challenge', {token});
  const credential = authenticator.create(body.public_key, lies);
  const added = await workspace.request('POST', '/v1/passkeys', {
    token,
    body: {ticket: body.ticket, credential},
  });
  if (added.status !== 201) throw new Error(added.text);
  return added.body.id;
}

/** Gets a challenge as the page does, and lets the device sign it. */
async function answer(browser: TestBrowser, lies?: Lies, from = device): Promise<Assertion> {
  const {status, body, text} = await browser.ask('POST', '/app/session/passkey');
  if (status !== 200) throw new Error(text);
  return from.sign(body, lies);
}

const send = (browser: TestBrowser, signed: Assertion, more: Json = {}): Promise<TestResponse> =>
  browser.ask('POST', '/app/session', {body: {passkey: signed, ...more}});

async function signIn(browser = createTestBrowser(service), lies?: Lies): Promise<TestResponse> {
  return send(browser, await answer(browser, lies));
}

const whoIs = async (browser: TestBrowser): Promise<Json> =>
  (await workspace.request('GET', '/v1/me', {token: await browser.token()})).body;
const sessionsOf = async ({token}: Person): Promise<Json[]> =>
  (await workspace.request('GET', '/v1/tokens?kind=session&limit=100', {token})).body.data;

describe('a person who signs in with a passkey', () => {
  it('has every right of their role, as after any proof of their own, and sees when it was used', async () => {
    const browser = createTestBrowser(service);
    const {status, body} = await signIn(browser);
    expect(status).toBe(201);
    expect(body).toMatchObject({kind: 'session', holder: {id: ada.id}, created_by: {id: ada.id}});
    expect(browser.challenge).toBeUndefined();
    const me = await whoIs(browser);
    expect(me.principal.id).toBe(ada.id);
    const token = await browser.token();
    const shown = await workspace.request('GET', `/v1/passkeys/${passkey}`, {token});
    expect(shown.body.last_used_at).toBe('2026-11-23T09:00:00.000Z');
    expect((await workspace.request('POST', '/v1/tokens', {token, body: {name: 'own'}})).status).toBe(201);
  });

  it('gets a session for each challenge, whatever the counter of a passkey that has none', async () => {
    const synced = createAuthenticator();
    await addDevice(synced, ada, {counter: 0});
    for (let i = 0; i < 2; i += 1) {
      const browser = createTestBrowser(service);
      expect((await send(browser, await answer(browser, {counter: 0}, synced))).status).toBe(201);
    }
  });

  it('learns nothing from a refusal, which is the same for every reason', async () => {
    const details = new Set<string>();
    for (const lies of [{origin: 'https://evil.example'}, {id: 'AAAA'}, {userHandle: 'AAAA'}]) {
      const {body} = await signIn(createTestBrowser(service), lies);
      details.add(body.detail);
    }
    expect(details.size).toBe(1);
  });
});

describe('signing in with a passkey is refused', () => {
  it.each<[string, Lies]>([
    ['on another site', {origin: 'https://evil.example'}],
    ['at another port of the same host', {origin: 'http://localhost:8443'}],
    ['for another relying party', {rpId: 'evil.example'}],
    ['for another challenge', {challenge: 'q7Xn0m8kRZJ4cVtY2uPwLh5eKs9dGf3bTaMiNoQxUyE'}],
    ['by what it signed when it was created', {type: 'webauthn.create'}],
    ['if the device has not verified the person', {verified: false}],
    ['if its counter has gone back, since it was copied', {counter: 0}],
    ['if its counter has stayed, since it was copied', {counter: 1}],
    ['under an id that is not known', {id: 'AAAAAAAAAAAAAAAAAAAAAA'}],
    ['for a handle of no member', {userHandle: Buffer.from('nobody').toString('base64url')}],
  ])('%s', async (_, lies) => {
    const before = (await sessionsOf(ada)).length;
    const browser = createTestBrowser(service);
    expectProblem(await signIn(browser, lies), 'invalid_token');
    expect(browser.cookie).toBeUndefined();
    expect(await sessionsOf(ada)).toHaveLength(before);
  });

  it('is refused for the handle of another member, which is not signed', async () => {
    const owner = await addPerson(service, workspace, {name: 'Olga Owner', role: 'owner'});
    const theirs = createAuthenticator();
    await addDevice(theirs, owner);
    const handleOf = ({id}: Person) => Buffer.from(`${workspace.id}.${id.slice(-16)}`).toString('base64url');
    const browser = createTestBrowser(service);
    expectProblem(await signIn(browser, {userHandle: handleOf(owner)}), 'invalid_token');
    expectProblem(await signIn(browser, {userHandle: handleOf(owner), id: theirs.id}), 'invalid_token');
    const elsewhere = await service.addWorkspace();
    const handle = Buffer.from(`${elsewhere.id}.${ada.id.slice(-16)}`).toString('base64url');
    expectProblem(await signIn(browser, {userHandle: handle}), 'invalid_token');
  });

  it('is refused for a signature that was changed', async () => {
    const browser = createTestBrowser(service);
    const signed = await answer(browser);
    const at = signed.signature.length - 8;
    const changed = signed.signature.slice(0, at) + (signed.signature[at] === 'A' ? 'B' : 'A');
    const signature = changed + signed.signature.slice(at + 1);
    expectProblem(await send(browser, {...signed, signature}), 'invalid_token');
  });

  it('is refused after the passkey or its member was removed', async () => {
    const browser = createTestBrowser(service);
    const signed = await answer(browser);
    const token = await (await signedIn(service, workspace, ada.id)).token();
    await workspace.request('DELETE', `/v1/passkeys/${passkey}`, {token});
    expectProblem(await send(browser, signed), 'invalid_token');
    const other = createAuthenticator();
    await addDevice(other, ada);
    const late = await answer(browser, {}, other);
    await workspace.request('DELETE', `/v1/members/${ada.id}`);
    expectProblem(await send(browser, late), 'invalid_token');
  });

  it('is refused after a promotion, if the address was set by a member without that role', async () => {
    const owner = await addPerson(service, workspace, {name: 'Olga Owner', role: 'owner'});
    const adam = await addPerson(service, workspace, {name: 'Adam Admin', role: 'admin'});
    const mia = await addPerson(service, workspace, {name: 'Mia Member'});
    const planted = createAuthenticator();
    await workspace.request('PATCH', `/v1/members/${mia.id}`, {
      token: adam.token,
      body: {email: 'adam.too@example.com'},
    });
    await addDevice(planted, mia);
    const browser = createTestBrowser(service);
    const signed = await answer(browser, {}, planted);
    await workspace.request('PATCH', `/v1/members/${mia.id}`, {token: owner.token, body: {role: 'owner'}});
    expectProblem(await send(browser, signed), 'invalid_token');
  });
});

describe('a challenge', () => {
  it('is good for one session, also in two processes at once', async () => {
    // Without a counter only the challenge tells a replay.
    const synced = createAuthenticator();
    await addDevice(synced, ada, {counter: 0});
    const browser = createTestBrowser(service);
    const signed = await answer(browser, {counter: 0}, synced);
    const other = createTestBrowser(twin);
    other.challenge = browser.challenge;
    const again = createTestBrowser(service);
    again.challenge = browser.challenge;
    const before = (await sessionsOf(ada)).length;
    const both = await Promise.all([send(browser, signed), send(other, signed)]);
    expect(both.map(({status}) => status).toSorted()).toEqual([201, 401]);
    expectProblem(await send(again, signed), 'invalid_token');
    expect(await sessionsOf(ada)).toHaveLength(before + 1);
  });

  it('is good in the browser that got it, and for 5 minutes', async () => {
    const browser = createTestBrowser(service);
    const signed = await answer(browser);
    expectProblem(await send(createTestBrowser(service), signed), 'invalid_token');
    const other = createTestBrowser(service);
    await answer(other);
    expectProblem(await send(other, signed), 'invalid_token');
    const forged = createTestBrowser(service);
    forged.challenge = 'standup-passkey=AAAA';
    expectProblem(await send(forged, signed), 'invalid_token');
    await clock.set(start + lifetimes.passkeyChallenge * 1_000);
    expectProblem(await send(browser, signed), 'invalid_token');
  });

  it('is remembered only after a passkey has signed it, so asking for many fills nothing', async () => {
    const {call} = service.core.store.connection;
    const remembered = async () =>
      (await call<string[]>(performance.now() + 5_000, ['KEYS', '{global}:sign-in:*'])).toSorted();
    const before = await remembered();
    const browser = createTestBrowser(service);
    for (let i = 0; i < 5; i += 1) await signIn(browser, {origin: 'https://evil.example'});
    expect(await remembered()).toEqual(before);
    await signIn(browser);
    expect(await remembered()).toHaveLength(before.length + 1);
  });
});

describe('a request to sign in with a passkey', () => {
  it.each<[string, Json]>([
    ['#/passkey/signature', {signature: 'not base64url!'}],
    ['#/passkey/user_handle', {user_handle: undefined}],
    ['#/passkey/id', {id: 7}],
  ])('names what is wrong in its body: %s', async (pointer, wrong) => {
    const browser = createTestBrowser(service);
    const signed = await answer(browser);
    const body = {passkey: {...signed, ...wrong}};
    const {status, body: problem} = await browser.ask('POST', '/app/session', {body});
    expect(status).toBe(422);
    expect(problem.errors[0].pointer).toBe(pointer);
  });

  it('is counted as a failed authentication, and after too many is refused for a while', async () => {
    const strict = await startService({env: {RATE_LIMIT_AUTH_FAILURES: '3'}});
    try {
      const statuses: number[] = [];
      for (let i = 0; i < 5; i += 1)
        statuses.push((await signIn(createTestBrowser(strict), {userHandle: 'AAAA'})).status);
      expect(statuses).toEqual([401, 401, 401, 429, 429]);
    } finally {
      await strict.close();
    }
  });
});

it('a network signs in with passkeys 60 times a minute, since each sign-in is remembered', async () => {
  const redisUrl = await testRedisUrl();
  const still = await createTestClock(redisUrl, start);
  const own = await startService({redisUrl, time: still.time});
  try {
    const there = await own.addWorkspace();
    const person = await addPerson(own, there);
    const token = await createSessionToken(there, person.id);
    const {body} = await there.request('POST', '/v1/passkeys/challenge', {token});
    const credential = device.create(body.public_key);
    await there.request('POST', '/v1/passkeys', {token, body: {ticket: body.ticket, credential}});
    const statuses = new Map<number, number>();
    for (let i = 0; i < 62; i += 1) {
      const {status} = await signIn(createTestBrowser(own));
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    expect([...statuses]).toEqual([
      [201, 60],
      [429, 2],
    ]);
  } finally {
    await own.close();
    await still.close();
  }
});

describe('confirming with a passkey', () => {
  it('replaces the session by a confirmed one of the same person', async () => {
    const browser = await signedIn(service, workspace, ada.id);
    await clock.set(start + lifetimes.confirmed * 1_000);
    const scopesNow = async (): Promise<string[]> =>
      (await browser.ask('POST', '/app/session/token')).body.scopes;
    expect(await scopesNow()).not.toContain('tokens:manage');
    const before = (await sessionsOf(ada)).length;
    const {status} = await send(browser, await answer(browser), {confirm: true});
    expect(status).toBe(201);
    expect(await scopesNow()).toContain('tokens:manage');
    expect(await sessionsOf(ada)).toHaveLength(before);
  });

  it('is refused as another person, with both names, and changes nothing', async () => {
    const eve = await addPerson(service, workspace, {name: 'Eve Other'});
    const browser = await signedIn(service, workspace, eve.id);
    const refused = await send(browser, await answer(browser), {confirm: true});
    const {detail} = expectProblem(refused, 'forbidden');
    expect(detail).toBe(
      'You are signed in as Eve Other, and this is Ada Lovelace. Confirm as Eve Other, or sign out first.',
    );
    expect((await whoIs(browser)).principal.id).toBe(eve.id);
    // Without `confirm` it is a sign-in, as by any other way.
    expect((await send(browser, await answer(browser))).status).toBe(201);
    expect((await whoIs(browser)).principal.id).toBe(ada.id);
  });
});

describe('passkeys are offered', () => {
  it.each<[string, string]>([
    ['http://localhost:3000', 'passkeys links'],
    ['https://standup.example.com', 'passkeys links'],
    ['http://127.0.0.1:3000', 'links'],
    ['https://[::1]:3000', 'links'],
  ])('at %s: “%s”', async (publicUrl, features) => {
    const there = await startService({env: {PUBLIC_URL: publicUrl}});
    try {
      const {text} = await sendRequest(there.url, 'GET', '/app/sign-in');
      expect(text).toContain(`<meta name="features" content="${features}">`);
      const origin = new URL(publicUrl).origin;
      const begun = await createTestBrowser(there).ask('POST', '/app/session/passkey', {headers: {origin}});
      expect(begun.status).toBe(features === 'links' ? 403 : 200);
      if (begun.status !== 200) return;
      expect(begun.body).toMatchObject({rpId: new URL(publicUrl).hostname, userVerification: 'required'});
      const secure = publicUrl.startsWith('https:');
      const [cookie = ''] = begun.headers.getSetCookie();
      expect(cookie).toContain(secure ? '__Host-standup-passkey=' : 'standup-passkey=');
      expect(cookie).toContain('HttpOnly');
      expect(cookie).toContain('SameSite=Strict');
    } finally {
      await there.close();
    }
  });
});

it('a sign-in with a passkey is an event like each other sign-in', async () => {
  const before = (await eventsOf(workspace)).length;
  await signIn();
  const [event, ...more] = (await eventsOf(workspace)).slice(before);
  expect(more).toEqual([]);
  expect(event).toMatchObject({type: 'token.created', data: {kind: 'session', holder: {id: ada.id}}});
});
