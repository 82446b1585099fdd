import {decodeJwt} from 'jose';
import {afterAll, afterEach, beforeAll, beforeEach, describe, expect, it} from '@jest/globals';
import {lifetimes, limits} from '../../src/domain/core/limits.js';
import type {Scope} from '../../src/domain/core/access.js';
import {expectProblem} from '../api/http/expect-problem.js';
import {addPerson, type Person} from '../api/people.js';
import {eventsOf} from '../api/samples.js';
import {createMachine} from '../command/machine.js';
import {dumpRedis} from '../store/dump.js';
import {testRedisUrl} from '../support/redis-server.js';
import {
  type Json,
  sendRequest,
  startService,
  type TestResponse,
  type TestService,
  type TestWorkspace,
} from '../support/service.js';
import {createTestClock, type TestClock} from '../support/test-clock.js';
import {createSessionToken} from './test-browser.js';

let redisUrl: string;
let clock: TestClock;
let service: TestService;
let twin: TestService;
let workspace: TestWorkspace;
let ada: Person;
let session: string;
let networks = 0;
/** A function that a test sets, to stop the service at a step. */
let failpoint: (name: string) => void = () => undefined;

beforeAll(async () => {
  redisUrl = await testRedisUrl();
  clock = await createTestClock(redisUrl);
  const shared = {
    redisUrl,
    time: clock.time,
    env: {ROLES: 'web', TRUST_PROXY: '1', RATE_LIMIT_AUTH_FAILURES: '20'},
  };
  service = await startService({...shared, failpoint: (name) => failpoint(name)});
  twin = await startService(shared);
});

afterAll(async () => {
  await twin.close();
  await service.close();
  await clock.close();
});

beforeEach(async () => {
  workspace = await service.addWorkspace();
  ada = await addPerson(service, workspace, {name: 'Ada Lovelace', role: 'admin', team: 'platform'});
  session = await createSessionToken(workspace, ada.id);
});

afterEach(() => {
  failpoint = () => undefined;
});

interface From {
  readonly headers?: Record<string, string>;
  readonly from?: string;
  readonly at?: Pick<TestService, 'url'>;
}

/** Sends a request as a program does, from a network of its own unless `from` names one. */
function send(path: string, body: unknown, {headers = {}, from, at = service}: From = {}) {
  networks += 1;
  const address = from ?? `198.51.${Math.floor(networks / 250)}.${networks % 250}`;
  return sendRequest(at.url, 'POST', path, {body, headers: {'x-forwarded-for': address, ...headers}});
}

const start = async (body: Json = {}, options?: From): Promise<Json> =>
  (await send('/app/device', {name: 'standup on ada-laptop', ...body}, options)).body;
const poll = (code: string, options?: From) => send('/app/device/token', {device_code: code}, options);
const decide = (code: string, decision = 'approve', token = session): Promise<TestResponse> =>
  workspace.request('POST', `/v1/device-logins/${code}`, {token, body: {decision}});
const look = (code: string, token = session): Promise<TestResponse> =>
  workspace.request('GET', `/v1/device-logins/${code}`, {token});
const listTokens = async (): Promise<Json[]> =>
  (await workspace.request('GET', '/v1/tokens?limit=100')).body.data.filter(
    ({name}: Json) => name === 'standup on ada-laptop',
  );

/** Starts a login, has Ada approve it, and returns the program's token. */
async function signIn(scopes?: readonly Scope[]): Promise<string> {
  const {device_code: device, user_code: code} = await start(scopes && {scopes});
  expect((await decide(code)).status).toBe(200);
  return (await poll(device)).body.access_token;
}

function expectError(answer: TestResponse, error: string): void {
  expect({status: answer.status, body: answer.body}).toEqual({status: 400, body: {error}});
  expect(answer.headers.get('cache-control')).toBe('no-store');
}

describe('a program without a browser', () => {
  it('gets two codes, the address of the page, and the times of RFC 8628', async () => {
    const answer = await send('/app/device', {name: 'standup on ada-laptop'});
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('set-cookie')).toBeNull();
    expect(answer.body).toEqual({
      device_code: expect.stringMatching(/^[\w-]{43}$/),
      user_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/),
      verification_uri: expect.stringMatching(/^http:\/\/localhost:\d+\/app\/device$/),
      expires_in: 600,
      interval: 3,
    });
  });

  it('waits until a person has approved it, and learns when it asks too often', async () => {
    const {device_code: device, user_code: code} = await start();
    expectError(await poll(device), 'authorization_pending');
    expectError(await poll(device, {at: twin}), 'slow_down');
    await clock.advance(3_000);
    expectError(await poll(device), 'authorization_pending');
    await decide(code);
    const {status, body} = await poll(device);
    expect(status).toBe(200);
    expect(body).toEqual({
      access_token: expect.stringMatching(/^ey/),
      token_type: 'Bearer',
      expires_in: expect.any(Number),
      expires_at: expect.stringMatching(/Z$/),
      scope: 'standups:read standups:write teams:read members:read members:write',
    });
    expect(body.expires_in).toBeGreaterThan(lifetimes.tokenDefault - 60);
  });

  it('acts as the person from then on, and its standups come from the command line', async () => {
    const token = await signIn();
    const me = await workspace.request('GET', '/v1/me', {token});
    expect(me.body.principal).toMatchObject({id: ada.id, name: 'Ada Lovelace'});
    const posted = await workspace.request('POST', '/v1/standups', {
      token,
      body: {team: 'platform', update: 'From my terminal.'},
    });
    expect(posted.body).toMatchObject({author: {id: ada.id}, source: 'cli'});
    const created = (await eventsOf(workspace)).find(({type}) => type === 'standup.created');
    const [made] = await listTokens();
    expect(created?.actor).toMatchObject({type: 'member', id: ada.id, token: made.id, source: 'cli'});
  });

  it('has a token in the list of the person, without a parent, that names the command', async () => {
    await signIn();
    const [made, ...others] = await listTokens();
    expect(others).toEqual([]);
    expect(made).toMatchObject({
      name: 'standup on ada-laptop',
      kind: 'token',
      holder: {id: ada.id},
      created_by: {id: ada.id},
      parent: null,
      client: 'cli',
    });
    const created = (await eventsOf(workspace)).find(
      ({type, data}) => type === 'token.created' && data.id === made.id,
    );
    expect(created).toMatchObject({data: {client: 'cli'}, actor: {id: ada.id, source: 'dashboard'}});
  });

  it('gets the same token again for a minute when the answer was lost, from any process', async () => {
    const {device_code: device, user_code: code} = await start();
    await decide(code);
    const first = await poll(device);
    await clock.advance((lifetimes.deviceLoginRepeat - 1) * 1_000);
    const again = await poll(device, {at: twin});
    expect(again.body.access_token).toBe(first.body.access_token);
    await clock.advance(1_000);
    expectError(await poll(device), 'expired_token');
  });

  it('learns when the person denies it, and when the time is over', async () => {
    const denied = await start();
    expect((await decide(denied.user_code, 'deny')).body).toMatchObject({decision: 'deny', token: null});
    expectError(await poll(denied.device_code), 'access_denied');
    const late = await start();
    await clock.advance(lifetimes.deviceLogin * 1_000);
    expectError(await poll(late.device_code), 'expired_token');
    expectProblem(await decide(late.user_code), 'not_found');
    expect(await listTokens()).toEqual([]);
  });

  it('gets no token that was revoked, and none of a removed person', async () => {
    const revoked = await start();
    const {token} = (await decide(revoked.user_code)).body;
    await workspace.request('DELETE', `/v1/tokens/${token}`);
    expectError(await poll(revoked.device_code), 'access_denied');
    const orphan = await start();
    await decide(orphan.user_code);
    await workspace.request('DELETE', `/v1/members/${ada.id}`);
    expectError(await poll(orphan.device_code), 'access_denied');
  });

  it('signs out by its token, at once in every process, and no other kind of token ends so', async () => {
    const token = await signIn();
    expect((await send('/app/device/revoke', {token})).status).toBe(204);
    expect((await sendRequest(twin.url, 'GET', '/v1/me', {token})).status).toBe(401);
    expect((await send('/app/device/revoke', {token})).status).toBe(204);
    expect(await listTokens()).toEqual([]);
    for (const other of [ada.token, session])
      expectProblem(await send('/app/device/revoke', {token: other}), 'forbidden');
    expectProblem(await send('/app/device/revoke', {token: `${token}x`}), 'invalid_token');
    expectProblem(await send('/app/device/revoke', {}), 'validation_failed', {pointer: '#/token'});
    expect((await workspace.request('GET', '/v1/me', {token: ada.token})).status).toBe(200);
  });

  it.each<[string, Json, string]>([
    ['no name', {name: undefined}, 'name'],
    ['a name of 81 characters', {name: 'n'.repeat(81)}, 'name'],
    ['a name with a control character', {name: 'a\u0007b'}, 'name'],
    ['an unknown scope', {scopes: ['everything']}, 'scopes'],
    ['no scope', {scopes: []}, 'scopes'],
  ])('is refused with %s', async (_, body, field) => {
    const answer = await send('/app/device', {name: 'standup', ...body});
    expectProblem(answer, 'validation_failed', {pointer: `#/${field}`});
  });

  it('is refused without a device code, and counted with an unknown one', async () => {
    expectProblem(await send('/app/device/token', {}), 'validation_failed', {pointer: '#/device_code'});
    const from = '192.0.2.9';
    const answers: number[] = [];
    for (let i = 0; i < 21; i += 1) answers.push((await poll('x'.repeat(43), {from})).status);
    expect(answers[0]).toBe(400);
    expect(answers.at(-1)).toBe(429);
  });
});

describe('the command of a person', () => {
  it('signs in while its person approves, posts from the command line, and ends its token by logout', async () => {
    const machine = createMachine();
    const approve = async (request: Request): Promise<Response> => {
      const answer = await fetch(request);
      if (new URL(request.url).pathname !== '/app/device') return answer;
      const started = (await answer.clone().json()) as Json;
      expect((await decide(started.user_code)).status).toBe(200);
      return answer;
    };
    try {
      const signedIn = await machine.run(['login', service.url], {send: approve});
      expect(signedIn).toMatchObject({code: 0, stdout: expect.stringContaining('as Ada Lovelace')});
      const posted = await machine.run(['post', 'From my terminal.', '--team', 'platform']);
      expect(posted.code).toBe(0);
      const {body} = await workspace.request('GET', '/v1/standups?source=cli');
      expect(body.data).toMatchObject([{update: 'From my terminal.', author: {id: ada.id}}]);
      expect(await machine.run(['logout'])).toMatchObject({code: 0, stderr: ''});
      const {body: left} = await workspace.request('GET', '/v1/tokens?limit=100');
      expect(left.data.filter(({client}: Json) => client === 'cli')).toEqual([]);
    } finally {
      machine.remove();
    }
  });
});

describe('a page in a browser', () => {
  it.each([
    ['Origin', {origin: 'https://evil.example'}],
    ['Sec-Fetch-Site', {'sec-fetch-site': 'cross-site'}],
    ['our own Sec-Fetch-Site', {'sec-fetch-site': 'same-origin'}],
  ])('starts no sign-in and gets no token: %s', async (_, headers) => {
    expectProblem(await send('/app/device', {name: 'standup'}, {headers}), 'forbidden');
    const {device_code: device, user_code: code} = await start();
    await decide(code);
    expectProblem(await poll(device, {headers}), 'forbidden');
  });
});

describe('the person who decides', () => {
  it('sees the name, the scopes, and both network addresses', async () => {
    const {user_code: code} = await start({scopes: ['standups:read']}, {from: '203.0.113.7'});
    const answer = await workspace.request('GET', `/v1/device-logins/${code}`, {
      token: session,
      headers: {'x-forwarded-for': '203.0.113.99'},
    });
    expect(answer.body).toEqual({
      object: 'device_login',
      user_code: code,
      name: 'standup on ada-laptop',
      scopes: ['standups:read'],
      requested_from: '203.0.113.7',
      your_address: '203.0.113.99',
      created_at: expect.any(String),
      expires_at: expect.any(String),
    });
  });

  it('may type the code in small letters, with spaces or without the hyphen', async () => {
    const {user_code: code} = await start();
    const [first = '', second = ''] = code.toLowerCase().split('-');
    for (const typed of [first + second, ` ${first} ${second}`, `${first}--${second}`])
      expect((await look(encodeURIComponent(typed))).body.user_code).toBe(code);
  });

  it('creates one token by pressing twice, also at the same time in two processes', async () => {
    const {device_code: device, user_code: code} = await start();
    const both = [service, twin].map(({url}) =>
      sendRequest(url, 'POST', `/v1/device-logins/${code}`, {token: session, body: {decision: 'approve'}}),
    );
    const [one, other] = await Promise.all(both);
    const again = await decide(code);
    expect([one?.status, other?.status, again.status]).toEqual([200, 200, 200]);
    expect(one?.text).toBe(other?.text);
    expect(again.text).toBe(one?.text);
    expect(await listTokens()).toHaveLength(1);
    expect((await poll(device)).status).toBe(200);
  });

  it('cannot reverse a decision', async () => {
    const approved = await start();
    await decide(approved.user_code);
    expectProblem(await decide(approved.user_code, 'deny'), 'forbidden');
    expect((await poll(approved.device_code)).status).toBe(200);
    const denied = await start();
    await decide(denied.user_code, 'deny');
    expectProblem(await decide(denied.user_code), 'forbidden');
    expectError(await poll(denied.device_code), 'access_denied');
  });

  it('approves no second time after the token was revoked', async () => {
    const {user_code: code} = await start();
    await workspace.request('DELETE', `/v1/tokens/${(await decide(code)).body.token}`);
    expectProblem(await decide(code), 'forbidden');
    expect(await listTokens()).toEqual([]);
  });

  it('decides once when they approve and deny at the same time', async () => {
    const {device_code: device, user_code: code} = await start();
    const [approved, denied] = await Promise.all([decide(code), decide(code, 'deny')]);
    expect([approved?.status, denied?.status].toSorted()).toEqual([200, 403]);
    const wins = approved?.status === 200;
    expect(await listTokens()).toHaveLength(wins ? 1 : 0);
    expect((await poll(device)).status).toBe(wins ? 200 : 400);
  });

  it('completes an approval by pressing again after a crash before the token', async () => {
    const {device_code: device, user_code: code} = await start();
    failpoint = (name) => {
      if (name === 'before-commit') throw new Error('killed');
    };
    expect((await decide(code)).status).toBe(500);
    failpoint = () => undefined;
    expectError(await poll(device), 'authorization_pending');
    expectProblem(await decide(code, 'deny'), 'forbidden');
    expect((await decide(code)).status).toBe(200);
    expect(await listTokens()).toHaveLength(1);
    expect((await poll(device)).status).toBe(200);
  });

  it('completes an approval by pressing again after a crash between the token and its record', async () => {
    const {device_code: device, user_code: code} = await start();
    failpoint = (name) => {
      if (name === 'after-commit') throw new Error('killed');
    };
    expect((await decide(code)).status).toBe(500);
    failpoint = () => undefined;
    const [made] = await listTokens();
    expectError(await poll(device), 'authorization_pending');
    const before = await eventsOf(workspace);
    await clock.advance(5_000);
    expect((await decide(code)).body.token).toBe(made.id);
    expect(await listTokens()).toHaveLength(1);
    expect(await eventsOf(workspace)).toEqual(before);
    const me = await workspace.request('GET', '/v1/me', {token: (await poll(device)).body.access_token});
    expect(me.status).toBe(200);
  });

  it('is the first one: no one else decides or repeats it', async () => {
    const {device_code: device, user_code: code} = await start();
    const grace = await addPerson(service, workspace, {name: 'Grace Hopper'});
    const other = await createSessionToken(workspace, grace.id);
    await decide(code);
    expectProblem(await decide(code, 'approve', other), 'not_found');
    expectProblem(await decide(code, 'deny', other), 'not_found');
    const me = await workspace.request('GET', '/v1/me', {token: (await poll(device)).body.access_token});
    expect(me.body.principal.id).toBe(ada.id);
  });

  it('regression: reads a sign-in no longer once it is decided, apart from completing an interrupted approval', async () => {
    const grace = await addPerson(service, workspace, {name: 'Grace Hopper', role: 'admin'});
    const other = await createSessionToken(workspace, grace.id);
    for (const decision of ['approve', 'deny']) {
      const {user_code: code} = await start();
      expect((await look(code, other)).status).toBe(200);
      expect((await decide(code, decision)).status).toBe(200);
      for (const token of [session, other]) expectProblem(await look(code, token), 'not_found');
    }
    const {user_code: code} = await start();
    failpoint = (name) => {
      if (name === 'before-commit') throw new Error('killed');
    };
    expect((await decide(code)).status).toBe(500);
    failpoint = () => undefined;
    expectProblem(await look(code, other), 'not_found');
    expect((await look(code)).status).toBe(200);
    expect((await decide(code)).status).toBe(200);
    expectProblem(await look(code), 'not_found');
  });

  it('tries five wrong codes a minute; then the right one is refused, for this person alone', async () => {
    const {user_code: code} = await start();
    const wrong = 'BBBB-BBBB';
    for (let i = 0; i < limits.wrongDeviceCodes; i += 1)
      expectProblem(i % 2 === 0 ? await look(wrong) : await decide(wrong), 'not_found');
    const refused = await decide(code);
    expectProblem(refused, 'rate_limited');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expectProblem(await look(code), 'rate_limited');
    const grace = await addPerson(service, workspace, {name: 'Grace Hopper'});
    expect((await look(code, await createSessionToken(workspace, grace.id))).status).toBe(200);
  });

  it('regression: tries no more wrong codes by having more members', async () => {
    const {user_code: code} = await start();
    const {wrongDeviceCodes, wrongDeviceCodesPerWorkspace} = limits;
    for (let i = 0; i < wrongDeviceCodesPerWorkspace / wrongDeviceCodes; i += 1) {
      const person = await addPerson(service, workspace, {name: `Member ${i}`});
      const token = await createSessionToken(workspace, person.id);
      for (let n = 0; n < wrongDeviceCodes; n += 1)
        expectProblem(await look('BBBB-BBBB', token), 'not_found');
    }
    expectProblem(await look(code), 'rate_limited');
    const other = await service.addWorkspace();
    const eve = await addPerson(service, other, {name: 'Eve'});
    const token = await createSessionToken(other, eve.id);
    expect((await other.request('GET', `/v1/device-logins/${code}`, {token})).status).toBe(200);
  });

  it('has confirmed in the last 15 minutes that it is them', async () => {
    const {user_code: code} = await start();
    const later = await createLaterToken();
    expectProblem(await look(code, later), 'insufficient_scope');
    expectProblem(await decide(code, 'approve', later), 'insufficient_scope');
  });

  it('grants no scope that their role or their token lacks, and may then deny it', async () => {
    const max = await addPerson(service, workspace, {name: 'Max'});
    const narrow = await addPerson(service, workspace, {name: 'Nora', scopes: ['tokens:manage']});
    for (const token of [await createSessionToken(workspace, max.id), narrow.token]) {
      const {device_code: device, user_code: code} = await start({scopes: ['workspace:manage']});
      expectProblem(await decide(code, 'approve', token), 'scope_escalation');
      expect((await decide(code, 'deny', token)).status).toBe(200);
      expectError(await poll(device), 'access_denied');
    }
    expect(await listTokens()).toEqual([]);
  });

  it('cannot name a client by making the token themselves', async () => {
    const body = {name: 'robot', client: 'cli'};
    const answer = await workspace.request('POST', '/v1/tokens', {token: session, body});
    expectProblem(answer, 'validation_failed', {pointer: '#/client'});
  });

  it('regression: decides nothing with a revoked token that the process knows', async () => {
    const max = await addPerson(service, workspace, {name: 'Max', scopes: ['tokens:manage']});
    const {device_code: device, user_code: code} = await start({scopes: ['tokens:manage']});
    expect((await look(code, max.token)).status).toBe(200);
    const {jti = ''} = decodeJwt(max.token);
    const revoked = await sendRequest(twin.url, 'DELETE', `/v1/tokens/${jti}`, {token: session});
    expect(revoked.status).toBe(204);
    for (const decision of ['deny', 'approve'])
      expectProblem(await decide(code, decision, max.token), 'invalid_token');
    expectError(await poll(device), 'authorization_pending');
    expect((await decide(code)).status).toBe(200);
  });

  it('is no service account', async () => {
    const {user_code: code} = await start();
    expectProblem(await look(code, workspace.token), 'forbidden');
    expectProblem(await decide(code, 'approve', workspace.token), 'forbidden');
    expect((await decide(code)).status).toBe(200);
  });

  it('gives the program a token that ends with the token that approved it', async () => {
    const {device_code: device, user_code: code} = await start();
    await decide(code, 'approve', ada.token);
    const [made] = await listTokens();
    const {access_token: token} = (await poll(device)).body;
    await workspace.request('DELETE', `/v1/tokens/${made.parent}`);
    expect((await workspace.request('GET', '/v1/me', {token})).status).toBe(401);
  });
});

/** A session token of Ada, 16 minutes after signing in. */
async function createLaterToken(): Promise<string> {
  const {sessions} = workspace.core.services;
  const request = {deadline: performance.now() + 5_000};
  const proven = {workspace: workspace.id, member: ada.id, confirmed: true};
  const {pass} = await sessions.signInMember(proven, {name: 'Firefox', instead: undefined}, request);
  await clock.advance((lifetimes.confirmed + 60) * 1_000);
  const held = await sessions.requireSession(pass, request);
  return (await sessions.grantToken(held, {limits: {all: 0, writes: 0}, isWrite: false}, request)).token;
}

describe('waiting sign-ins', () => {
  it('are in Redis only as keyed hashes and encrypted, also the given token', async () => {
    const {device_code: device, user_code: code} = await start(
      {name: 'hostname-of-ada'},
      {from: '203.0.113.77'},
    );
    const {text: waiting} = await dumpRedis(redisUrl);
    for (const secret of [device, code, code.replace('-', ''), 'hostname-of-ada', '203.0.113.77'])
      expect(waiting).not.toContain(secret);
    await decide(code);
    const {access_token: token} = (await poll(device)).body;
    expect((await dumpRedis(redisUrl)).text).not.toContain(token.split('.')[2]);
  });

  it('regression: leave room for others, however long one network starts as many as it can', async () => {
    const from = '192.0.2.31';
    let started = 0;
    for (let minute = 0; minute < 10; minute += 1) {
      for (let i = 0; i < 30; i += 1)
        started += (await send('/app/device', {name: 'x'}, {from})).status === 200 ? 1 : 0;
      await clock.advance(60_000);
    }
    expect(started).toBeLessThanOrEqual(limits.pendingDeviceLogins / 16);
  });

  it('regression: leave room for others, however many IPv6 networks of one site start some', async () => {
    const startedFrom = async (site: string, count: number) => {
      let started = 0;
      for (let i = 0; i < count; i += 1) {
        const from = `2001:db8:${site}:${(i % 50).toString(16)}::${i.toString(16)}`;
        started += (await send('/app/device', {name: 'x'}, {from})).status === 200 ? 1 : 0;
      }
      return started;
    };
    expect(await startedFrom('1', 100)).toBe(60);
    expect(await startedFrom('2', 10)).toBe(10);
  });

  it('regression: are asked for so often by a network that the store is asked no more', async () => {
    const from = '192.0.2.32';
    const {device_code: device} = await start({}, {from});
    const answers: number[] = [];
    for (let i = 0; i < 700; i += 50) {
      const asked = await Promise.all(Array.from({length: 50}, () => poll(device, {from})));
      answers.push(...asked.map(({status}) => status));
    }
    expect(answers.filter((status) => status === 400)).toHaveLength(600);
    expect(answers.at(-1)).toBe(429);
    expectError(await poll(device), 'slow_down');
    await clock.advance(60_000);
    expectError(await poll(device, {from}), 'authorization_pending');
  });

  it('may be started 30 times in a short time by a network', async () => {
    const from = '192.0.2.30';
    const answers: number[] = [];
    for (let i = 0; i < 31; i += 1) answers.push((await send('/app/device', {name: 'x'}, {from})).status);
    expect(answers.filter((status) => status === 200)).toHaveLength(30);
    expect(answers.at(-1)).toBe(429);
  });

  it('are at most 1,000, and there is room again when they end', async () => {
    await clock.advance(lifetimes.deviceLogin * 1_000);
    const {deviceLogins} = service.core.services;
    const asked = {name: 'standup', scopes: ['standups:read'] as const};
    const more = () => deviceLogins.start(asked, {address: '192.0.2.1', deadline: performance.now() + 5_000});
    const last = await more();
    for (let i = 1; i < limits.pendingDeviceLogins; i += 100)
      await Promise.all(Array.from({length: Math.min(100, limits.pendingDeviceLogins - i)}, more));
    const refused = await send('/app/device', {name: 'standup'});
    expectProblem(refused, 'rate_limited');
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(lifetimes.deviceLogin);
    await decide(last.user_code, 'deny');
    expect((await send('/app/device', {name: 'standup'})).status).toBe(200);
    expectProblem(await send('/app/device', {name: 'standup'}), 'rate_limited');
    await clock.advance(lifetimes.deviceLogin * 1_000);
    expect((await send('/app/device', {name: 'standup'})).status).toBe(200);
  });
});
