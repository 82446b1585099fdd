import {afterAll, afterEach, beforeAll, beforeEach, describe, expect, it} from '@jest/globals';
import {lifetimes} from '../../src/domain/core/limits.js';
import {expectProblem} from '../api/http/expect-problem.js';
import {addPerson, type Person} from '../api/people.js';
import {eventsOf} from '../api/samples.js';
import {
  type Json,
  sendRequest,
  startService,
  type TestResponse,
  type TestService,
  type TestWorkspace,
} from '../support/service.js';
import {createAuthenticator} from '../support/software-authenticator.js';
import type {TestClock} from '../support/test-clock.js';
import {startTwins, type Twins} from '../support/twins.js';
import {createTestBrowser, makeLink, passOf, signedIn} from './test-browser.js';

const start = Date.parse('2026-11-23T09:00:00Z');

let twins: Twins;
let clock: TestClock;
let service: TestService;
let twin: TestService;
let workspace: TestWorkspace;
let owner: Person;
/** A function that a test sets, to stop the service at a step. */
let failpoint: (name: string) => void = () => undefined;
const lines: string[] = [];
const note = (fields: object, message: string) => void lines.push(JSON.stringify({...fields, message}));
const log = {debug: () => undefined, info: note, warn: note, error: note};

beforeAll(async () => {
  twins = await startTwins(start, {log, failpoint: (name) => failpoint(name)});
  ({clock, service, twin} = twins);
});

afterAll(() => twins.close());

beforeEach(async () => {
  workspace = await service.addWorkspace();
  owner = await addPerson(service, workspace, {name: 'Olga Owner', role: 'owner'});
});

afterEach(async () => {
  failpoint = () => undefined;
  await clock.set(start);
});

const key = 'k'.repeat(22);
const platform = [{team_id: 'platform'}];

async function makeInvite(body: Json = {}, {token}: {token: string} = owner): Promise<Json> {
  const answer = await workspace.request('POST', '/v1/invites', {token, body: {teams: platform, ...body}});
  if (answer.status !== 201) throw new Error(answer.text);
  const [made] = answer.body.data;
  return {id: made.id, link: passOf(made.url)};
}

const ask = (body: Json, {url} = service): Promise<TestResponse> =>
  createTestBrowser({url}).ask('POST', '/app/invite', {body});
const look = async (link: string): Promise<Json> => (await ask({link, look: true})).body;
const join = (link: string, more: Json = {}, from = service) =>
  ask({link, name: 'Grace Hopper', timezone: 'Europe/Berlin', key, ...more}, from);
const read = async (id: string): Promise<Json> => (await workspace.request('GET', `/v1/invites/${id}`)).body;
const members = async (): Promise<Json[]> =>
  (await workspace.request('GET', '/v1/members?limit=100')).body.data;
const membersNamed = async (name: string) => (await members()).filter((member) => member.name === name);
const inPlatform = async (): Promise<string[]> =>
  (await workspace.request('GET', '/v1/teams/platform/members')).body.data.map(
    ({member}: Json) => member.name,
  );

describe('a person without an account who joins by an invite', () => {
  it('is a member with the name and time zone they gave, in its teams, and signed in with every right of the role', async () => {
    const {link, id} = await makeInvite({emails: ['grace@example.com']});
    const browser = createTestBrowser(service);
    const body = {link, name: 'Grace Hopper', timezone: 'Europe/Berlin', key};
    const answer = await browser.ask('POST', '/app/invite', {body});
    expect(answer.status).toBe(201);
    expect(answer.headers.get('set-cookie')).toMatch(/HttpOnly.*SameSite=Strict/i);
    const {body: me} = await workspace.request('GET', '/v1/me', {token: await browser.token()});
    expect(me).toMatchObject({
      principal: {name: 'Grace Hopper'},
      teams: [{slug: 'platform', role: 'member'}],
    });
    expect(me.scopes).toContain('tokens:manage');
    expect(await membersNamed('Grace Hopper')).toMatchObject([
      {email: 'grace@example.com', role: 'member', timezone: 'Europe/Berlin', timezone_source: 'chosen'},
    ]);
    expect(await read(id)).toMatchObject({state: 'used', uses: 1, email: null});
    const events = (await eventsOf(workspace)).slice(-4);
    expect(events.map(({type}: Json) => type)).toEqual([
      'member.joined',
      'invite.accepted',
      'team.member_added',
      'token.created',
    ]);
    expect(events[1].data.accepted_by).toEqual({type: 'member', id: me.principal.id});
    expect(events[0].actor).toMatchObject({type: 'system', id: null, source: 'dashboard'});
  });

  it('gets e-mails in the language of their browser, or else in that of the invite', async () => {
    const {link} = await makeInvite({locale: 'de', max_uses: 3});
    const languages: Json = {};
    for (const [name, locale] of Object.entries({Browser: 'en', Invite: null})) {
      await join(link, {name, locale, key: name.padEnd(22, 'k')});
      languages[name] = (await membersNamed(name))[0]?.locale;
    }
    expect(languages).toEqual({Browser: 'en', Invite: 'de'});
  });

  it('reads first who invites them to what, which uses nothing up', async () => {
    const {link, id} = await makeInvite({emails: ['grace@example.com'], role: 'admin'});
    expect(await look(link)).toEqual({
      workspace: {id: workspace.id, slug: expect.any(String), name: expect.any(String)},
      state: 'open',
      email: 'g…@example.com',
      email_domain: null,
      role: 'admin',
      teams: [{id: workspace.team, slug: 'platform', name: expect.any(String), role: 'member'}],
      invited_by: 'Olga Owner',
      needs_code: false,
      needs_provider: false,
      providers: [],
      expires_at: '2026-11-30T09:00:00.000Z',
    });
    expect(await read(id)).toMatchObject({state: 'open', uses: 0, revision: 1});
    expect((await join(link)).status).toBe(201);
    expect(await membersNamed('Grace Hopper')).toMatchObject([{role: 'admin'}]);
  });

  it('gets its address only if its maker may set addresses, and as one that no owner has confirmed', async () => {
    const admin = await addPerson(service, workspace, {name: 'Adam', role: 'admin'});
    const lea = await addPerson(service, workspace, {name: 'Lea', team: 'platform', as: 'lead'});
    const makers = {owner, admin, lead: lea, 'service account': workspace};
    const emails: Json = {};
    for (const [i, [who, maker]] of Object.entries(makers).entries()) {
      const {link} = await makeInvite({emails: [`p${i}@example.com`]}, maker);
      expect((await join(link, {name: who})).status).toBe(201);
      const [{id, email} = {} as Json] = await membersNamed(who);
      const {records} = service.core.store;
      const suffix = id.slice(-16);
      const mark = await records.findName(workspace.id, 'unconfirmed', suffix, performance.now() + 5_000);
      emails[who] = [email, mark === undefined ? 'confirmed' : 'unconfirmed'];
    }
    expect(emails).toEqual({
      owner: ['p0@example.com', 'unconfirmed'],
      admin: ['p1@example.com', 'unconfirmed'],
      lead: [null, 'unconfirmed'],
      'service account': ['p3@example.com', 'unconfirmed'],
    });
  });

  it('regression: the person who used the link keeps no token when the member becomes an owner', async () => {
    const {link} = await makeInvite({emails: ['grace@example.com']});
    const thief = createTestBrowser(service);
    await thief.ask('POST', '/app/invite', {body: {link, name: 'Grace Hopper', key}});
    const made = await workspace.request('POST', '/v1/tokens', {
      token: await thief.token(),
      body: {name: 'kept'},
    });
    expect(made.status).toBe(201);
    const [{id} = {} as Json] = await membersNamed('Grace Hopper');
    await workspace.request('PATCH', `/v1/members/${id}`, {token: owner.token, body: {role: 'owner'}});
    const {status} = await workspace.request('GET', '/v1/me', {token: made.body.token});
    expect(status).toBe(401);
    expect((await thief.ask('POST', '/app/session/token')).status).toBe(401);
  });

  it.each(['lead', 'owner'].flatMap((maker) => ['admin', 'owner'].map((role) => [maker, role] as const)))(
    'regression: the person who used the link of a %s keeps no session and no passkey when the member becomes %s',
    async (maker, role) => {
      const lea = await addPerson(service, workspace, {name: 'Lea', team: 'platform', as: 'lead'});
      // A lead sets no address, and a link for several people has none.
      const {link} =
        maker === 'lead' ? await makeInvite({emails: ['grace@example.com']}, lea) : await makeInvite();
      const thief = createTestBrowser(service);
      await thief.ask('POST', '/app/invite', {body: {link, name: 'Grace Hopper', key}});
      const token = await thief.token();
      const {body: options} = await workspace.request('POST', '/v1/passkeys/challenge', {token});
      const device = createAuthenticator();
      const credential = device.create(options.public_key);
      const added = {ticket: options.ticket, credential};
      expect((await workspace.request('POST', '/v1/passkeys', {token, body: added})).status).toBe(201);
      const [{id} = {} as Json] = await membersNamed('Grace Hopper');
      const email = 'grace@example.com';
      await workspace.request('PATCH', `/v1/members/${id}`, {token: owner.token, body: {email}});
      const body = {role, email};
      const raised = await workspace.request('PATCH', `/v1/members/${id}`, {token: owner.token, body});
      expect(raised.body).toMatchObject({role, email});
      expect((await thief.ask('POST', '/app/session/token')).status).toBe(401);
      const {body: challenge} = await thief.ask('POST', '/app/session/passkey');
      const passkey = device.sign(challenge);
      expect((await thief.ask('POST', '/app/session', {body: {passkey}})).status).toBe(401);
    },
  );

  it('never signs in as the member who has the address by now', async () => {
    const {link, id} = await makeInvite({emails: ['grace@example.com']});
    const grace = await addPerson(service, workspace, {name: 'Grace', email: 'Grace@example.com'});
    expect((await look(link)).state).toBe('member');
    const answer = await join(link);
    expect(expectProblem(answer, 'forbidden').detail).toContain('Sign in instead');
    expect(answer.headers.get('set-cookie')).toBeNull();
    expect(await members()).toHaveLength(2);
    expect(await read(id)).toMatchObject({state: 'open'});
    expect((await members()).map((member) => member.id)).toContain(grace.id);
  });

  it('takes the last use alone: of two people in two processes one joins', async () => {
    const {link, id} = await makeInvite({max_uses: 2});
    expect((await join(link, {name: 'First', key: 'a'.repeat(22)})).status).toBe(201);
    const [one, other] = await Promise.all([
      join(link, {name: 'Second', key: 'b'.repeat(22)}),
      join(link, {name: 'Third', key: 'c'.repeat(22)}, twin),
    ]);
    expect([one.status, other.status].toSorted()).toEqual([201, 403]);
    expect(await members()).toHaveLength(3);
    expect(await read(id)).toMatchObject({state: 'used', uses: 2});
  });

  it('joins by a link even if 40 people join by it at once, in two processes', async () => {
    const {link, id} = await makeInvite({max_uses: 40});
    const answers = await Promise.all(
      Array.from({length: 41}, (_, i) =>
        join(link, {name: `P${i}`, key: String(i).padStart(22, 'k')}, i % 2 === 0 ? service : twin),
      ),
    );
    expect(answers.map(({status}) => status).toSorted()).toEqual([...Array(40).fill(201), 403]);
    expect(await read(id)).toMatchObject({state: 'used', uses: 40});
    expect(await members()).toHaveLength(41);
  });

  it('replaces the session of the browser', async () => {
    const {link} = await makeInvite();
    const lin = await addPerson(service, workspace, {name: 'Lin'});
    const browser = await signedIn(service, workspace, lin.id);
    const {cookie} = browser;
    const body = {link, name: 'Grace Hopper', key};
    expect((await browser.ask('POST', '/app/invite', {body})).status).toBe(201);
    const earlier = createTestBrowser(service);
    earlier.cookie = cookie;
    expect((await earlier.ask('POST', '/app/session/token')).status).toBe(401);
    const [, payload = ''] = (await browser.token()).split('.');
    expect(JSON.parse(Buffer.from(payload, 'base64url').toString()).sub).not.toBe(lin.id);
  });
});

describe('an answer that was lost', () => {
  it('is finished by the same key, with one member; another key reads that the invite was used', async () => {
    const {link} = await makeInvite({max_uses: 1});
    expect((await join(link)).status).toBe(201);
    expect((await join(link, {name: 'Another name'}, twin)).status).toBe(201);
    const other = await join(link, {key: 'o'.repeat(22)});
    expect(expectProblem(other, 'forbidden').detail).toBe('This invite was already used.');
    expect(await members()).toHaveLength(2);
  });

  it('is finished for 10 minutes, since a key is no lasting way in', async () => {
    const {link} = await makeInvite({max_uses: 1});
    await join(link);
    await clock.advance(lifetimes.signInLink * 1_000);
    expectProblem(await join(link), 'forbidden');
  });

  it('is not finished once the member has another role: a link of a member signs in no owner', async () => {
    const {link} = await makeInvite({max_uses: 1});
    await join(link);
    const [grace] = await membersNamed('Grace Hopper');
    await workspace.request('PATCH', `/v1/members/${grace.id}`, {token: owner.token, body: {role: 'owner'}});
    expectProblem(await join(link), 'forbidden');
  });

  it('is not finished in a team from which the person was removed', async () => {
    const {link} = await makeInvite({max_uses: 1});
    await join(link);
    const [{id} = {} as Json] = await membersNamed('Grace Hopper');
    await workspace.request('DELETE', `/v1/teams/platform/members/${id}`);
    expect((await join(link)).status).toBe(201);
    expect(await inPlatform()).toEqual([]);
  });

  // The commits of an acceptance: the member with the use and the teams, and the session.
  it.each([1, 2].flatMap((commit) => ['before', 'after'].map((side) => [side, commit] as const)))(
    'leaves nothing half done if the process dies %s commit %i',
    async (side, commit) => {
      const {link, id} = await makeInvite({max_uses: 1});
      let left = commit;
      failpoint = (name) => {
        if (name !== `${side}-commit`) return;
        left -= 1;
        if (left === 0) throw new Error('The process has died.');
      };
      expect((await join(link)).status).toBe(500);
      failpoint = () => undefined;
      const browser = createTestBrowser(twin);
      const body = {link, name: 'Grace Hopper', key};
      expect((await browser.ask('POST', '/app/invite', {body})).status).toBe(201);
      await browser.token();
      expect(await membersNamed('Grace Hopper')).toHaveLength(1);
      expect(await inPlatform()).toEqual(['Grace Hopper']);
      expect(await read(id)).toMatchObject({state: 'used', uses: 1});
      const types = (await eventsOf(workspace)).map(({type}: Json) => type);
      for (const once of ['member.joined', 'invite.accepted', 'team.member_added'])
        expect(types.filter((type: string) => type === once)).toHaveLength(once === 'member.joined' ? 2 : 1);
    },
  );
});

describe('the link of an invite', () => {
  it('that is unknown, malformed or of another kind gets one answer, and counts as a failed authentication', async () => {
    const redisUrl = service.redisUrl;
    const strict = await startService({redisUrl, time: clock.time, env: {RATE_LIMIT_AUTH_FAILURES: '8'}});
    try {
      const {link} = await makeInvite();
      const [id = '', suffix = '', secret = ''] = link.split('.');
      const signIn = passOf(await makeLink(workspace, owner.id));
      const texts = new Set<string>();
      for (const wrong of [
        'x',
        '',
        link.slice(0, -1),
        `${link}.`,
        `${id}.${suffix}.${'A'.repeat(43)}`,
        `ws_01jd0000007000000000000001.${suffix}.${secret}`,
        signIn,
        `${id}.${suffix}.${secret}`.toUpperCase(),
      ]) {
        const answer = await ask({link: wrong, look: true}, strict);
        texts.add(expectProblem(answer, 'invalid_token').detail);
        expect(answer.headers.get('set-cookie')).toBeNull();
      }
      expect([...texts]).toEqual(['This link is not known here. Check that you copied all of it.']);
      expectProblem(await join(`${id}.${suffix}.${'B'.repeat(43)}`, {}, strict), 'rate_limited');
      expect((await createTestBrowser(service).signIn(`#${link}`)).status).toBe(401);
    } finally {
      await strict.close();
    }
  });

  it('is used by nothing that only opens it: no GET, HEAD, OPTIONS or preview', async () => {
    const {link, id} = await makeInvite({max_uses: 1});
    for (const method of ['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']) {
      for (const path of ['/app/join', `/app/join?link=${link}`, '/app/invite', `/app/invite/${link}`])
        await sendRequest(service.url, method, path, {});
    }
    expect(await read(id)).toMatchObject({state: 'open', uses: 0});
  });

  it('is in no line of the log, and neither is the name of who joined', async () => {
    const {link} = await makeInvite();
    await join(link, {name: 'Nameinlog'});
    const all = lines.join('\n');
    expect(all).toContain('joinByInvite');
    expect(all).not.toContain(link.split('.')[2]);
    expect(all).not.toContain('Nameinlog');
  });

  it('says what has become of the invite, as long as it is kept', async () => {
    const {link, id} = await makeInvite({emails: ['grace@example.com']});
    const lea = await addPerson(service, workspace, {name: 'Lea', team: 'platform', as: 'lead'});
    const blocked = await makeInvite({}, lea);
    await workspace.request('PUT', `/v1/teams/platform/members/${lea.id}`, {body: {role: 'member'}});
    expect((await look(blocked.link)).state).toBe('blocked');
    expectProblem(await join(blocked.link), 'forbidden');
    await workspace.request('DELETE', `/v1/invites/${id}`);
    expect(await look(link)).toMatchObject({state: 'revoked', invited_by: 'Olga Owner'});
    expectProblem(await join(link), 'forbidden');
    const late = await makeInvite();
    await clock.advance(8 * 86_400_000);
    expect((await look(late.link)).state).toBe('expired');
    expectProblem(await join(late.link), 'forbidden');
  });
});

describe('a request to join', () => {
  it.each<[string, Json]>([
    ['name', {name: ''}],
    ['name', {name: 'a'.repeat(81)}],
    ['name', {name: 'Grace\u0000'}],
    ['name', {name: 7}],
    ['timezone', {timezone: 'Mars/Olympus'}],
    ['timezone', {timezone: ['Europe/Berlin']}],
    ['locale', {locale: 'fr'}],
    ['locale', {locale: ['de']}],
    ['key', {key: 'short'}],
    ['key', {key: {toString: 1}}],
    ['link', {link: 7}],
    ['look', {look: 'yes'}],
  ])('is refused for a wrong %s, and uses nothing up: %j', async (field, wrong) => {
    const {link, id} = await makeInvite();
    expectProblem(await join(link, wrong), 'validation_failed', {pointer: `#/${field}`});
    expect(await read(id)).toMatchObject({uses: 0});
  });

  it.each([
    '<script>alert(1)</script>',
    '=HYPERLINK("x")',
    '\u{1F469}\u200D\u{1F4BB} Ada',
    'https://evil.example',
  ])('stores the name %j as it is', async (name) => {
    const {link} = await makeInvite();
    expect((await join(link, {name})).status).toBe(201);
    expect(await membersNamed(name)).toHaveLength(1);
  });
});
