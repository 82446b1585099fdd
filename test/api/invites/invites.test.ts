import {afterAll, afterEach, beforeAll, beforeEach, describe, expect, it} from '@jest/globals';
import {randomBytes} from 'node:crypto';
import {createIdSource} from '../../../src/api/http/request-id.js';
import {createCallByService, scopes} from '../../../src/domain/core/access.js';
import {createInvites} from '../../../src/service/invites/invites.js';
import {createSessionToken, createTestBrowser} from '../../dashboard/test-browser.js';
import {dumpRedis} from '../../store/dump.js';
import {type Json, type TestService, type TestWorkspace} from '../../support/service.js';
import {createTestContext} from '../../support/service-context.js';
import type {TestClock} from '../../support/test-clock.js';
import {startTwins, type Twins} from '../../support/twins.js';
import {until} from '../../support/until.js';
import {expectProblem} from '../http/expect-problem.js';
import {addPerson, type Person} from '../people.js';
import {eventsOf} from '../samples.js';

const dayMs = 86_400_000;
const start = Date.parse('2026-11-23T09:00:00Z');

let twins: Twins;
let clock: TestClock;
let service: TestService;
let twin: TestService;
let workspace: TestWorkspace;
let owner: Person;

beforeAll(async () => {
  twins = await startTwins(start);
  ({clock, service, twin} = twins);
});

afterAll(() => twins.close());

beforeEach(async () => {
  workspace = await service.addWorkspace();
  owner = await addPerson(service, workspace, {name: 'Olga Owner', role: 'owner'});
});

afterEach(() => clock.set(start));

const platform = [{team_id: 'platform'}];
const invite = (body: Json, {token = owner.token, ...headers}: Record<string, string> = {}) =>
  workspace.request('POST', '/v1/invites', {token, body, headers});
const linkOf = ({url}: Json): string => url.split('#')[1];
const accept = (link: string, {token}: Pick<Person, 'token'>) =>
  workspace.request('POST', '/v1/invites/accept', {token, body: {link}});
const read = async (id: string, token = owner.token): Promise<Json> =>
  (await workspace.request('GET', `/v1/invites/${id}`, {token})).body;
const listed = async (query = '', token = owner.token): Promise<Json[]> =>
  (await workspace.request('GET', `/v1/invites${query}`, {token})).body.data;
const typesOf = async (): Promise<string[]> =>
  (await eventsOf(workspace))
    .map(({type}: Json) => type)
    .filter((type: string) => type.startsWith('invite.'));
const teamsOf = async ({token}: Person): Promise<Json[]> =>
  (await workspace.request('GET', '/v1/me', {token})).body.teams;

describe('an invite', () => {
  it('is created for each address, and only this answer and its repeats show the link', async () => {
    const body = {emails: ['Grace@Example.com', 'lin@example.com', 'grace@example.com'], teams: platform};
    const [first, again] = [
      await invite(body, {'idempotency-key': 'one'}),
      await invite(body, {'idempotency-key': 'one'}),
    ];
    expect(first.status).toBe(201);
    expect(first.body).toMatchObject({
      data: [
        {
          email: 'Grace@example.com'.toLowerCase(),
          role: 'member',
          teams: [{team_id: workspace.team, role: 'member'}],
          max_uses: 1,
          uses: 0,
          state: 'open',
          expires_at: '2026-11-30T09:00:00.000Z',
          created_by: {type: 'member', id: owner.id},
          issued_by: [],
          url: expect.stringMatching(/\/app\/join#ws_[0-9a-z]{26}\.[0-9a-z]{16}\.[\w-]{43}$/),
        },
        {email: 'lin@example.com'},
      ],
      skipped: [],
    });
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(JSON.stringify(await listed())).not.toContain('#');
    const {text} = await dumpRedis(service.redisUrl);
    for (const {url} of first.body.data) expect(text).not.toContain(url.split('.').at(-1));
    expect(await typesOf()).toEqual(['invite.created', 'invite.created']);
    expect((await read(first.body.data[0].id)).created_by).toEqual({
      type: 'member',
      id: owner.id,
      name: 'Olga Owner',
    });
  });

  it('replaces the open invite to the same address in one step, even from two processes at once', async () => {
    const [one] = (await invite({emails: ['grace@example.com']})).body.data;
    const body = {emails: ['GRACE@example.com']};
    const both = await Promise.all(
      [service, twin].map(async ({core}) =>
        core.services.invites.createInvites(
          {...workspace.operator(), principal: {type: 'member', id: owner.id, name: 'Olga'}},
          body,
        ),
      ),
    );
    expect(both).toHaveLength(2);
    expect((await read(one.id)).state).toBe('revoked');
    expect(await listed('?email=Grace%40example.com')).toHaveLength(1);
    expect((await typesOf()).filter((type) => type === 'invite.revoked')).toHaveLength(2);
  });

  it('stays open when a lead who did not create it invites the same address', async () => {
    const lea = await addPerson(service, workspace, {name: 'Lea', team: 'platform', as: 'lead'});
    const body = {emails: ['grace@example.com'], teams: platform};
    const [ofOwner] = (await invite(body)).body.data;
    const [first] = (await invite(body, {token: lea.token})).body.data;
    const [second] = (await invite(body, {token: lea.token})).body.data;
    expect((await read(ofOwner.id)).state).toBe('open');
    expect((await read(first.id)).state).toBe('revoked');
    await clock.advance(dayMs);
    await invite(body);
    expect((await read(second.id)).state).toBe('revoked');
  });

  it('regression: needs the scope that reads members for each address, since the answer says which are members', async () => {
    const lea = await addPerson(service, workspace, {name: 'Lea', team: 'platform', as: 'lead'});
    const lin = await addPerson(service, workspace, {name: 'Lin', email: 'lin@example.com'});
    const body = {emails: ['lin@example.com'], teams: platform};
    const token = async (given: string[]) => {
      const made = {name: 'narrow', scopes: given};
      return (await workspace.request('POST', '/v1/tokens', {token: lea.token, body: made})).body.token;
    };
    const narrow = await token(['members:write']);
    expectProblem(await invite(body, {token: narrow}), 'insufficient_scope');
    expect((await invite({teams: platform}, {token: narrow})).status).toBe(201);
    const wide = await token(['members:write', 'members:read']);
    const {skipped} = (await invite(body, {token: wide})).body;
    const found = await workspace.request('GET', '/v1/members?email=lin@example.com', {token: wide});
    expect([skipped[0].member_id, found.body.data[0].id]).toEqual([lin.id, lin.id]);
  });

  it('passes over members, however their address is spelt, and says who they are', async () => {
    const lin = await addPerson(service, workspace, {name: 'Lin', email: 'lin@bücher.example'});
    const {body} = await invite({emails: ['Lin@xn--bcher-kva.example', 'grace@example.com']});
    expect(body.data).toMatchObject([{email: 'grace@example.com'}]);
    expect(body.skipped).toEqual([{email: 'lin@xn--bcher-kva.example', reason: 'member', member_id: lin.id}]);
    const none = await invite({emails: ['lin@bücher.example']}, {'idempotency-key': 'none'});
    expect(none.body).toMatchObject({data: [], skipped: [{member_id: lin.id}]});
    expect((await invite({emails: ['lin@bücher.example']}, {'idempotency-key': 'none'})).body).toEqual(
      none.body,
    );
  });

  it.each([
    'grace@example.com,eve@evil.example',
    '"grace"@example.com',
    'grace@example.com\r\nBcc: eve@evil.example',
    'Grace <grace@example.com>',
    'grace@exam ple.com',
    '@example.com',
    'grace@',
    `${'g'.repeat(250)}@example.com`,
  ])('is not made for %j, which is no single address', async (address) => {
    expectProblem(await invite({emails: [address]}), 'validation_failed', {pointer: '#/emails/0'});
  });

  it.each<[string, Json, string]>([
    ['no address', {emails: []}, '#/emails'],
    ['51 addresses', {emails: Array.from({length: 51}, (_, i) => `a${i}@example.com`)}, '#/emails'],
    ['21 teams', {teams: Array.from({length: 21}, () => ({team_id: 'platform'}))}, '#/teams'],
    ['uses for an address', {emails: ['a@example.com'], max_uses: 2}, '#/max_uses'],
    ['a link for admins', {role: 'admin'}, '#/role'],
    ['a link for leads', {teams: [{team_id: 'platform', role: 'lead'}]}, '#/teams/0/role'],
    ['the role of an owner', {emails: ['a@example.com'], role: 'owner'}, '#/role'],
    ['501 uses', {max_uses: 501}, '#/max_uses'],
    ['a minute', {expires_in: 60}, '#/expires_in'],
    ['31 days', {expires_in: 31 * 86_400}, '#/expires_in'],
    ['another field', {message: 'Click here'}, '#/message'],
    ['a domain for addresses', {emails: ['a@example.com'], email_domain: 'example.com'}, '#/email_domain'],
    ['a domain that is none', {email_domain: '@example.com'}, '#/email_domain'],
    ['a language without texts', {locale: 'fr'}, '#/locale'],
  ])('is refused with %s', async (_, body, pointer) => {
    expectProblem(await invite(body), 'validation_failed', {pointer});
  });

  it('is not created for a domain while neither codes by e-mail nor a provider prove addresses', async () => {
    const {detail} = expectProblem(await invite({email_domain: 'example.com'}), 'validation_failed', {
      pointer: '#/email_domain',
    });
    expect(detail).toContain('needs codes by e-mail or a sign-in provider');
  });

  it('is not created for a team that does not exist', async () => {
    const answer = await invite({teams: [...platform, {team_id: 'nowhere'}]});
    expectProblem(answer, 'team_not_found', {pointer: '#/teams/1/team_id'});
  });
});

describe('the right to invite', () => {
  /** Makers, and what each may give: into platform, which Lea leads, and into another team. */
  const makers = ['owner', 'admin', 'service account', 'lead', 'member'] as const;
  type Maker = (typeof makers)[number];
  const forms = {
    'a member into a led team': {emails: ['g@example.com'], teams: platform},
    'an observer into a led team': {emails: ['g@example.com'], teams: [{...platform[0], role: 'observer'}]},
    'a lead into a led team': {emails: ['g@example.com'], teams: [{...platform[0], role: 'lead'}]},
    'a member into another team': {emails: ['g@example.com'], teams: [{team_id: 'elsewhere'}]},
    'a member into both teams': {emails: ['g@example.com'], teams: [...platform, {team_id: 'elsewhere'}]},
    'a member into no team': {emails: ['g@example.com']},
    'an admin': {emails: ['g@example.com'], role: 'admin', teams: platform},
    'a link into a led team': {teams: platform},
    'a link into another team': {teams: [{team_id: 'elsewhere'}]},
    'a link into no team': {},
  } as const;
  const allowed: Readonly<Record<Maker, (form: string) => boolean>> = {
    owner: () => true,
    admin: (form) => form !== 'an admin',
    'service account': (form) => form !== 'an admin',
    lead: (form) => form.endsWith('a led team') && !form.startsWith('a lead'),
    member: () => false,
  };

  async function tokenOf(maker: Maker): Promise<string> {
    if (maker === 'service account') return workspace.token;
    const role = maker === 'lead' ? 'member' : maker;
    const person = await addPerson(service, workspace, {
      name: 'Lea',
      role,
      ...((maker === 'lead' || maker === 'member') && {team: 'platform', as: maker}),
    });
    return person.token;
  }

  it.each(makers)('%s: never more than they could give directly', async (maker) => {
    await workspace.request('POST', '/v1/teams', {body: {slug: 'elsewhere'}});
    const token = await tokenOf(maker);
    const given: Record<string, boolean> = {};
    for (const [i, [form, body]] of Object.entries(forms).entries()) {
      const own = 'emails' in body ? {...body, emails: [`g${i}@example.com`]} : body;
      const answer = await invite(own, {token});
      if (answer.status !== 201) expectProblem(answer, 'forbidden');
      given[form] = answer.status === 201;
    }
    expect(given).toEqual(Object.fromEntries(Object.keys(forms).map((form) => [form, allowed[maker](form)])));
  });

  it('an admin is invited only by a token that may make tokens', async () => {
    const holder = {type: 'member', id: owner.id, name: owner.name} as const;
    const {value} = await service.core.services.tokens.issueToken(workspace.operator(), {
      name: 'less',
      holder,
      scopes: scopes.filter((scope) => scope !== 'tokens:manage'),
    });
    const answer = await invite({emails: ['g@example.com'], role: 'admin'}, {token: value});
    expectProblem(answer, 'insufficient_scope');
    expect((await invite({emails: ['g@example.com']}, {token: value})).status).toBe(201);
  });

  describe('the right of the maker is asked again when it is accepted', () => {
    const setRole = (id: string, role: string) =>
      workspace.request('PATCH', `/v1/members/${id}`, {token: owner.token, body: {role}});
    const inPlatform = (id: string, role: string) =>
      workspace.request('PUT', `/v1/teams/platform/members/${id}`, {body: {role}});

    it.each<
      [string, {role: 'owner' | 'admin' | 'member'; as?: 'lead'}, (id: string) => Promise<unknown>, string]
    >([
      ['an owner who became a member', {role: 'owner'}, (id) => setRole(id, 'member'), 'blocked'],
      ['an owner who became an admin', {role: 'owner'}, (id) => setRole(id, 'admin'), 'open'],
      ['an admin who became a member', {role: 'admin'}, (id) => setRole(id, 'member'), 'blocked'],
      ['a lead who leads no more', {role: 'member', as: 'lead'}, (id) => inPlatform(id, 'member'), 'blocked'],
      ['a lead who became an owner', {role: 'member', as: 'lead'}, (id) => setRole(id, 'owner'), 'open'],
      [
        'an admin who was removed',
        {role: 'admin'},
        (id) => workspace.request('DELETE', `/v1/members/${id}`, {token: owner.token}),
        'revoked',
      ],
    ])('%s', async (_, {role, as}, change, state) => {
      const maker = await addPerson(service, workspace, {
        name: 'Max Maker',
        role,
        ...(as !== undefined && {team: 'platform', as}),
      });
      const [made] = (await invite({teams: platform}, {token: maker.token})).body.data;
      await change(maker.id);
      await until(async () => (await read(made.id)).state === state, {what: `the invite is ${state}`});
      const lin = await addPerson(service, workspace, {name: 'Lin'});
      const answer = await accept(linkOf(made), lin);
      if (state !== 'open') expectProblem(answer, 'forbidden');
      else expect(answer.status).toBe(200);
      expect(await teamsOf(lin)).toHaveLength(state === 'open' ? 1 : 0);
    });

    describe('an invite that was created with a token of another issuer asks for their right, too', () => {
      const makeToken = async (by: {token: string}, member: string): Promise<string> => {
        const body = {
          name: 'for another',
          member,
          scopes: ['members:write', 'members:read', 'tokens:manage'],
        };
        return (await workspace.request('POST', '/v1/tokens', {token: by.token, body})).body.token;
      };

      it.each<[string, 'admin' | 'owner', 'member' | 'admin', (id: string) => Promise<unknown>, string]>([
        ['an admin who became a member', 'admin', 'member', (id) => setRole(id, 'member'), 'blocked'],
        ['an owner who became a member', 'owner', 'member', (id) => setRole(id, 'member'), 'blocked'],
        ['an owner who became an admin', 'owner', 'member', (id) => setRole(id, 'admin'), 'open'],
        ['an owner who became an admin', 'owner', 'admin', (id) => setRole(id, 'admin'), 'blocked'],
        [
          'an admin who was removed',
          'admin',
          'member',
          (id) => workspace.request('DELETE', `/v1/members/${id}`, {token: owner.token}),
          'revoked',
        ],
      ])('regression: %s (%s), for an invite as %s', async (_, role, given, change, state) => {
        const issuer = await addPerson(service, workspace, {name: 'Ivo Issuer', role});
        const holder = await addPerson(service, workspace, {name: 'Hanna Holder', role});
        const outer = await makeToken(issuer, holder.id);
        // A token that is made with it hides who issued the first one, but not from the invite.
        const token = await makeToken({token: outer}, holder.id);
        const lin = await addPerson(service, workspace, {name: 'Lin', email: 'lin@example.com'});
        const body = given === 'admin' ? {emails: ['hal@example.com'], role: given} : {teams: platform};
        const [made] = (await invite(body, {token})).body.data;
        expect(made).toMatchObject({
          created_by: {id: holder.id},
          issued_by: [{type: 'member', id: issuer.id}],
        });
        await change(issuer.id);
        await until(async () => (await read(made.id)).state === state, {what: `the invite is ${state}`});
        if (given === 'admin') return;
        const answer = await accept(linkOf(made), lin);
        if (state === 'open') expect(answer.status).toBe(200);
        else expectProblem(answer, 'forbidden');
        expect(await teamsOf(lin)).toHaveLength(state === 'open' ? 1 : 0);
      });

      it('regression: an invite follows at most 50 tokens back to its issuers, and is refused beyond that', async () => {
        const people = await Promise.all(
          ['Ada', 'Ben'].map((name) => addPerson(service, workspace, {name, role: 'owner'})),
        );
        let token = people[0]?.token ?? '';
        for (let i = 0; i < 49; i++) token = await makeToken({token}, people[i % 2]?.id ?? '');
        expect((await invite({teams: platform}, {token})).status).toBe(201);
        token = await makeToken({token}, people[1]?.id ?? '');
        const refused = await invite({teams: platform}, {token});
        expectProblem(refused, 'forbidden');
        expect(refused.body.detail).toContain('More than 50 tokens');
      });

      it('an invite names no issuer if its creator made the token, or has a session of their own', async () => {
        const admin = await addPerson(service, workspace, {name: 'Anna Admin', role: 'admin'});
        const token = await makeToken(admin, admin.id);
        const [made] = (await invite({teams: platform}, {token})).body.data;
        expect(made).toMatchObject({created_by: {id: admin.id}, issued_by: []});
        const session = await createSessionToken(workspace, admin.id);
        const [other] = (await invite({teams: platform}, {token: session})).body.data;
        expect(other).toMatchObject({created_by: {id: admin.id}, issued_by: []});
      });
    });

    it('an invite of a lead admits no one while the workspace lets no leads invite', async () => {
      const setting = (leads: boolean) =>
        workspace.request('PATCH', '/v1/workspace', {token: owner.token, body: {leads_invite: leads}});
      const lea = await addPerson(service, workspace, {name: 'Lea', team: 'platform', as: 'lead'});
      const [made] = (await invite({teams: platform}, {token: lea.token})).body.data;
      const [ofOwner] = (await invite({teams: platform})).body.data;
      expect((await setting(false)).body).toMatchObject({leads_invite: false});
      const lin = await addPerson(service, workspace, {name: 'Lin'});
      expectProblem(await accept(linkOf(made), lin), 'forbidden');
      expectProblem(await invite({teams: platform}, {token: lea.token}), 'forbidden');
      expect((await read(made.id)).state).toBe('blocked');
      expect((await read(ofOwner.id)).state).toBe('open');
      const {body: me} = await workspace.request('GET', '/v1/me', {token: lea.token});
      expect(me.workspace.leads_invite).toBe(false);
      await setting(true);
      expect((await accept(linkOf(made), lin)).status).toBe(200);
    });

    it('an invite is open again when its maker leads the team again', async () => {
      const lea = await addPerson(service, workspace, {name: 'Lea', team: 'platform', as: 'lead'});
      const [made] = (await invite({teams: platform}, {token: lea.token})).body.data;
      await inPlatform(lea.id, 'member');
      expect(await listed('?state=blocked')).toMatchObject([{id: made.id}]);
      expect(await listed()).toEqual([]);
      await inPlatform(lea.id, 'lead');
      expect(await listed()).toMatchObject([{id: made.id, state: 'open'}]);
    });

    it('an invite gives its own role and teams, whatever its maker has become', async () => {
      const lea = await addPerson(service, workspace, {name: 'Lea', team: 'platform', as: 'lead'});
      const [made] = (await invite({teams: platform}, {token: lea.token})).body.data;
      await setRole(lea.id, 'owner');
      const lin = await addPerson(service, workspace, {name: 'Lin'});
      expect((await accept(linkOf(made), lin)).body).toMatchObject({
        role: 'member',
        teams: [{role: 'member'}],
      });
      expect((await workspace.request('GET', `/v1/members/${lin.id}`)).body.role).toBe('member');
    });
  });
});

describe('a list of invites', () => {
  it('shows owners and admins all invites, and everyone else their own', async () => {
    const lea = await addPerson(service, workspace, {name: 'Lea', team: 'platform', as: 'lead'});
    const [theirs] = (await invite({emails: ['g@example.com']})).body.data;
    const [own] = (await invite({teams: platform}, {token: lea.token})).body.data;
    expect((await listed()).map(({id}) => id)).toEqual([own.id, theirs.id]);
    expect((await listed('', lea.token)).map(({id}) => id)).toEqual([own.id]);
    expect((await listed('?email=g%40example.com', lea.token)).map(({id}) => id)).toEqual([]);
    expect((await listed('?team=platform')).map(({id}) => id)).toEqual([own.id]);
    const other = await workspace.request('GET', `/v1/invites/${theirs.id}`, {token: lea.token});
    expectProblem(other, 'not_found');
    for (const id of [theirs.id, 'inv_01ke6p4ym07fk9s1s2m8xq4vbt']) {
      const end = await workspace.request('DELETE', `/v1/invites/${id}`, {token: lea.token});
      expectProblem(end, 'forbidden');
    }
  });

  it('shows the state of each at this moment, and its entity tag changes with it', async () => {
    const [one] = (await invite({teams: platform, expires_in: 3_600})).body.data;
    const get = (tag: string) =>
      workspace.request('GET', `/v1/invites/${one.id}`, {headers: {'if-none-match': tag}});
    const tag = (await get('"0"')).headers.get('etag') ?? '';
    expect((await get(tag)).status).toBe(304);
    await clock.advance(3_600_000);
    expect((await get(tag)).body.state).toBe('expired');
    expect(await listed()).toEqual([]);
    expect(await listed('?state=expired')).toMatchObject([{id: one.id}]);
    expect(await listed('?state=all')).toMatchObject([{id: one.id}]);
    const lin = await addPerson(service, workspace, {name: 'Lin'});
    expectProblem(await accept(linkOf(one), lin), 'forbidden');
  });
});

describe('an invite that is ended', () => {
  it('refuses everyone, and ending it again changes nothing', async () => {
    const lea = await addPerson(service, workspace, {name: 'Lea', team: 'platform', as: 'lead'});
    const [one] = (await invite({teams: platform}, {token: lea.token})).body.data;
    const end = () => workspace.request('DELETE', `/v1/invites/${one.id}`, {token: lea.token});
    expect((await end()).status).toBe(204);
    expect((await end()).status).toBe(204);
    const lin = await addPerson(service, workspace, {name: 'Lin'});
    expectProblem(await accept(linkOf(one), lin), 'forbidden');
    expect(await typesOf()).toEqual(['invite.created', 'invite.revoked']);
    expect(await read(one.id)).toMatchObject({state: 'revoked', revision: 2});
  });

  it('leaves its address nowhere if it is erased, not even in its events', async () => {
    const [one] = (await invite({emails: ['gracemark@example.com']})).body.data;
    expect((await dumpRedis(service.redisUrl)).text).toContain('gracemark');
    await workspace.request('DELETE', `/v1/invites/${one.id}?erase=true`, {token: owner.token});
    expect((await dumpRedis(service.redisUrl)).text).not.toContain('gracemark');
    expect(await read(one.id)).toMatchObject({state: 'revoked', email: null});
    const [created] = (await eventsOf(workspace)).filter(({type}: Json) => type === 'invite.created');
    expect(created.data).toBeNull();
  });
});

describe('a member who accepts an invite', () => {
  it('joins its teams with the roles in it, and keeps every role that they have', async () => {
    await workspace.request('POST', '/v1/teams', {body: {slug: 'elsewhere'}});
    const lin = await addPerson(service, workspace, {name: 'Lin', team: 'platform', as: 'lead'});
    const teams = [...platform, {team_id: 'elsewhere', role: 'observer'}];
    const [one] = (await invite({teams, max_uses: 5})).body.data;
    const answer = await accept(linkOf(one), lin);
    expect(answer.body).toMatchObject({id: one.id, uses: 1, state: 'open', created_by: {name: 'Olga Owner'}});
    const roles = (await teamsOf(lin)).map(({slug, role}) => [slug, role]).toSorted();
    expect(roles).toEqual([
      ['elsewhere', 'observer'],
      ['platform', 'lead'],
    ]);
    expect((await accept(linkOf(one), lin)).body).toMatchObject({uses: 1});
    expect(await typesOf()).toEqual(['invite.created', 'invite.accepted']);
    const accepted = (await eventsOf(workspace)).find(({type}: Json) => type === 'invite.accepted');
    expect(accepted.data).toMatchObject({id: one.id, accepted_by: {type: 'member', id: lin.id}});
    const query = `?types=invite.accepted&about=${lin.id}`;
    const {body} = await workspace.request('GET', `/v1/events${query}`);
    expect(body.data).toMatchObject([{id: accepted.id}]);
  });

  it('must have the invited address: a member with another address is refused', async () => {
    const [one] = (await invite({emails: ['grace@example.com'], teams: platform})).body.data;
    for (const email of [
      undefined,
      'eve@example.com',
      'grace@sub.example.com',
      'grace@example.com.evil.example',
    ]) {
      const other = await addPerson(service, workspace, {name: 'Eve', ...(email !== undefined && {email})});
      const {detail} = expectProblem(await accept(linkOf(one), other), 'forbidden');
      expect(detail).toBe('This invite is for g…@example.com.');
    }
    const grace = await addPerson(service, workspace, {name: 'Grace', email: 'grace@example.com'});
    expect((await accept(linkOf(one), grace)).body).toMatchObject({state: 'used', email: null});
    expect(await teamsOf(grace)).toHaveLength(1);
  });

  it('must have an address of exactly the domain of the link, and no one without an account has one', async () => {
    const {store, services} = service.core;
    const random = {
      generateSuffix: createIdSource(),
      generateSecret: () => randomBytes(32).toString('base64url'),
    };
    const context = createTestContext({store}, {mail: 'sent', ...random});
    const {createInvites: create} = createInvites(context, services);
    const {body} = await create(workspace.operator(), {
      teams: [{team_id: workspace.team}],
      email_domain: 'Example.COM',
    });
    const [one] = JSON.parse(body).data;
    expect(one).toMatchObject({email_domain: 'example.com'});
    for (const email of [
      undefined,
      'eve@sub.example.com',
      'eve@example.com.evil.example',
      'eve@ｅxample.com',
    ]) {
      const other = await addPerson(service, workspace, {name: 'Eve', ...(email !== undefined && {email})});
      const {detail} = expectProblem(await accept(linkOf(one), other), 'forbidden');
      expect(detail).toBe('This link is for @example.com addresses.');
    }
    const grace = await addPerson(service, workspace, {name: 'Grace', email: 'grace@EXAMPLE.com'});
    expect((await accept(linkOf(one), grace)).body).toMatchObject({uses: 1});
    const person = {link: linkOf(one), name: 'Eve', key: 'k'.repeat(22)};
    const stranger = await createTestBrowser(service).ask('POST', '/app/invite', {body: person});
    expect(expectProblem(stranger, 'forbidden').detail).toBe('This link is for @example.com addresses.');
  });

  it('takes the last use alone: of two people in two processes one joins', async () => {
    const [one] = (await invite({teams: platform, max_uses: 1})).body.data;
    const people = [
      await addPerson(service, workspace, {name: 'Lin'}),
      await addPerson(service, workspace, {name: 'Lou'}),
    ];
    const outcomes = await Promise.allSettled(
      people.map(({id, name}, i) =>
        (i === 0 ? service : twin).core.services.invites.acceptInvite(
          {...workspace.operator(), principal: {type: 'member', id, name}},
          linkOf(one),
        ),
      ),
    );
    expect(outcomes.map(({status}) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(await read(one.id)).toMatchObject({uses: 1, state: 'used'});
  });

  it('finishes after a lost answer by the same key, and uses nothing more up', async () => {
    const [one] = (await invite({teams: platform, max_uses: 1})).body.data;
    const lin = await addPerson(service, workspace, {name: 'Lin'});
    const again = () =>
      workspace.request('POST', '/v1/invites/accept', {
        token: lin.token,
        body: {link: linkOf(one)},
        headers: {'idempotency-key': 'join'},
      });
    const first = await again();
    expect((await again()).body).toEqual(first.body);
    expect(await teamsOf(lin)).toHaveLength(1);
    expect((await typesOf()).filter((type) => type === 'invite.accepted')).toHaveLength(1);
  });

  it('regression: does not come back into a team by a repeated request, once a lead has removed them', async () => {
    const [one] = (await invite({teams: platform})).body.data;
    const lin = await addPerson(service, workspace, {name: 'Lin'});
    const repeat = () =>
      workspace.request('POST', '/v1/invites/accept', {
        token: lin.token,
        body: {link: linkOf(one)},
        headers: {'idempotency-key': 'join'},
      });
    const {body} = await repeat();
    await workspace.request('DELETE', `/v1/teams/platform/members/${lin.id}`);
    await workspace.request('DELETE', `/v1/invites/${one.id}`, {token: owner.token});
    expect((await repeat()).body).toMatchObject({id: body.id, revision: body.revision});
    expect(await teamsOf(lin)).toEqual([]);
  });

  it('accepts by it a membership that a lead has given them, which uses nothing up', async () => {
    const [one] = (await invite({teams: platform})).body.data;
    const lin = await addPerson(service, workspace, {name: 'Lin'});
    await workspace.request('PUT', `/v1/teams/platform/members/${lin.id}`, {body: {role: 'observer'}});
    expect((await accept(linkOf(one), lin)).body).toMatchObject({uses: 0});
    const {body} = await workspace.request('GET', '/v1/teams/platform/members');
    expect(body.data).toMatchObject([{role: 'observer', accepted: true}]);
  });

  it('gets one answer for every link that is not known, and a service account none', async () => {
    const [one] = (await invite({teams: platform})).body.data;
    const other = await service.addWorkspace();
    const {body} = await other.request('POST', '/v1/invites', {body: {}});
    const lin = await addPerson(service, workspace, {name: 'Lin'});
    const [id = '', suffix = '', secret = ''] = linkOf(one).split('.');
    const details = new Set<string>();
    for (const link of [
      'x',
      `${id}.${suffix}.${'A'.repeat(43)}`,
      `${id}.${'0'.repeat(16)}.${secret}`,
      `${id}.${suffix}.${secret}.`,
      `${id}.${owner.id.slice(-16)}.${secret}`,
      linkOf(body.data[0]),
    ])
      details.add(expectProblem(await accept(link, lin), 'not_found').detail);
    expect([...details]).toEqual(['There is no such invite.']);
    expectProblem(await accept(linkOf(one), workspace), 'forbidden');
  });

  it('joins 20 teams in one step, as a member or without an account, also where clocks differ', async () => {
    const open = {opens: '09:00', closes: '11:00'};
    const schedule = {frequency: 'weekly', days: ['mon', 'tue'], ...open, reminders: [], clock: 'member'};
    const slugs = Array.from({length: 20}, (_, i) => `team-${i}`);
    for (const slug of slugs) await workspace.request('POST', '/v1/teams', {body: {slug, schedule}});
    const [one] = (await invite({teams: slugs.map((team_id) => ({team_id}))})).body.data;
    const lin = await addPerson(service, workspace, {name: 'Lin', timezone: 'Asia/Tokyo'});
    expect((await accept(linkOf(one), lin)).status).toBe(200);
    expect(await teamsOf(lin)).toHaveLength(20);
    const browser = createTestBrowser(service);
    const body = {link: linkOf(one), name: 'Grace', timezone: 'America/New_York', key: 'k'.repeat(22)};
    expect((await browser.ask('POST', '/app/invite', {body})).status).toBe(201);
    expect(await teamsOf({...lin, token: (await browser.token()) ?? ''})).toHaveLength(20);
    for (const slug of slugs.slice(0, 3)) {
      const {body: members} = await workspace.request('GET', `/v1/teams/${slug}/members`);
      expect(members.data.map((row: Json) => [row.member.name, row.accepted])).toEqual([
        ['Grace', true],
        ['Lin', true],
      ]);
    }
  });

  it('passes over teams that were deleted', async () => {
    await workspace.request('POST', '/v1/teams', {body: {slug: 'elsewhere'}});
    const [one] = (await invite({teams: [...platform, {team_id: 'elsewhere'}]})).body.data;
    await workspace.request('DELETE', '/v1/teams/elsewhere');
    const lin = await addPerson(service, workspace, {name: 'Lin'});
    expect((await accept(linkOf(one), lin)).status).toBe(200);
    expect(await teamsOf(lin)).toMatchObject([{slug: 'platform'}]);
  });
});

describe('limits', () => {
  it('a workspace creates 50 invites a day in its first week, and then 500', async () => {
    const emails = (from: number, count = 25) =>
      Array.from({length: count}, (_, i) => `p${from + i}@example.com`);
    await invite({emails: emails(0)});
    await invite({emails: emails(25, 24)});
    expectProblem(await invite({emails: emails(100, 2)}), 'limit_reached');
    expect((await invite({})).status).toBe(201);
    expectProblem(await invite({}), 'limit_reached');
    await clock.advance(dayMs);
    expect((await invite({})).status).toBe(201);
    await clock.advance(7 * dayMs);
    for (let i = 0; i < 10; i++)
      expect((await invite({emails: emails(1_000 + 50 * i, 50)})).status).toBe(201);
    expectProblem(await invite({}), 'limit_reached');
  });

  it('a lead has 50 open invites at a time', async () => {
    await clock.advance(8 * dayMs);
    const {token} = await addPerson(service, workspace, {name: 'Lea', team: 'platform', as: 'lead'});
    const emails = Array.from({length: 49}, (_, i) => `l${i}@example.com`);
    const [one] = (await invite({emails, teams: platform}, {token})).body.data;
    expect((await invite({teams: platform}, {token})).status).toBe(201);
    expectProblem(await invite({teams: platform}, {token}), 'limit_reached');
    await workspace.request('DELETE', `/v1/invites/${one.id}`, {token});
    expect((await invite({teams: platform}, {token})).status).toBe(201);
  });

  it('an address is invited three times a day', async () => {
    const again = () => invite({emails: ['grace@example.com']});
    for (let i = 0; i < 3; i++) expect((await again()).status).toBe(201);
    expectProblem(await again(), 'limit_reached');
    await clock.advance(dayMs);
    expect((await again()).status).toBe(201);
  });

  it('regression: an invite that was erased or accepted still counts for its address', async () => {
    const again = () => invite({emails: ['Grace@example.com'], teams: platform});
    const erased = (await again()).body.data[0];
    await workspace.request('DELETE', `/v1/invites/${erased.id}?erase=true`, {token: owner.token});
    const accepted = (await again()).body.data[0];
    const grace = await addPerson(service, workspace, {name: 'Grace', email: 'grace@example.com'});
    await accept(linkOf(accepted), grace);
    await workspace.request('DELETE', `/v1/members/${grace.id}`);
    expect((await again()).status).toBe(201);
    expectProblem(await again(), 'limit_reached');
  });

  it('an address is invited three times a day, also by two processes at once', async () => {
    const calls = [service, twin, service, twin, service].map(async ({core}) =>
      core.services.invites.createInvites(
        {...workspace.operator(), principal: {type: 'member', id: owner.id, name: 'Olga'}},
        {emails: ['grace@example.com']},
      ),
    );
    const outcomes = (await Promise.allSettled(calls)).map(({status}) => status);
    expect(outcomes.toSorted()).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'rejected', 'rejected']);
  });
});

describe('the record of an invite', () => {
  it('is removed with its address and secret 30 days after the invite expired', async () => {
    const [one] = (await invite({emails: ['gracemark@example.com']})).body.data;
    const {purgeExpired} = service.core.services;
    const purge = () =>
      purgeExpired(createCallByService({workspace: workspace.id, deadline: performance.now() + 5_000}));
    await clock.advance(36 * dayMs);
    expect(await purge()).toBe(0);
    expect((await read(one.id)).state).toBe('expired');
    await clock.advance(3 * dayMs);
    expect(await purge()).toBe(1);
    expect(await purge()).toBe(0);
    const {text, keys} = await dumpRedis(service.redisUrl);
    expect(text).not.toContain('gracemark');
    const suffix = one.id.slice(-16);
    expect(keys.filter((key) => key.includes(suffix))).toEqual([]);
  });

  it('loses its address when the member with that address is erased', async () => {
    await invite({emails: ['gracemark@example.com'], teams: platform});
    const grace = await addPerson(service, workspace, {name: 'Grace', email: 'gracemark@example.com'});
    await workspace.request('DELETE', `/v1/members/${grace.id}?erase=true`, {token: owner.token});
    await until(async () => !(await dumpRedis(service.redisUrl)).text.includes('gracemark'), {
      what: 'the address was gone',
      everyMs: 50,
    });
    expect(await listed('?state=revoked')).toMatchObject([{email: null}]);
  });

  it('no longer shows the name of a maker who is erased', async () => {
    const max = await addPerson(service, workspace, {name: 'Maxmark', role: 'admin'});
    const [one] = (await invite({teams: platform}, {token: max.token})).body.data;
    await workspace.request('DELETE', `/v1/members/${max.id}?erase=true`, {token: owner.token});
    await until(async () => !(await dumpRedis(service.redisUrl)).text.includes('Maxmark'), {
      what: 'the name was gone',
      everyMs: 50,
    });
    expect(await read(one.id)).toMatchObject({state: 'revoked', created_by: {id: max.id, name: null}});
  });

  it('is part of the export of the person who made it', async () => {
    const [one] = (await invite({emails: ['grace@example.com']})).body.data;
    const {text} = await workspace.request('GET', `/v1/members/${owner.id}/export`, {
      token: owner.token,
    });
    expect(text).toContain(one.id);
  });
});
