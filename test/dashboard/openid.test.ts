import {afterAll, afterEach, beforeAll, beforeEach, describe, expect, it} from '@jest/globals';
import {createHash} from 'node:crypto';
import {readFileSync} from 'node:fs';
import type {ServerResponse} from 'node:http';
import {scopes} from '../../src/domain/core/access.js';
import {lifetimes, processBounds} from '../../src/domain/core/limits.js';
import type {DashboardRequest} from '../../src/dashboard/answer.js';
import {createIdentityProvider, type IdentityProvider} from '../../src/dashboard/identity-provider.js';
import type {DashboardContext} from '../../src/dashboard/context.js';
import {createBrowserSessions} from '../../src/dashboard/browser-sessions.js';
import {createSignInHandler} from '../../src/dashboard/sign-in.js';
import {signInProblems, SignInRefused} from '../../src/domain/tokens/sign-in.js';
import {addPerson, type Person} from '../api/people.js';
import {findFreePort} from '../support/free-port.js';
import {testRedisUrl} from '../support/redis-server.js';
import {startService, type TestService, type TestWorkspace} from '../support/service.js';
import {clientSecret, type SignInProvider, startSignInProvider} from '../support/sign-in-provider.js';
import {createTestClock, type TestClock} from '../support/test-clock.js';
import {until} from '../support/until.js';
import {type PageResponse, createTraveller, type Traveller} from './traveller.js';
import {signedIn} from './test-browser.js';
import {asId} from '../support/ids.js';

let clock: TestClock;
let provider: SignInProvider;
let bare: SignInProvider;
let service: TestService;
let workspace: TestWorkspace;
let other: TestWorkspace;
let ada: Person;
let url: string;
const lines: Record<string, unknown>[] = [];
const note = (fields: object, message: string) => void lines.push({...fields, message});
const log = {debug: () => undefined, info: note, warn: note, error: note};

const rulesOf = (of: SignInProvider, workspaces: string[], signIn: object, more: object = {}) => ({
  issuer: of.issuer,
  audience: 'standup',
  jwks_url: of.jwksUrl,
  workspaces,
  sign_in: signIn,
  ...more,
});

beforeAll(async () => {
  const port = String(await findFreePort());
  url = `http://127.0.0.1:${port}`;
  const callback = `${url}/app/sign-in/callback`;
  provider = await startSignInProvider(callback);
  bare = await startSignInProvider(callback, {inIdToken: false});
  const own = {id: 'acme', name: 'Acme <SSO> & "Co"', client_id: 'standup', client_secret: clientSecret};
  const issuers = [
    rulesOf(provider, ['acme'], own),
    rulesOf(
      bare,
      ['acme', 'other'],
      {id: 'bare', name: 'Bare', client_id: 'standup-without-secret'},
      {
        workspace_claim: 'workspace',
        service_accounts: {robot: 'ci'},
      },
    ),
    // A provider without a listener.
    rulesOf({...provider, issuer: 'http://127.0.0.1:9', jwksUrl: 'http://127.0.0.1:9/jwks'}, ['acme'], {
      ...own,
      id: 'away',
    }),
  ];
  const redisUrl = await testRedisUrl();
  clock = await createTestClock(redisUrl);
  service = await startService({
    redisUrl,
    time: clock.time,
    log,
    env: {PORT: port, PUBLIC_URL: url, TRUSTED_ISSUERS: JSON.stringify(issuers), TRUST_PROXY: '1'},
  });
  workspace = await service.addWorkspace('Acme');
  other = await service.addWorkspace('Other');
  ada = await addPerson(service, workspace, {name: 'Ada Lovelace', email: 'ada@example.com', role: 'admin'});
});

afterAll(async () => {
  await service.close();
  await provider.close();
  await bare.close();
  await clock.close();
});

const verified = {email: 'Ada@Example.com', email_verified: true};
let networks = 0;
let network: string;
beforeEach(async () => {
  await clock.set(Date.now());
  // Each test has its own network, because failures are counted by network.
  network = `10.0.0.${++networks}`;
  provider.become('ada', verified);
  bare.become('ada', {...verified, workspace: 'acme'});
});
afterEach(() => provider.pretend('/token'));

const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
});

const leave = (traveller: Traveller, path = 'acme', headers = {}) =>
  traveller.go(`${url}/app/sign-in/${path}`, {'x-forwarded-for': network, ...headers});
const comeBack = (traveller: Traveller, address: string) =>
  traveller.go(address, {'sec-fetch-site': 'cross-site', 'x-forwarded-for': network});

async function travel(traveller: Traveller, path = 'acme', change: (address: string) => string = (at) => at) {
  const out = await leave(traveller, path);
  const back = await traveller.follow(change(out.location));
  return {out, back, home: await comeBack(traveller, back)};
}

/** The problem in the page's address; undefined after a sign-in. */
function problemOf({status, location}: {status: number; location: string}): string | undefined {
  expect(status).toBe(303);
  expect(location).toMatch(/^\/app(?![^/?])/);
  return new URL(location, url).searchParams.get('problem') ?? undefined;
}

/** Expects no problem; on failure it shows the problem and the reason in the log. */
function expectSignedIn(arrival: PageResponse): void {
  const problem = problemOf(arrival);
  const line = lines.find(({request_id: id}) => id === arrival.headers.get('x-request-id'));
  expect({problem, reason: problem && line?.['reason']}).toEqual({});
}

const token = (traveller: Traveller) => traveller.ask(url, '/app/session/token');
const findSignedIn = async (traveller: Traveller): Promise<string | undefined> => {
  const {status, body} = await token(traveller);
  if (status !== 200) return undefined;
  return (await workspace.request('GET', '/v1/me', {token: body.token})).body.principal.id;
};
const kept = (traveller: Traveller) => traveller.cookie(url, 'standup');
const changeQuery = (name: string, value: string) => (address: string) => {
  const changed = new URL(address);
  changed.searchParams.set(name, value);
  return changed.href;
};

describe('the start of a sign-in', () => {
  it('redirects to the provider with state, nonce and the challenge of a verifier that only the cookie has', async () => {
    const {status, location, headers} = await leave(createTraveller());
    expect(status).toBe(303);
    const {origin, searchParams} = new URL(location);
    expect(origin).toBe(provider.issuer);
    const {
      state = '',
      nonce = '',
      code_challenge: challenge = '',
      ...rest
    } = Object.fromEntries(searchParams);
    expect(rest).toEqual({
      client_id: 'standup',
      redirect_uri: `${url}/app/sign-in/callback`,
      response_type: 'code',
      scope: 'openid profile email',
      code_challenge_method: 'S256',
    });
    const secrets = [state, nonce, challenge];
    for (const secret of secrets) expect(secret).toMatch(/^[\w-]{43}$/);
    expect(new Set(secrets).size).toBe(3);
    const [line = ''] = headers.getSetCookie();
    for (const secret of secrets) expect(line).not.toContain(secret);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
  });

  it('sets a cookie that over plain HTTP equals the documented one byte for byte, without Secure', async () => {
    const {headers} = await leave(createTraveller());
    expect(headers.getSetCookie()).toEqual([
      expect.stringMatching(/^standup-signin=[\w-]{300,2000}; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/),
    ]);
  });

  it('sets a cookie that over HTTPS is for this host alone', async () => {
    const secure = await startService({
      env: {
        PUBLIC_URL: 'https://standup.example.com',
        TRUSTED_ISSUERS: JSON.stringify([
          rulesOf(provider, ['acme'], {id: 'acme', name: 'Acme', client_id: 'standup'}),
        ]),
      },
    });
    cleanUps.push(() => secure.close());
    const {headers, location} = await createTraveller().go(`${secure.url}/app/sign-in/acme`);
    expect(headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^__Host-standup-signin=[\w-]+; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
      ),
    ]);
    expect(new URL(location).searchParams.get('redirect_uri')).toBe(
      'https://standup.example.com/app/sign-in/callback',
    );
  });

  it('uses another state, nonce and challenge each time', async () => {
    const [one, two] = [await leave(createTraveller()), await leave(createTraveller())];
    for (const name of ['state', 'nonce', 'code_challenge']) {
      const of = ({location}: {location: string}) => new URL(location).searchParams.get(name);
      expect(of(one)).not.toBe(of(two));
    }
  });

  it('ends on the sign-in page with an explanation when the provider is unreachable', async () => {
    expect(problemOf(await leave(createTraveller(), 'nobody'))).toBe('unknown_provider');
  });

  it('ends on the sign-in page with an explanation when the provider does not answer', async () => {
    const answer = await leave(createTraveller(), 'away?to=/app/calendar');
    expect(problemOf(answer)).toBe('provider_unavailable');
    expect(new URL(answer.location, url).searchParams.get('to')).toBe('/calendar');
    expect(answer.headers.getSetCookie()).toEqual([]);
  });

  it('ends on our own sign-in page, which asks the person, when another site has started it', async () => {
    for (const site of ['cross-site', 'same-site']) {
      const answer = await leave(createTraveller(), 'acme?to=/app/calendar', {'sec-fetch-site': site});
      expect(answer.location).toBe('/app/sign-in?to=%2Fcalendar');
      expect(answer.headers.getSetCookie()).toEqual([]);
    }
    const typed = await leave(createTraveller(), 'acme', {'sec-fetch-site': 'none'});
    expect(new URL(typed.location).origin).toBe(provider.issuer);
  });

  it.each([
    ['a frame', {'sec-fetch-dest': 'iframe'}],
    ['an image', {'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image'}],
    ['a script', {'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty'}],
    ['a browser that looks ahead', {'sec-purpose': 'prefetch;prerender'}],
  ])('is refused to %s, as is the return from the provider', async (_, headers) => {
    const traveller = createTraveller();
    expect((await leave(traveller, 'acme', headers)).status).toBe(403);
    const out = await leave(traveller);
    const back = await traveller.follow(out.location);
    expect((await traveller.go(back, headers)).status).toBe(403);
    expectSignedIn(await comeBack(traveller, back));
  });

  it('does nothing on a HEAD request', async () => {
    const answer = await fetch(`${url}/app/sign-in/acme`, {method: 'HEAD', redirect: 'manual'});
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([200, []]);
  });
});

describe('the return from the provider', () => {
  it('signs in the member with the verified e-mail address, in an ordinary session', async () => {
    const traveller = createTraveller();
    const {home} = await travel(traveller);
    expect(home.location).toBe('/app');
    expect(home.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^standup=ws_[0-9a-z]{26}\.[0-9a-z]{16}\.[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Strict$/,
      ),
      'standup-signin=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax',
    ]);
    expect(await findSignedIn(traveller)).toBe(ada.id);
    const listed = await workspace.request('GET', '/v1/tokens?kind=session&limit=1');
    expect(listed.body.data[0]).toMatchObject({
      kind: 'session',
      name: 'Chrome on Linux',
      holder: {id: ada.id},
      created_by: {id: ada.id},
      parent: null,
    });
    const line = lines.findLast(({operation}) => operation === 'returnFromProvider');
    expect(line).toMatchObject({status: 303, principal: ada.id, provider: 'acme'});
  });

  it('signs in at the workspace that a claim names, even if only the provider’s user info has the address', async () => {
    const traveller = createTraveller();
    expectSignedIn((await travel(traveller, 'bare')).home);
    expect(await findSignedIn(traveller)).toBe(ada.id);
    const before = bare.asked.length;
    bare.become('ada', {...verified, workspace: 'other'});
    expect(problemOf((await travel(createTraveller(), 'bare')).home)).toBe('unknown_person');
    expect(bare.asked.slice(before)).toContain('/me');
    bare.become('ada', {...verified, workspace: 'third'});
    expect(problemOf((await travel(createTraveller(), 'bare')).home)).toBe('unknown_workspace');
    bare.become('ada', verified);
    expect(problemOf((await travel(createTraveller(), 'bare')).home)).toBe('unknown_workspace');
    expect(other.id).not.toBe(workspace.id);
  });

  it('ends this browser’s earlier session, although the returning request carries no cookie of that session', async () => {
    const traveller = createTraveller();
    traveller.cookies.set(url, new Map([['standup', 'x'.repeat(6_000)]]));
    const [line = ''] = (await leave(traveller)).headers.getSetCookie();
    expect(line.length).toBeLessThan(1_000);
    await travel(traveller);
    const first = kept(traveller);
    await travel(traveller);
    expect(kept(traveller)).not.toBe(first);
    const earlier = createTraveller();
    earlier.cookies.set(url, new Map([['standup', first ?? '']]));
    expect((await token(earlier)).status).toBe(401);
    expect((await token(traveller)).status).toBe(200);
  });

  it('never reuses an existing session: each sign-in has a new one', async () => {
    const planted = await signedIn(service, workspace, workspace.principal.id).catch(() => undefined);
    expect(planted).toBeUndefined();
    const eve = await addPerson(service, workspace, {name: 'Eve'});
    const attacker = await signedIn(service, workspace, eve.id);
    const victim = createTraveller();
    victim.cookies.set(url, new Map([['standup', attacker.cookie?.split('=')[1] ?? '']]));
    await travel(victim);
    expect(await findSignedIn(victim)).toBe(ada.id);
    expect((await attacker.ask('POST', '/app/session/token')).status).toBe(401);
  });

  it.each([
    ['an address that the provider has not verified', {email: 'ada@example.com', email_verified: false}],
    ['an address without a statement of verification', {email: 'ada@example.com'}],
    ['a string in place of the boolean true', {email: 'ada@example.com', email_verified: 'true'}],
    ['no address', {}],
  ])('signs no one in with %s', async (_, claims) => {
    provider.become('ada', claims);
    const traveller = createTraveller();
    expect(problemOf((await travel(traveller)).home)).toBe('email_not_verified');
    expect(kept(traveller)).toBeUndefined();
  });

  it.each([
    [{email: 'ada@example.com'}, {email: 'eve@example.com', email_verified: true}],
    [{email_verified: true}, {email: 'ada@example.com', email_verified: false}],
    [{email_verified: true}, {email: 'ada@example.com'}],
  ])(
    'regression: does not treat one address as verified because another one is: %j, then %j',
    async (inToken, later) => {
      provider.become('eve', inToken);
      provider.pretend('/me', (_, response) => {
        response.writeHead(200, {'content-type': 'application/json'});
        response.end(JSON.stringify({sub: 'eve', ...later}));
      });
      cleanUps.push(async () => provider.pretend('/me'));
      expect(problemOf((await travel(createTraveller())).home)).toMatch(/unknown_person|email_not_verified/);
    },
  );

  it('signs no unknown person in, and creates no member', async () => {
    provider.become('eve', {email: 'eve@example.com', email_verified: true});
    const before = await workspace.request('GET', '/v1/members?limit=100');
    expect(problemOf((await travel(createTraveller())).home)).toBe('unknown_person');
    const after = await workspace.request('GET', '/v1/members?limit=100');
    expect(after.body.data).toEqual(before.body.data);
  });

  it('signs no person in as a program that the provider’s rules name', async () => {
    bare.become('robot', {workspace: 'acme'});
    expect(problemOf((await travel(createTraveller(), 'bare')).home)).toBe('email_not_verified');
  });

  it('treats a removed member as unknown', async () => {
    const gone = await addPerson(service, workspace, {name: 'Gone', email: 'gone@example.com'});
    provider.become('gone', {email: 'gone@example.com', email_verified: true});
    const traveller = createTraveller();
    expectSignedIn((await travel(traveller)).home);
    await service.core.services.members.deleteMember(workspace.operator(), gone.id, {erase: false});
    expect((await token(traveller)).status).toBe(401);
    expect(problemOf((await travel(createTraveller())).home)).toBe('unknown_person');
  });

  it('tells a person who declined at the provider that the sign-in was cancelled, and counts no failure', async () => {
    provider.refuse();
    expect(problemOf((await travel(createTraveller())).home)).toBe('cancelled');
  });
});

describe('a sign-in attempt', () => {
  it('is accepted once: a second or simultaneous return is refused', async () => {
    const traveller = createTraveller();
    const out = await leave(traveller);
    const back = await traveller.follow(out.location);
    const cookie = `standup-signin=${traveller.cookie(url, 'standup-signin')}`;
    const asked = provider.asked.length;
    const both = await Promise.all([1, 2].map(() => createTraveller().go(back, {cookie})));
    expect(both.map(problemOf).toSorted()).toEqual(['expired', undefined]);
    expect(problemOf(await createTraveller().go(back, {cookie}))).toBe('expired');
    expect(provider.asked.slice(asked).filter((path) => path === '/token')).toHaveLength(1);
  });

  it('expires after ten minutes', async () => {
    const traveller = createTraveller();
    const back = await traveller.follow((await leave(traveller)).location);
    await clock.advance(lifetimes.signIn * 1_000 + 1_000);
    expect(problemOf(await comeBack(traveller, back))).toBe('expired');
  });

  it('that an attacker started signs in no one who opens it, even during a sign-in attempt of their own', async () => {
    provider.become('eve', {email: 'ada@example.com', email_verified: true});
    const attacker = createTraveller();
    const trap = await attacker.follow((await leave(attacker)).location);
    const idle = createTraveller();
    expect(problemOf(await comeBack(idle, trap))).toBe('expired');
    expect(kept(idle)).toBeUndefined();
    const victim = createTraveller();
    const own = await victim.follow((await leave(victim)).location);
    const trapped = await comeBack(victim, trap);
    expect(problemOf(trapped)).toBe('expired');
    // The victim's own sign-in in progress stays as it was.
    expect(trapped.headers.getSetCookie()).toEqual([]);
    expectSignedIn(await comeBack(victim, own));
    expect(await findSignedIn(victim)).toBe(ada.id);
  });

  it('is refused with the cookie of another browser', async () => {
    const [one, two] = [createTraveller(), createTraveller()];
    const back = await one.follow((await leave(one)).location);
    await leave(two);
    expect(problemOf(await comeBack(two, back))).toBe('expired');
  });

  it.each([
    ['changed', (encrypted: string) => `${encrypted.slice(0, -4)}AAAA`],
    ['made up', () => Buffer.from(JSON.stringify({state: 'x'})).toString('base64url')],
    ['empty', () => 'x'],
  ])('is refused when its cookie is %s', async (_, change) => {
    const traveller = createTraveller();
    const back = await traveller.follow((await leave(traveller)).location);
    const encrypted = traveller.cookie(url, 'standup-signin') ?? '';
    const cookie = `standup-signin=${change(encrypted)}`;
    expect(problemOf(await createTraveller().go(back, {cookie}))).toBe('expired');
  });

  it.each<[string, string, (address: string) => string]>([
    ['state', 'expired', changeQuery('state', 'x'.repeat(43))],
    ['issuer', 'wrong_answer', changeQuery('iss', 'https://id.example.com')],
    ['code', 'provider_refused', changeQuery('code', 'x'.repeat(43))],
    ['error, which comes in place of a code', 'provider_refused', changeQuery('error', 'login_required')],
    ['error of a failing provider', 'provider_unavailable', changeQuery('error', 'server_error')],
  ])('is refused with another %s', async (_, problem, change) => {
    const traveller = createTraveller();
    const back = await traveller.follow((await leave(traveller)).location);
    expect(problemOf(await comeBack(traveller, change(back)))).toBe(problem);
    expect(kept(traveller)).toBeUndefined();
  });

  it.each<[string, string, (address: string) => string]>([
    ['nonce', 'wrong_answer', changeQuery('nonce', 'another')],
    [
      'verifier',
      'provider_refused',
      changeQuery('code_challenge', createHash('sha256').update('another').digest('base64url')),
    ],
    ['state', 'expired', changeQuery('state', 'another')],
  ])('is refused when its start had another %s', async (_, problem, change) => {
    const traveller = createTraveller();
    expect(problemOf((await travel(traveller, 'acme', change)).home)).toBe(problem);
    expect(kept(traveller)).toBeUndefined();
  });

  it('is refused for another provider', async () => {
    const traveller = createTraveller();
    const back = await traveller.follow((await leave(traveller)).location);
    const mixed = await leave(traveller, 'bare');
    const state = new URL(mixed.location).searchParams.get('state') ?? '';
    expect(problemOf(await comeBack(traveller, changeQuery('state', state)(back)))).toBe('wrong_answer');
  });
});

describe('an ID token', () => {
  /** Answers the provider's token request with `make(nonce)`. Returns the problem. */
  async function answerWith(make: (nonce: string) => Promise<string> | string): Promise<string | undefined> {
    const traveller = createTraveller();
    const out = await leave(traveller);
    const back = await traveller.follow(out.location);
    const idToken = await make(new URL(out.location).searchParams.get('nonce') ?? '');
    const body = JSON.stringify({access_token: 'a', token_type: 'Bearer', id_token: idToken});
    provider.pretend('/token', (_, response: ServerResponse) =>
      response.writeHead(200, {'content-type': 'application/json'}).end(body),
    );
    const problem = problemOf(await comeBack(traveller, back));
    expect(kept(traveller) === undefined).toBe(problem !== undefined);
    return problem;
  }
  const now = () => Math.floor(Date.now() / 1_000);
  const forge =
    (changes: object, header: object = {}) =>
    (nonce: string) =>
      provider.forge({...verified, nonce, ...changes}, {...header});

  it('is accepted from the provider itself', async () => {
    expect(await answerWith(forge({}))).toBeUndefined();
  });

  it.each<[string, string, (nonce: string) => Promise<string> | string]>([
    ['from another issuer', 'wrong_answer', forge({iss: 'https://id.example.com'})],
    ['for another audience', 'wrong_answer', forge({aud: 'another'})],
    ['for another attempt', 'wrong_answer', forge({nonce: 'another'})],
    ['for no attempt at all', 'wrong_answer', forge({nonce: undefined})],
    ['that has expired by our clock', 'clock', forge({iat: now() - 900, exp: now() - 600})],
    ['with a key that is not the provider’s', 'wrong_answer', forge({}, {kid: 'another'})],
    [
      'that has been changed',
      'wrong_answer',
      async (nonce) => {
        const [header = '', , signature = ''] = (await provider.forge({nonce})).split('.');
        const claims = {...verified, nonce, iss: provider.issuer, aud: 'standup', sub: 'x', iat: now()};
        const payload = Buffer.from(JSON.stringify({...claims, exp: now() + 300})).toString('base64url');
        return `${header}.${payload}.${signature}`;
      },
    ],
    [
      'without a signature',
      'wrong_answer',
      (nonce) => {
        const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
        const claims = {...verified, nonce, iss: provider.issuer, aud: 'standup', sub: 'x', iat: now()};
        return `${encode({alg: 'none'})}.${encode({...claims, exp: now() + 300})}.`;
      },
    ],
    ['that is malformed', 'wrong_answer', () => 'abc'],
  ])('is refused %s', async (_, problem, make) => {
    expect(await answerWith(make)).toBe(problem);
  });

  it.each<[string, (response: ServerResponse) => void]>([
    ['with an error of its own', (response) => void response.writeHead(502).end('Bad gateway')],
    [
      'with far too much',
      (response) =>
        void response.writeHead(200, {'content-type': 'application/json'}).end(' '.repeat(600_000)),
    ],
    ['not at all', (response) => void response.destroy()],
  ])('is not waited for when the provider answers %s', async (_, answer) => {
    const traveller = createTraveller();
    const back = await traveller.follow((await leave(traveller)).location);
    provider.pretend('/token', (_request, response) => answer(response));
    expect(problemOf(await comeBack(traveller, back))).toBe('provider_unavailable');
  });

  it('is requested at the address in the provider’s configuration, without following a redirect', async () => {
    const traveller = createTraveller();
    const back = await traveller.follow((await leave(traveller)).location);
    provider.pretend('/token', (_, response) =>
      response.writeHead(307, {location: `${bare.issuer}/token`}).end(),
    );
    const before = bare.asked.length;
    expect(problemOf(await comeBack(traveller, back))).toBe('provider_refused');
    expect(bare.asked).toHaveLength(before);
  });
});

describe('the permission for sensitive actions', () => {
  const powerful = ['tokens:manage', 'workspace:manage'];
  const powersOf = async (traveller: Traveller) => {
    const {body} = await token(traveller);
    return {powers: scopes.filter((one) => powerful.includes(one) && body.scopes.includes(one)), body};
  };

  it('is not granted to a session when the provider signed the person in earlier', async () => {
    provider.become('ada', verified, {ago: 3_600});
    const traveller = createTraveller();
    await travel(traveller);
    const {powers, body} = await powersOf(traveller);
    expect(powers).toEqual([]);
    expect(body.scopes).toContain('webhooks:manage');
    expect(Date.parse(body.confirmed_until)).toBeLessThanOrEqual(clock.now());
  });

  it('is granted to the session for 15 minutes after the person has signed in at the provider again', async () => {
    const traveller = createTraveller();
    await travel(traveller);
    expect((await powersOf(traveller)).powers).toEqual([]);
    const {out, home} = await travel(traveller, 'acme?confirm=1&to=/app/tokens');
    expect(Object.fromEntries(new URL(out.location).searchParams)).toMatchObject({
      prompt: 'login',
      max_age: '0',
    });
    expect(home.location).toBe('/app/tokens');
    const {powers, body} = await powersOf(traveller);
    expect(powers).toEqual(powerful);
    const minutes = (Date.parse(body.confirmed_until) - clock.now()) / 60_000;
    expect(Math.round(minutes)).toBe(15);
    await clock.advance(15 * 60_000);
    expect((await powersOf(traveller)).powers).toEqual([]);
  });

  it('is not granted when the provider did not ask again, and the earlier session continues', async () => {
    const traveller = createTraveller();
    await travel(traveller);
    const before = kept(traveller);
    provider.become('ada', verified, {ago: 3_600});
    const {home} = await travel(traveller, 'acme?confirm=1');
    expect(problemOf(home)).toBe('not_confirmed');
    expect(kept(traveller)).toBe(before);
    expect(await findSignedIn(traveller)).toBe(ada.id);
    // An attacker in the middle removes the parameters, so the provider does not say when the person signed
    // in.
    const without = (address: string) => {
      const changed = new URL(address);
      for (const name of ['prompt', 'max_age']) changed.searchParams.delete(name);
      return changed.href;
    };
    expect(problemOf((await travel(traveller, 'acme?confirm=1', without)).home)).toBe('not_confirmed');
  });
});

it('regression: confirming as another person is refused, and the first one stays signed in', async () => {
  const eve = await addPerson(service, workspace, {name: 'Eve'});
  const browser = await signedIn(service, workspace, eve.id);
  const traveller = createTraveller();
  traveller.cookies.set(url, new Map([['standup', browser.cookie?.split('=')[1] ?? '']]));
  const before = kept(traveller);
  const {home} = await travel(traveller, 'acme?confirm=1');
  expect(problemOf(home)).toBe('other_person');
  expect(kept(traveller)).toBe(before);
  expect(await findSignedIn(traveller)).toBe(eve.id);
});

describe('the page after a sign-in', () => {
  it.each(['/app', '/app/t/platform', '/app/t/platform?date=2026-11-22', '/app/people/mem_1?x=a,b&y=1'])(
    'may be %s',
    async (to) => {
      const {home} = await travel(createTraveller(), `acme?${new URLSearchParams({to})}`);
      expect(home.location).toBe(to);
    },
  );

  it.each([
    'https://evil.example/app',
    '//evil.example/app',
    '/\\evil.example',
    '/app/../\\evil.example',
    '/app/..//evil.example',
    '/app//evil.example',
    '/app/../v1/me',
    '/app/%2e%2e/docs',
    '/app\\..\\evil',
    '/application',
    '/app@evil.example',
    '/app/\r\nSet-Cookie: standup=x',
    '/app/\u0000',
    '/app#https://evil.example',
    '/app/sign-in',
    '/app/sign-in/acme',
    '/app/./sign-in/acme',
    'javascript:alert(1)',
    'app',
    '',
    `/app/${'x'.repeat(600)}`,
  ])('is the start page for %j', async (to) => {
    const {home} = await travel(createTraveller(), `acme?${new URLSearchParams({to})}`);
    expect(home.location).toBe('/app');
  });
});

it('at most a hundred sign-ins wait for a provider that does not answer, and further ones are refused at once', async () => {
  const waiting: (() => void)[] = [];
  const knownMember = () => ({workspace: asId<'workspace'>('w'), member: asId('m')});
  const slow: IdentityProvider = {
    id: 'slow',
    name: 'Slow',
    confirms: false,
    admits: () => true,
    findMember: async () => knownMember(),
    begin: async () => 'https://id.example.com/',
    finish: () => new Promise((_, reject) => waiting.push(() => reject(new SignInRefused('cancelled')))),
  };
  const none = async () => undefined;
  const context = {
    publicUrl: url,
    sessions: service.core.services.sessions,
    countFailure: none,
    remember: () => undefined,
    signIn: {
      providers: [slow],
      trips: {encrypt: (text: string) => text, decrypt: (encrypted: string) => encrypted},
      takeReturn: async () => true,
      countReturn: none,
      now: Date.now,
      generateSecret: () => 's',
    },
  };
  const given = context as unknown as DashboardContext;
  const handler = createSignInHandler(given, createBrowserSessions(given));
  const trip = JSON.stringify({provider: 'slow', state: 's', to: '/app', at: Date.now()});
  const request = {headers: {cookie: `standup-signin=${trip}`}} as DashboardRequest;
  const signInRequest = {deadline: performance.now() + 5_000, cookie: undefined, search: '?state=s'};
  const comeBackTo = async () => {
    const {location = ''} = await handler.handle(request, 'callback', signInRequest);
    return new URL(location, url).searchParams.get('problem');
  };
  const all = Array.from({length: processBounds.signIns}, comeBackTo);
  await until(() => waiting.length === processBounds.signIns, {what: 'a hundred wait'});
  expect(await comeBackTo()).toBe('unavailable');
  for (const end of waiting) end();
  expect(new Set(await Promise.all(all))).toEqual(new Set(['cancelled']));
});

describe('the configuration of a provider', () => {
  const configuration = '/.well-known/openid-configuration';
  const start = (of = bare) =>
    createIdentityProvider(
      {
        id: 'bare',
        name: 'Bare',
        confirms: true,
        usesPkce: true,
        issuer: of.issuer,
        clientId: 'standup',
        clientSecret: undefined,
        jwksUrl: of.jwksUrl,
        admits: () => true,
        findMember: async () => ({workspace: asId<'workspace'>('w'), member: asId('m')}),
      },
      {redirectUri: `${url}/app/sign-in/callback`, now: Date.now, wallNow: Date.now},
    );
  const trip = {state: 's', nonce: 'n', verifier: 'v'.repeat(43), confirm: false};
  const publish = (changes: object) =>
    bare.pretend(configuration, (_, response) => {
      const metadata = {
        issuer: bare.issuer,
        authorization_endpoint: `${bare.issuer}/auth`,
        token_endpoint: `${bare.issuer}/token`,
        jwks_uri: `${bare.issuer}/jwks`,
        ...changes,
      };
      response.writeHead(200, {'content-type': 'application/json'}).end(JSON.stringify(metadata));
    });
  afterEach(() => bare.pretend(configuration));

  it.each<[string, object, string?]>([
    ['another issuer', {issuer: 'https://id.example.com'}, 'wrong_answer'],
    ['no address for tokens', {token_endpoint: undefined}],
    ['an address within our own network', {token_endpoint: 'https://10.0.0.1/token'}],
    ['an address of a cloud that gives out keys', {userinfo_endpoint: 'https://169.254.169.254/me'}],
    ['an address on this machine', {token_endpoint: 'https://localhost/token'}],
    ['an address without encryption', {token_endpoint: 'http://id.example.com/token'}],
    ['an address that is a script', {authorization_endpoint: 'javascript:alert(1)'}],
  ])('is refused when it names %s', async (_, changes, problem = 'provider_unavailable') => {
    publish(changes);
    await expect(start().begin(trip)).rejects.toMatchObject({problem});
  });

  it('is accepted when it names addresses on other hosts, as at large providers', async () => {
    publish({token_endpoint: 'https://oauth2.example.com/token'});
    expect(await start().begin(trip)).toContain(`${bare.issuer}/auth?`);
  });

  it('is requested once for many sign-ins, and not again immediately after a failure', async () => {
    publish({});
    const calm = start();
    const asked = () => bare.asked.filter((path) => path === configuration).length;
    const before = asked();
    await Promise.all([1, 2, 3].map(() => calm.begin(trip)));
    await calm.begin(trip);
    expect(asked()).toBe(before + 1);
    bare.pretend(configuration, (_, response) => void response.writeHead(500).end());
    const poor = start();
    for (let i = 0; i < 3; i++) {
      await expect(poor.begin(trip)).rejects.toMatchObject({problem: 'provider_unavailable'});
    }
    expect(asked()).toBe(before + 2);
  });
});

describe('a failed sign-in', () => {
  it('is shown with the request id, and is logged with the same id and without a secret', async () => {
    provider.become('eve', {email: 'eve@example.com', email_verified: true});
    const traveller = createTraveller();
    const {out, back, home} = await travel(traveller, 'acme?to=/app/calendar');
    const parameters = Object.fromEntries(new URL(home.location, url).searchParams);
    expect(parameters).toEqual({
      problem: 'unknown_person',
      provider: 'acme',
      request: home.headers.get('x-request-id'),
      to: '/calendar',
    });
    const line = lines.find(({request_id: id}) => id === parameters['request']);
    expect(line).toMatchObject({
      operation: 'returnFromProvider',
      problem: 'unknown_person',
      provider: 'acme',
    });
    const written = JSON.stringify(lines);
    const secrets = ['state', 'nonce', 'code_challenge'].map((name) =>
      new URL(out.location).searchParams.get(name),
    );
    const code = new URL(back).searchParams.get('code');
    for (const secret of [...secrets, code, clientSecret, 'eve@example.com']) {
      expect(written).not.toContain(secret ?? 'missing');
    }
  });

  it('counts as a failed authentication, unless the person declines or the provider is unreachable', async () => {
    const strict = await startService({
      env: {
        RATE_LIMIT_AUTH_FAILURES: '3',
        TRUSTED_ISSUERS: JSON.stringify([
          rulesOf(provider, ['acme'], {id: 'acme', name: 'Acme', client_id: 'standup'}),
        ]),
      },
    });
    cleanUps.push(() => strict.close());
    for (let i = 0; i < 5; i++) {
      const traveller = createTraveller();
      const {location} = await traveller.go(`${strict.url}/app/sign-in/acme`);
      const state = new URL(location).searchParams.get('state') ?? '';
      const no = new URLSearchParams({error: 'access_denied', state, iss: provider.issuer});
      expect(problemOf(await traveller.go(`${strict.url}/app/sign-in/callback?${no}`))).toBe('cancelled');
    }
    const guess = (query: string) => createTraveller().go(`${strict.url}/app/sign-in/callback${query}`);
    for (let i = 0; i < 3; i++) expect(problemOf(await guess('?code=x&state=y'))).toBe('expired');
    const refused = await guess('?code=x&state=y');
    expect(problemOf(refused)).toBe('too_many_tries');
  });

  it('is allowed sixty times a minute from one network; further tries do not reach the provider', async () => {
    provider.pretend('/token', (_, response) => response.writeHead(400).end());
    const before = provider.asked.length;
    const startedAt = Date.now();
    let problem: string | undefined;
    for (let tries = 0; tries < 200 && problem !== 'too_many_tries'; tries++) {
      const traveller = createTraveller();
      const state = new URL((await leave(traveller)).location).searchParams.get('state') ?? '';
      const back = new URLSearchParams({code: 'x', state, iss: provider.issuer});
      problem = problemOf(await comeBack(traveller, `${url}/app/sign-in/callback?${back}`));
    }
    expect(problem).toBe('too_many_tries');
    const asked = provider.asked.slice(before).filter((path) => path === '/token').length;
    expect(asked).toBeGreaterThanOrEqual(60);
    // One more request is allowed for each second that the tries took.
    expect(asked).toBeLessThan(65 + (Date.now() - startedAt) / 1_000);
  });
});

it('the sign-in page contains the names of the providers as text without markup', async () => {
  const page = await (await fetch(`${url}/app/sign-in`)).text();
  const [, content = ''] = /<meta name="sign-in-providers" content="([^"]*)">/.exec(page) ?? [];
  const read = content.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&amp;', '&');
  expect(JSON.parse(read)).toEqual([
    {id: 'acme', name: 'Acme <SSO> & "Co"', confirms: true},
    {id: 'bare', name: 'Bare', confirms: true},
    {id: 'away', name: 'Acme <SSO> & "Co"', confirms: true},
  ]);
  expect(page).not.toContain('Acme <SSO>');
});

it('docs/dashboard.md lists exactly the problems of a sign-in, in the same words as the page', () => {
  const [, section = ''] = readFileSync('docs/dashboard.md', 'utf8').split('## When a sign-in does not work');
  const rows = [...(section.split('\n## ')[0]?.matchAll(/^\| `(\w+)` \| (.*) \|$/gm) ?? [])];
  expect(rows.map(([, code]) => code)).toEqual([...signInProblems]);
  for (const language of ['en', 'de']) {
    const {dashboard} = JSON.parse(readFileSync(`messages/${language}.json`, 'utf8'));
    const {problems} = dashboard.signIn;
    expect(Object.keys(problems)).toEqual(expect.arrayContaining([...signInProblems]));
    if (language === 'en') expect(rows.filter(([, code, text]) => problems[code ?? ''] !== text)).toEqual([]);
  }
});
