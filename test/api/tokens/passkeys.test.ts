import {afterAll, afterEach, beforeAll, beforeEach, describe, expect, it} from '@jest/globals';
import {lifetimes, limits} from '../../../src/domain/core/limits.js';
import {createSessionToken, passOf} from '../../dashboard/test-browser.js';
import {
  type Json,
  startService,
  type TestResponse,
  type TestService,
  type TestWorkspace,
} from '../../support/service.js';
import {createAuthenticator, type Lies} from '../../support/software-authenticator.js';
import type {TestClock} from '../../support/test-clock.js';
import {startTwins, type Twins} from '../../support/twins.js';
import {until} from '../../support/until.js';
import {expectProblem} from '../http/expect-problem.js';
import {addPerson, type Person} from '../people.js';
import {eventsOf} from '../samples.js';

const start = Date.parse('2026-11-23T09:00:00Z');

let twins: Twins;
let clock: TestClock;
let service: TestService;
let twin: TestService;
let workspace: TestWorkspace;
let ada: Person;
/** A token of Ada's session, in which she has just signed in. */
let session: string;

beforeAll(async () => {
  twins = await startTwins(start);
  ({clock, service, twin} = twins);
});

afterAll(() => twins.close());

beforeEach(async () => {
  workspace = await service.addWorkspace();
  ada = await addPerson(service, workspace, {name: 'Ada Lovelace', email: 'ada@example.com'});
  session = await createSessionToken(workspace, ada.id);
});

afterEach(() => clock.set(start));

const ask = (method: string, path: string, body?: Json, token = session): Promise<TestResponse> =>
  workspace.request(method, path, {token, ...(body !== undefined && {body})});
const begin = async (token = session): Promise<Json> =>
  (await ask('POST', '/v1/passkeys/challenge', undefined, token)).body;
const list = async (token = session): Promise<Json[]> =>
  (await ask('GET', '/v1/passkeys', undefined, token)).body.data;

/** The body with which a new device is added. */
async function prepare(lies: Lies = {}, token = session): Promise<Json> {
  const {ticket, public_key: options} = await begin(token);
  return {ticket, credential: createAuthenticator().create(options, lies)};
}

const add = async (lies?: Lies): Promise<TestResponse> => ask('POST', '/v1/passkeys', await prepare(lies));

describe('a passkey', () => {
  it('is added, listed, renamed and removed by its member, with an event each time', async () => {
    const first = (await eventsOf(workspace)).length;
    const {status, body, headers} = await add();
    expect(status).toBe(201);
    expect(body).toMatchObject({
      object: 'passkey',
      name: 'Firefox on Linux',
      holder: {type: 'member', id: ada.id},
      transports: ['internal'],
      backed_up: true,
      last_used_at: null,
    });
    expect(headers.get('location')).toBe(`/v1/passkeys/${body.id}`);
    const path = `/v1/passkeys/${body.id}`;
    expect((await ask('GET', path)).body).toEqual(body);
    expect(await list()).toEqual([body]);
    const renamed = await ask('PATCH', path, {name: 'Laptop'});
    expect(renamed.body).toMatchObject({name: 'Laptop', revision: 2});
    expect((await ask('DELETE', path)).status).toBe(204);
    expect(await list()).toEqual([]);
    expectProblem(await ask('GET', path), 'not_found');
    expect((await eventsOf(workspace)).slice(first).map(({type}: Json) => type)).toEqual([
      'passkey.created',
      'passkey.updated',
      'passkey.deleted',
    ]);
  });

  it('belongs to one member: no other one sees, renames or removes it', async () => {
    const {body} = await add();
    const owner = await addPerson(service, workspace, {name: 'Olga Owner', role: 'owner'});
    const other = await createSessionToken(workspace, owner.id);
    expect(await list(other)).toEqual([]);
    const path = `/v1/passkeys/${body.id}`;
    expectProblem(await ask('GET', path, undefined, other), 'not_found');
    expectProblem(await ask('PATCH', path, {name: 'Mine'}, other), 'not_found');
    expectProblem(await ask('DELETE', path, undefined, other), 'not_found');
    expect(await list()).toEqual([body]);
  });

  it('is removed with its member, and an erasure leaves nothing of it', async () => {
    await add();
    const {keys, uses} = await storedOf();
    expect({keys: keys.length, uses: uses.length}).toEqual({keys: 2, uses: 1});
    const removal = await workspace.request('DELETE', `/v1/members/${ada.id}?erase=true`);
    const at = removal.headers.get('location') ?? '';
    await until(async () => (await workspace.request('GET', at)).body.state === 'done', {
      what: 'the end of the erasure',
    });
    expect(await storedOf()).toEqual({keys: [], uses: []});
    const [created] = (await eventsOf(workspace)).filter(({type}: Json) => type === 'passkey.created');
    expect(created.data).toBeNull();
  });
});

/** The keys of the workspace that name a passkey, and the recorded uses. */
async function storedOf(): Promise<{keys: string[]; uses: string[]}> {
  const {call} = service.core.store.connection;
  const deadline = performance.now() + 5_000;
  const all = await call<string[]>(deadline, ['KEYS', `{${workspace.id}}:*`]);
  const keys: string[] = [];
  for (const key of all) {
    if (/:[rv]:/.test(key)) {
      const command = key.includes(':r:') ? 'GET' : 'HVALS';
      const text = JSON.stringify(await call(deadline, [command, key]));
      if (text.includes('credential_id')) keys.push(key);
    }
    if (key.includes(':l:passkeys:')) keys.push(key);
  }
  const uses = await call<string[]>(deadline, ['HKEYS', `{${workspace.id}}:k`]);
  return {keys, uses};
}

describe('the options for a new passkey', () => {
  it('ask for a device that verifies the person, by algorithms that every release of Node knows', async () => {
    const {body} = await add();
    const {name} = (await workspace.request('GET', '/v1/workspace')).body;
    const {public_key: options, expires_at: end} = await begin();
    expect(options).toMatchObject({
      rp: {id: 'localhost'},
      user: {name: `ada@example.com (${name})`, displayName: 'Ada Lovelace'},
      attestation: 'none',
      authenticatorSelection: {residentKey: 'required', userVerification: 'required'},
      excludeCredentials: [{type: 'public-key', id: body.credential_id, transports: ['internal']}],
    });
    expect(options.pubKeyCredParams.map(({alg}: Json) => alg)).toEqual([-8, -7, -257]);
    expect(Date.parse(end) - clock.now()).toBe(lifetimes.passkeyChallenge * 1_000);
    const handle = Buffer.from(options.user.id, 'base64url').toString();
    expect(handle).toBe(`${workspace.id}.${ada.id.slice(-16)}`);
  });
});

describe('adding a passkey', () => {
  it('is refused to every access token, since the passkey would outlive it', async () => {
    const {body} = await add();
    const path = `/v1/passkeys/${body.id}`;
    const requests: [string, string, Json?][] = [
      ['POST', '/v1/passkeys/challenge'],
      ['POST', '/v1/passkeys', await prepare()],
      ['GET', '/v1/passkeys'],
      ['GET', path],
      ['PATCH', path, {name: 'Theirs'}],
      ['DELETE', path],
    ];
    for (const [method, at, sent] of requests) {
      for (const token of [ada.token, workspace.token])
        expectProblem(await ask(method, at, sent, token), 'forbidden');
    }
    expect(await list()).toEqual([body]);
  });

  it('is refused to a session that has not confirmed for 15 minutes, or that another member made possible', async () => {
    await clock.set(start + lifetimes.confirmed * 1_000);
    const owner = await addPerson(service, workspace, {name: 'Olga Owner', role: 'owner'});
    const {url} = (
      await workspace.request('POST', '/v1/sign-in-links', {token: owner.token, body: {member: ada.id}})
    ).body;
    const {sessions} = service.core.services;
    const request = {deadline: performance.now() + 5_000};
    const link = await sessions.requireLink(passOf(url), request);
    const {pass} = await sessions.signIn(link, {name: 'Borrowed', instead: undefined}, request);
    const quota = {limits: {all: 0, writes: 0}, isWrite: false};
    const {token: borrowed} = await sessions.grantToken(
      await sessions.requireSession(pass, request),
      quota,
      request,
    );
    expectProblem(await ask('POST', '/v1/passkeys/challenge', undefined, borrowed), 'insufficient_scope');
    const own = {workspace: workspace.id, member: ada.id, confirmed: true};
    const made = await sessions.signInMember(own, {name: 'Old', instead: undefined}, request);
    await clock.set(start + 2 * lifetimes.confirmed * 1_000);
    const {token: late} = await sessions.grantToken(
      await sessions.requireSession(made.pass, request),
      quota,
      request,
    );
    expectProblem(await ask('POST', '/v1/passkeys/challenge', undefined, late), 'insufficient_scope');
  });

  it.each<[string, Lies]>([
    ['on another site', {origin: 'https://evil.example'}],
    ['at another port of the same host', {origin: 'http://localhost:8443'}],
    ['for another relying party', {rpId: 'evil.example'}],
    ['for another challenge', {challenge: 'q7Xn0m8kRZJ4cVtY2uPwLh5eKs9dGf3bTaMiNoQxUyE'}],
    ['by a signature for a sign-in', {type: 'webauthn.get'}],
    ['by a device that has not verified the person', {verified: false}],
    ['under the id of another credential', {id: 'AAAAAAAAAAAAAAAAAAAAAA'}],
  ])('is refused if it was created %s', async (_, lies) => {
    expectProblem(await add(lies), 'validation_failed', {pointer: '#/credential'});
    expect(await list()).toEqual([]);
  });

  it('needs a ticket that the same session got within 5 minutes', async () => {
    const eve = await addPerson(service, workspace, {name: 'Eve'});
    const theirs = await prepare({}, await createSessionToken(workspace, eve.id));
    const otherSession = await prepare({}, await createSessionToken(workspace, ada.id));
    const own = await prepare();
    const tickets = [theirs, otherSession, {...own, ticket: 'AAAA'}];
    for (const body of tickets)
      expectProblem(await ask('POST', '/v1/passkeys', body), 'validation_failed', {pointer: '#/ticket'});
    await clock.set(start + lifetimes.passkeyChallenge * 1_000);
    expectProblem(await ask('POST', '/v1/passkeys', own), 'validation_failed', {pointer: '#/ticket'});
    expect(await list()).toEqual([]);
  });

  it('happens once if the request is replayed, also in two processes at once', async () => {
    const body = await prepare();
    const send = (url: string, key: string) =>
      fetch(`${url}/v1/passkeys`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${session}`,
          'content-type': 'application/json',
          'idempotency-key': key,
        },
        body: JSON.stringify(body),
      }).then(({status}) => status);
    const both = await Promise.all([send(service.url, 'one'), send(twin.url, 'two')]);
    expect(both.toSorted()).toEqual([201, 422]);
    expectProblem(await ask('POST', '/v1/passkeys', body), 'validation_failed', {
      pointer: '#/credential/id',
    });
    expect(await list()).toHaveLength(1);
  });

  it(`is refused to a member who has ${limits.passkeysPerMember}, also of two requests at once`, async () => {
    for (let i = 1; i < limits.passkeysPerMember; i += 1) expect((await add()).status).toBe(201);
    const both = await Promise.all([add(), add()]);
    expect(both.map(({status}) => status).toSorted()).toEqual([201, 409]);
    expectProblem(await add(), 'limit_reached');
    expect(await list()).toHaveLength(limits.passkeysPerMember);
  });
});

it('the statement of a device about its maker is never read, since it can name addresses to ask', async () => {
  // A map with `x5c`, a list with one certificate of three bytes.
  const statement = Buffer.from([0xa1, 0x63, 0x78, 0x35, 0x63, 0x81, 0x43, 1, 2, 3]);
  expect((await add({statement})).status).toBe(201);
});

describe('a promotion', () => {
  const role = (change: Json, token: string) =>
    workspace.request('PATCH', `/v1/members/${ada.id}`, {token, body: change});

  it('ends the passkeys of a member whose address was set by a member without that role', async () => {
    const owner = await addPerson(service, workspace, {name: 'Olga Owner', role: 'owner'});
    const admin = await addPerson(service, workspace, {name: 'Adam Admin', role: 'admin'});
    await add();
    const prepared = await prepare();
    await role({email: 'adam.too@example.com'}, admin.token);
    await role({role: 'owner'}, owner.token);
    expectProblem(await ask('POST', '/v1/passkeys', prepared), 'invalid_token');
    const again = await createSessionToken(workspace, ada.id);
    expect(await list(again)).toEqual([]);
    const events = await eventsOf(workspace);
    expect(events.filter(({type}: Json) => type === 'passkey.deleted')).toHaveLength(1);
  });

  it('leaves the passkeys of a member as they are otherwise, as does a lower role', async () => {
    const owner = await addPerson(service, workspace, {name: 'Olga Owner', role: 'owner'});
    await add();
    await role({role: 'admin'}, owner.token);
    expect(await list()).toHaveLength(1);
    await role({role: 'member'}, owner.token);
    expect(await list(await createSessionToken(workspace, ada.id))).toHaveLength(1);
  });
});

it('where browsers allow no passkeys, none is added', async () => {
  const plain = await startService({env: {PUBLIC_URL: 'http://127.0.0.1:3000'}});
  try {
    const there = await plain.addWorkspace();
    const person = await addPerson(plain, there);
    const token = await createSessionToken(there, person.id);
    const answer = await there.request('POST', '/v1/passkeys/challenge', {token});
    expectProblem(
      {...answer, body: {...answer.body, type: 'http://localhost:1/problems/forbidden'}},
      'forbidden',
    );
    expect((await there.request('GET', '/v1/passkeys', {token})).body.data).toEqual([]);
  } finally {
    await plain.close();
  }
});
