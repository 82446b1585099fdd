import {afterAll, beforeAll, beforeEach, describe, expect, it} from '@jest/globals';
import {expectProblem} from '../api/http/expect-problem.js';
import {addPerson, type Person} from '../api/people.js';
import {findFreePort} from '../support/free-port.js';
import {type Json, startService, type TestService, type TestWorkspace} from '../support/service.js';
import {clientSecret, type SignInProvider, startSignInProvider} from '../support/sign-in-provider.js';
import {passOf} from './test-browser.js';
import {createTraveller, type Traveller} from './traveller.js';

let provider: SignInProvider;
let service: TestService;
let workspace: TestWorkspace;
let owner: Person;
let url: string;
let people = 0;
let email: string;
const lines: string[] = [];
const note = (...said: unknown[]) => void lines.push(JSON.stringify(said));
const log = {debug: note, info: note, warn: note, error: note};

beforeAll(async () => {
  const port = String(await findFreePort());
  url = `http://localhost:${port}`;
  provider = await startSignInProvider(`${url}/app/sign-in/callback`);
  const {issuer, jwksUrl} = provider;
  const signIn = {id: 'acme', name: 'Acme', client_id: 'standup', client_secret: clientSecret};
  const rules = {issuer, audience: 'standup', jwks_url: jwksUrl, workspaces: ['acme'], sign_in: signIn};
  const env = {PORT: port, PUBLIC_URL: url, TRUSTED_ISSUERS: JSON.stringify([rules]), ROLES: 'web'};
  const limits = {RATE_LIMIT_AUTH_FAILURES: '0'};
  service = await startService({log, mail: 'sent', env: {...env, ...limits}});
  workspace = await service.addWorkspace('Acme');
  owner = await addPerson(service, workspace, {name: 'Olga Owner', role: 'owner'});
});

afterAll(async () => {
  await service.close();
  await provider.close();
});

beforeEach(() => {
  people += 1;
  email = `grace${people}@example.com`;
  become({});
});

const become = (more: Json) =>
  provider.become(`grace${people}`, {email, email_verified: true, name: 'Grace Hopper', ...more});

async function makeLink(body: Json = {}, from = workspace, by = owner): Promise<{link: string; id: string}> {
  const all = {teams: [{team_id: 'platform'}], ...body};
  const answer = await from.request('POST', '/v1/invites', {token: by.token, body: all});
  const [{id, url: address}] = answer.body.data;
  return {link: passOf(address), id};
}

/** Invites an address. The link is only in a mail; the provider proves the address without it. */
async function inviteAddress(body: Json): Promise<{link: string; id: string}> {
  const {data} = (await workspace.request('POST', '/v1/invites', {token: owner.token, body})).body;
  const {mails} = service.core.store;
  const deadline = performance.now() + 5_000;
  const [mail] = (await mails.list(workspace.id, {limit: 1}, deadline)).mails;
  if (mail === undefined) throw new Error('no mail');
  const encrypted = await mails.findSecret(workspace.id, mail.suffix, deadline);
  const {compose} = service.core.services.mails;
  const composed = await compose({workspace: workspace.id, deadline}, mail, encrypted);
  return {link: passOf(composed?.content.url ?? ''), id: data[0].id};
}

const key = () => `${people}`.padStart(22, 'k');
const ask = (traveller: Traveller, body: Json) => traveller.ask(url, '/app/invite', 'POST', body);
const leave = (traveller: Traveller, link: string) =>
  ask(traveller, {link, provider: 'acme', timezone: 'Europe/Berlin', locale: 'de', key: key()});

/** Goes to the provider with an invite, and comes back. Returns where the way ends. */
async function travel(link: string, {between = async () => {}, traveller = createTraveller()} = {}) {
  const {status, body} = await leave(traveller, link);
  expect(status).toBe(200);
  const back = await traveller.follow(body.location);
  await between();
  const home = await traveller.go(back, {'sec-fetch-site': 'cross-site'});
  const {pathname, searchParams} = new URL(home.location, url);
  return {at: pathname, problem: searchParams.get('problem'), home, traveller, back};
}

const findGrace = async (): Promise<Json[]> =>
  (await workspace.request('GET', '/v1/members?limit=100')).body.data.filter(
    (member: Json) => member.email === email,
  );
const readInvite = async (id: string): Promise<Json> =>
  (await workspace.request('GET', `/v1/invites/${id}`)).body;

describe('a person without an account who continues with an identity provider', () => {
  it('joins by a link with the address that the provider has verified, without a code', async () => {
    const {link, id} = await makeLink();
    const {home, traveller} = await travel(link);
    expect(home.location).toBe('/app/join?joined=1');
    const [grace] = await findGrace();
    expect(grace).toMatchObject({
      name: 'Grace Hopper',
      role: 'member',
      timezone: 'Europe/Berlin',
      locale: 'de',
      email_status: 'proven',
    });
    expect(await readInvite(id)).toMatchObject({uses: 1, state: 'open'});
    const {body} = await traveller.ask(url, '/app/session/token');
    expect(body.scopes).toContain('tokens:manage');
    const me = await workspace.request('GET', '/v1/me', {token: body.token});
    expect(me.body.teams).toMatchObject([{slug: 'platform', role: 'member'}]);
  });

  it('joins by the invite of the same address, with its role', async () => {
    const {link, id} = await inviteAddress({emails: [email], role: 'admin'});
    become({email: email.toUpperCase()});
    expect((await travel(link)).problem).toBeNull();
    const {body} = await workspace.request('GET', '/v1/members?q=grace&limit=100');
    const grace = body.data.find((member: Json) => member.email?.toLowerCase() === email);
    expect(grace).toMatchObject({role: 'admin', email_status: 'proven'});
    expect(await readInvite(id)).toMatchObject({state: 'used'});
    const {records} = service.core.store;
    const deadline = performance.now() + 5_000;
    expect(
      await records.findName(workspace.id, 'unconfirmed', grace.id.slice(-16), deadline),
    ).toBeUndefined();
  });

  it('is refused with another address than that of the invite, which stays open', async () => {
    const {link, id} = await inviteAddress({emails: [email]});
    become({email: `other${people}@example.com`});
    const {at, problem, traveller} = await travel(link);
    expect([at, problem]).toEqual(['/app/join', 'other_address']);
    expect(traveller.cookie(url, 'standup')).toBeUndefined();
    expect(await findGrace()).toEqual([]);
    expect(await readInvite(id)).toMatchObject({state: 'open', uses: 0});
  });

  it.each(['g@sub.example.com', 'g@example.com.evil.test', 'g@evil.test'])(
    'is refused by a link of a domain with the address %s',
    async (other) => {
      const {link} = await makeLink({email_domain: 'example.com'});
      become({email: other});
      expect((await travel(link)).problem).toBe('other_address');
      become({});
      expect((await travel(link)).problem).toBeNull();
    },
  );

  it('is refused with an address that the provider has not verified', async () => {
    const {link} = await makeLink();
    become({email_verified: false});
    const {at, problem} = await travel(link);
    expect([at, problem]).toEqual(['/app/join', 'email_not_verified']);
    expect(await findGrace()).toEqual([]);
  });

  it.each([undefined, '', 'x'.repeat(200), 'Grace\u0007'])(
    'has the first part of the address as a name if the provider tells %j',
    async (name) => {
      become({name});
      const {link} = await makeLink();
      expect((await travel(link)).problem).toBeNull();
      expect(await findGrace()).toMatchObject([{name: `grace${people}`}]);
    },
  );

  it.each([
    'no address',
    `${'x'.repeat(300)}@example.com`,
    'grace@example.com, victim@example.com',
    '"a, victim@example.com"@example.com',
    'grace\u0000@example.com',
    'grace@example.com\r\nBcc: victim@example.com',
  ])('regression: is refused if what the provider has verified is no address: %j', async (wrong) => {
    const {link, id} = await makeLink();
    become({email: wrong});
    const {at, problem} = await travel(link);
    expect([at, problem]).toEqual(['/app/join', 'email_not_verified']);
    expect(await readInvite(id)).toMatchObject({uses: 0});
  });

  it('regression: is not signed in as another person who has joined in the same tab', async () => {
    const {link, id} = await makeLink();
    const first = await travel(link);
    expect(first.problem).toBeNull();
    become({email: `other${people}@example.com`, name: 'Otto Other'});
    const second = await travel(link);
    expect(second.problem).toBeNull();
    const {body} = await second.traveller.ask(url, '/app/session/token');
    const me = await workspace.request('GET', '/v1/me', {token: body.token});
    expect(me.body.principal.name).toBe('Otto Other');
    expect(await readInvite(id)).toMatchObject({uses: 2});
  });

  it.each([
    ['\u200b', '?'],
    [`${'a'.repeat(79)}😀b`, 'a'.repeat(79)],
  ])('regression: has a name that can be read if the address begins with %j', async (local, shown) => {
    email = `${local}@example.com`;
    become({name: undefined});
    const {link} = await makeLink();
    expect((await travel(link)).problem).toBeNull();
    expect(await findGrace()).toMatchObject([{name: shown}]);
  });

  it('is one member after a lost answer: the second way signs in', async () => {
    const {link, id} = await makeLink();
    const {back, traveller} = await travel(link);
    const again = await traveller.go(back, {'sec-fetch-site': 'cross-site'});
    expect(new URL(again.location, url).searchParams.get('problem')).toBe('expired');
    const second = await travel(link);
    expect([second.at, second.problem]).toEqual(['/app/join', null]);
    expect(second.traveller.cookie(url, 'standup')).toBeDefined();
    expect(await findGrace()).toHaveLength(1);
    expect(await readInvite(id)).toMatchObject({uses: 1});
  });

  it('takes the last use alone: of two at once one joins', async () => {
    const {link, id} = await makeLink({max_uses: 1});
    const [one, two] = [createTraveller(), createTraveller()];
    const backs: string[] = [];
    for (const traveller of [one, two]) {
      provider.become(`${email}${backs.length}`, {email: `${backs.length}${email}`, email_verified: true});
      const {body} = await ask(traveller, {link, provider: 'acme', key: `${backs.length}`.repeat(22)});
      backs.push(await traveller.follow(body.location));
    }
    const homes = await Promise.all(
      [one, two].map((traveller, i) => traveller.go(backs[i] ?? '', {'sec-fetch-site': 'cross-site'})),
    );
    expect(homes.map(({location}) => location.replace(/&.*/, '')).toSorted()).toEqual([
      '/app/join?joined=1',
      '/app/join?problem=other_address',
    ]);
    expect(await readInvite(id)).toMatchObject({uses: 1, state: 'used'});
  });

  it.each<[string, (id: string, maker: Person) => Promise<unknown>]>([
    ['was ended', (id) => workspace.request('DELETE', `/v1/invites/${id}`)],
    [
      'has a maker who may no longer give it',
      (_, maker) => workspace.request('PATCH', `/v1/members/${maker.id}`, {body: {role: 'member'}}),
    ],
    [
      'has a maker who was removed',
      (_, maker) => workspace.request('DELETE', `/v1/members/${maker.id}?erase=true`),
    ],
  ])('is refused if meanwhile the invite %s', async (_, change) => {
    const maker = await addPerson(service, workspace, {name: 'Mary Maker', role: 'admin'});
    const {link, id} = await makeLink({}, workspace, maker);
    const {at, problem} = await travel(link, {between: () => change(id, maker).then(() => undefined)});
    expect([at, problem]).toEqual(['/app/join', 'other_address']);
    expect(await findGrace()).toEqual([]);
  });
});

describe('a member who continues with an identity provider at an invite', () => {
  it('is signed in and comes back to the invite, which is not used up', async () => {
    const grace = await addPerson(service, workspace, {name: 'Grace', email});
    const {link, id} = await makeLink();
    const {home, traveller} = await travel(link);
    expect(home.location).toBe('/app/join');
    const {body} = await traveller.ask(url, '/app/session/token');
    const me = await workspace.request('GET', '/v1/me', {token: body.token});
    expect(me.body.principal.id).toBe(grace.id);
    expect(await readInvite(id)).toMatchObject({uses: 0});
  });
});

describe('the way through an identity provider with an invite', () => {
  it('is offered only where the provider speaks for the workspace, and admits no one elsewhere', async () => {
    const other = await service.addWorkspace('Elsewhere');
    const theirs = await addPerson(service, other, {name: 'Otto Owner', role: 'owner'});
    const {link} = await makeLink({teams: []}, other, theirs);
    const own = await makeLink();
    const look = (of: string) => ask(createTraveller(), {link: of, look: true});
    expect((await look(own.link)).body.providers).toEqual(['acme']);
    expect((await look(link)).body.providers).toEqual([]);
    expect((await travel(link)).problem).toBe('unknown_workspace');
  });

  it('begins for no unknown link or provider', async () => {
    const {link} = await makeLink();
    const traveller = createTraveller();
    expectProblem(await leave(traveller, `${link.slice(0, -43)}${'A'.repeat(43)}`), 'invalid_token');
    const {body} = await ask(traveller, {link, provider: 'nobody', key: key()});
    expect(body.location).toMatch(/^\/app\/join\?problem=unknown_provider/);
    expect(traveller.cookie(url, 'standup-signin')).toBeUndefined();
    const wrong = await ask(traveller, {link, provider: 7, key: key()});
    expectProblem(wrong, 'validation_failed', {pointer: '#/provider'});
    expectProblem(await ask(traveller, {link, provider: 'acme'}), 'validation_failed', {pointer: '#/key'});
  });

  it('regression: takes only the id of a provider, so that nothing else gets into the log and the address', async () => {
    const {link} = await makeLink();
    lines.length = 0;
    for (const provider of ['x'.repeat(41), 'Acme\n', 'you-won at evil.example']) {
      const answer = await ask(createTraveller(), {link, provider, key: key()});
      expectProblem(answer, 'validation_failed', {pointer: '#/provider'});
      expect(lines.join('')).not.toContain(provider.trim());
    }
  });

  it('shows the link to no one: not in the cookie, an address or the log', async () => {
    const {link} = await makeLink();
    const secret = link.split('.').at(-1) ?? '';
    lines.length = 0;
    const traveller = createTraveller();
    const {body} = await leave(traveller, link);
    const cookie = traveller.cookie(url, 'standup-signin') ?? '';
    const back = await traveller.follow(body.location);
    const home = await traveller.go(back, {'sec-fetch-site': 'cross-site'});
    const said = [body.location, cookie, Buffer.from(cookie, 'base64').toString('latin1'), back, ...lines];
    expect(said.filter((one) => one.includes(secret))).toEqual([]);
    expect(home.location).not.toContain(secret);
    expect(lines.join('')).not.toContain('Grace Hopper');
  });

  it('keeps no one who came without an invite: they stay unknown', async () => {
    const traveller = createTraveller();
    const out = await traveller.go(`${url}/app/sign-in/acme?to=/app/join`);
    const back = await traveller.follow(out.location);
    const home = await traveller.go(back, {'sec-fetch-site': 'cross-site'});
    expect(home.location).toMatch(/^\/app\/sign-in\?problem=unknown_person/);
    expect(await findGrace()).toEqual([]);
  });
});
