import {afterAll, beforeAll, describe, expect, it} from '@jest/globals';
import {createTestContext} from '../../support/service-context.js';
import {type Json, startService, type TestService, type TestWorkspace} from '../../support/service.js';
import {until} from '../../support/until.js';
import {expectProblem} from '../http/expect-problem.js';
import {addPerson} from '../people.js';
import {eventsOf, make, randomName} from '../samples.js';
import {memberDefaults} from '../../../src/domain/workspaces/workspace.js';
import {createMemberService} from '../../../src/service/members/members.js';

let service: TestService;
/** A second process, as the store sees it. */
let twin: TestService;
let workspace: TestWorkspace;

beforeAll(async () => {
  service = await startService();
  twin = await startService({redisUrl: service.redisUrl});
  workspace = await service.addWorkspace();
});

afterAll(async () => {
  await twin.close();
  await service.close();
});

const create = (body: Json) => workspace.request('POST', '/v1/members', {body});
const change = (id: string, body: Json, headers: Record<string, string> = {}) =>
  workspace.request('PATCH', `/v1/members/${id}`, {body, headers});
const remove = (id: string, query = '') => workspace.request('DELETE', `/v1/members/${id}${query}`);

/** The same id with another time. */
const forged = (id: string) => id.replace(/_.{10}/, '_01jd000000');

describe('POST /v1/members', () => {
  it('creates a member, with all fields and an event, from a name alone', async () => {
    const {status, body, headers} = await create({name: 'Ada'});
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^mem_[0-7][0-9a-hjkmnp-tv-z]{25}$/),
      object: 'member',
      name: 'Ada',
      email: null,
      email_status: null,
      role: 'member',
      timezone: null,
      timezone_source: null,
      locale: null,
      slack_user_id: null,
      ...memberDefaults,
      revision: 1,
      created_at: expect.any(String),
      updated_at: body.created_at,
    });
    expect(headers.get('location')).toBe(`/v1/members/${body.id}`);
    expect(headers.get('etag')).toBe('"1"');
    expect((await eventsOf(workspace)).at(-1)).toMatchObject({type: 'member.joined', data: body});
    expect((await workspace.request('GET', `/v1/members/${body.id}`)).body).toEqual(body);
  });

  it('stores the given fields, with the e-mail address in lower case', async () => {
    const given = {
      name: 'Zoë 🛢',
      timezone: 'Europe/Berlin',
      locale: 'de',
      slack_user_id: 'U024BE7LH',
      role: 'admin',
    };
    const {body} = await create({...given, email: 'Zoe@Example.COM'});
    expect(body).toMatchObject({...given, email: 'zoe@example.com'});
  });

  it.each([
    ['name', ''],
    ['name', 'x'.repeat(81)],
    ['name', null],
    ['email', 'ada'],
    ['email', 'ada@host'],
    ['email', 'a b@example.com'],
    ['email', `${'x'.repeat(250)}@example.com`],
    ['slack_user_id', '@ada'],
    ['slack_user_id', 'C024BE7LH'],
    ['timezone', 'Mars/Olympus'],
    ['role', 'king'],
    ['role', null],
    ['team', 'platform'],
  ])('refuses %s %j', async (member, value) => {
    const answer = await create({name: 'Ada', [member]: value});
    expectProblem(answer, 'validation_failed', {pointer: `#/${member}`});
  });

  it.each([
    ['email', 'taken@example.com', 'TAKEN@example.com', 'email_taken'],
    ['slack_user_id', 'U0TAKEN', 'U0TAKEN', 'slack_user_taken'],
  ] as const)('refuses a taken %s, even if 10 requests come at once', async (member, value, again, code) => {
    const answers = await Promise.all(Array.from({length: 10}, () => create({name: 'A', [member]: value})));
    expect(answers.filter(({status}) => status === 201)).toHaveLength(1);
    expect(answers.filter(({body}) => body.code === code)).toHaveLength(9);
    expectProblem(await create({name: 'B', [member]: again}), code, {pointer: `#/${member}`});
    const other = await service.addWorkspace();
    const elsewhere = await other.request('POST', '/v1/members', {body: {name: 'A', [member]: value}});
    expect(elsewhere.status).toBe(201);
  });
});

describe('PATCH /v1/members/{member}', () => {
  it('changes the given fields, sends an event with the previous values, and changes the ETag', async () => {
    const {id} = await make(workspace, '/v1/members', {name: 'Ada', timezone: 'UTC'});
    const answer = await change(id, {name: 'Ada King', timezone: null});
    expect(answer.body).toMatchObject({name: 'Ada King', timezone: null, revision: 2});
    expect(answer.headers.get('etag')).toBe('"2"');
    expect((await eventsOf(workspace)).at(-1)).toMatchObject({
      type: 'member.updated',
      data: answer.body,
      previous_attributes: {name: 'Ada', timezone: 'UTC'},
    });
  });

  it('sets a time zone that stays until it is reset', async () => {
    const {id} = await make(workspace, '/v1/members', {name: 'Ada'});
    const zone = async (timezone: string | null) => {
      const {body} = await change(id, {timezone});
      return [body.timezone, body.timezone_source];
    };
    expect(await zone('Asia/Tokyo')).toEqual(['Asia/Tokyo', 'chosen']);
    expect(await zone(null)).toEqual([null, null]);
  });

  it('keeps the language of e-mails until it is changed or reset', async () => {
    const {id} = await make(workspace, '/v1/members', {name: 'Ada', locale: 'de'});
    const language = async (body: object) => (await change(id, body)).body.locale;
    expect(await language({name: 'Ada King'})).toBe('de');
    expect(await language({locale: 'en'})).toBe('en');
    expect(await language({locale: null})).toBeNull();
    expectProblem(await change(id, {locale: 'fr'}), 'validation_failed', {pointer: '#/locale'});
  });

  it('makes no revision and no event if nothing changes', async () => {
    const {id} = await make(workspace, '/v1/members', {name: 'Ada', email: 'same@example.com'});
    const before = await eventsOf(workspace);
    for (const body of [{}, {name: 'Ada'}, {email: 'SAME@example.com', role: 'member'}]) {
      expect((await change(id, body)).body.revision).toBe(1);
    }
    expect(await eventsOf(workspace)).toEqual(before);
  });

  it('respects If-Match', async () => {
    const {id} = await make(workspace, '/v1/members', {name: 'Ada'});
    expectProblem(await change(id, {name: 'B'}, {'if-match': '"2"'}), 'precondition_failed');
    expect((await change(id, {name: 'B'}, {'if-match': '"1"'})).status).toBe(200);
    expectProblem(
      await workspace.request('DELETE', `/v1/members/${id}`, {headers: {'if-match': '"1"'}}),
      'precondition_failed',
    );
  });

  it('makes a replaced e-mail address or Slack user available to other members', async () => {
    const [a, b] = [
      await make(workspace, '/v1/members', {name: 'A', email: 'moves@example.com', slack_user_id: 'U0MOVES'}),
      await make(workspace, '/v1/members', {name: 'B'}),
    ];
    expectProblem(await change(b.id, {email: 'moves@example.com'}), 'email_taken', {pointer: '#/email'});
    expectProblem(await change(b.id, {slack_user_id: 'U0MOVES'}), 'slack_user_taken', {
      pointer: '#/slack_user_id',
    });
    expect((await change(a.id, {email: 'moved@example.com', slack_user_id: null})).status).toBe(200);
    expect((await change(b.id, {email: 'moves@example.com', slack_user_id: 'U0MOVES'})).status).toBe(200);
  });
});

describe('GET /v1/members', () => {
  it('lists members newest first, in pages, and by role', async () => {
    const listed = await service.addWorkspace();
    for (const name of ['one', 'two', 'three']) await make(listed, '/v1/members', {name});
    const get = async (query: string) => (await listed.request('GET', `/v1/members?${query}`)).body;
    const first = await get('limit=2');
    expect(first.data.map(({name}: Json) => name)).toEqual(['three', 'two']);
    const second = await get(`limit=2&cursor=${first.next_cursor}`);
    expect(second).toMatchObject({data: [{name: 'one'}], has_more: false, next_cursor: null});

    await listed.request('PATCH', `/v1/members/${first.data[1].id}`, {body: {role: 'admin'}});
    await listed.request('PATCH', `/v1/members/${second.data[0].id}`, {body: {role: 'admin'}});
    const admins = await get('role=admin');
    expect(admins.data.map(({name}: Json) => name)).toEqual(['two', 'one']);
    expect((await get('role=member')).data.map(({name}: Json) => name)).toEqual(['three']);
    expect((await get('role=owner')).data).toEqual([]);
  });

  it('shows each member with their teams by name and role for include=teams', async () => {
    const listed = await service.addWorkspace();
    const token = await listed.addToken();
    const ask = async (query: string, by = token.value) =>
      (await listed.request('GET', `/v1/members?${query}`, {token: by})).body;
    const ada = await addPerson(service, listed, {team: 'platform', as: 'lead'});
    const grace = await addPerson(service, listed, {name: 'Grace Hopper'});
    await make(listed, '/v1/teams', {slug: 'atlas', name: 'Atlas'});
    const {teamMembers} = service.core.services;
    await teamMembers.setTeamMember(listed.operator(), 'atlas', ada.id, 'member');
    const [first, second] = (await ask('include=teams')).data;
    expect(first).toMatchObject({id: grace.id, teams: {data: [], has_more: false}});
    expect(second).toMatchObject({id: ada.id, name: 'Ada Lovelace'});
    expect(second.teams).toEqual({
      data: [
        {id: expect.any(String), slug: 'atlas', name: 'Atlas', role: 'member', visibility: 'open'},
        {id: listed.team, slug: 'platform', name: expect.any(String), role: 'lead', visibility: 'open'},
      ],
      has_more: false,
    });
    expect((await ask('include=teams&team=atlas&q=ada')).data).toEqual([second]);
    expect((await ask('')).data[1]).not.toHaveProperty('teams');
    const {value} = await listed.addToken({scopes: ['members:read']});
    const refused = await listed.request('GET', '/v1/members?include=teams', {token: value});
    expectProblem(refused, 'insufficient_scope');
    expectProblem(await listed.request('GET', '/v1/members?include=tokens'), 'invalid_parameter');
  });

  it('shows the latest 20 of very many teams for include=teams, and says that there are more', async () => {
    const listed = await service.addWorkspace();
    const {id} = await addPerson(service, listed);
    const {teams, teamMembers} = service.core.services;
    const slugs = Array.from({length: 21}, (_, i) => `t${String(i).padStart(3, '0')}`);
    for (const slug of slugs) {
      await teams.createTeam(listed.operator(), {slug});
      await teamMembers.setTeamMember(listed.operator(), slug, id, 'member');
    }
    const [row] = (await listed.request('GET', '/v1/members?include=teams')).body.data;
    expect(row.teams.has_more).toBe(true);
    expect(row.teams.data.map(({slug}: Json) => slug)).toEqual(slugs.slice(1));
  });

  it('finds a member by e-mail address and by Slack user', async () => {
    const person = {name: 'Findable', email: 'find@example.com', slack_user_id: 'U0FIND'};
    const {id} = await make(workspace, '/v1/members', person);
    const find = async (query: string) =>
      (await workspace.request('GET', `/v1/members?${query}`)).body.data.map((row: Json) => row.id);
    expect(await find('email=Find@Example.com')).toEqual([id]);
    expect(await find('slack_user_id=U0FIND')).toEqual([id]);
    expect(await find('email=find@example.com&slack_user_id=U0FIND&role=member')).toEqual([id]);
    expect(await find('email=find@example.com&role=admin')).toEqual([]);
    expect(await find('email=find@example.com&slack_user_id=U0OTHER')).toEqual([]);
    expect(await find('email=nobody@example.com')).toEqual([]);
  });
});

describe('the last owner', () => {
  it('can be neither demoted nor removed, while one of two owners can', async () => {
    const owned = await service.addWorkspace();
    const [ann, bob] = [
      await addPerson(service, owned, {name: 'Ann', role: 'owner'}),
      await addPerson(service, owned, {name: 'Bob', role: 'owner'}),
    ];
    const as = {token: ann.token};
    const demote = (id: string) =>
      owned.request('PATCH', `/v1/members/${id}`, {...as, body: {role: 'admin'}});
    expect((await demote(bob.id)).status).toBe(200);
    expectProblem(await demote(ann.id), 'last_owner');
    expectProblem(await owned.request('DELETE', `/v1/members/${ann.id}`, as), 'last_owner');
    expect((await owned.request('GET', '/v1/members?role=owner')).body.data).toHaveLength(1);
  });

  it('is left when two owners demote each other at once', async () => {
    const owned = await service.addWorkspace();
    const owners = await Promise.all(
      ['Ann', 'Bob'].map((name) => addPerson(service, owned, {name, role: 'owner'})),
    );
    const answers = await Promise.all(
      owners.map(({token}, i) =>
        owned.request('PATCH', `/v1/members/${owners[1 - i]?.id}`, {token, body: {role: 'member'}}),
      ),
    );
    expect(answers.map(({status}) => status).toSorted()).not.toEqual([200, 200]);
    expect((await owned.request('GET', '/v1/members?role=owner')).body.data).toHaveLength(1);
  });
});

describe('DELETE /v1/members/{member}', () => {
  it('invalidates every token of the member from the next request on, in every process', async () => {
    const ada = await addPerson(service, workspace, {team: 'platform'});
    const ask = (method: string, path: string, body?: Json) =>
      fetch(`${twin.url}${path}`, {
        method,
        headers: {authorization: `Bearer ${ada.token}`, 'content-type': 'application/json'},
        ...(body && {body: JSON.stringify(body)}),
      });
    expect((await ask('GET', '/v1/me')).status).toBe(200);
    expect((await remove(ada.id)).status).toBe(204);
    expect((await ask('GET', '/v1/me')).status).toBe(401);
    expect((await ask('POST', '/v1/standups', {team: 'platform', update: 'Still here.'})).status).toBe(401);
    expectProblem(await workspace.request('GET', `/v1/members/${ada.id}`), 'not_found');
    expectProblem(await remove(ada.id), 'not_found');
  });

  it('sends an event with the last profile of the member, and keeps the standups under the name of the member', async () => {
    const ada = await addPerson(service, workspace, {name: 'Ada', team: 'platform'});
    const body = {team: 'platform', update: 'Stays.'};
    const {body: standup} = await workspace.request('POST', '/v1/standups', {body, token: ada.token});
    await remove(ada.id);
    expect((await eventsOf(workspace)).at(-1)).toMatchObject({
      type: 'member.left',
      data: {id: ada.id, name: 'Ada'},
    });
    const kept = await workspace.request('GET', `/v1/standups/${standup.id}`);
    expect(kept.body.author).toEqual({type: 'member', id: ada.id, name: 'Ada'});
  });

  it('frees the e-mail address and Slack user of the member, and removes the member from every team and list', async () => {
    const slug = randomName();
    await make(workspace, '/v1/teams', {slug});
    const unique = {email: `${slug}@example.com`, slack_user_id: 'U0LEAVES'};
    const ada = await addPerson(service, workspace, {...unique, team: slug});
    await remove(ada.id);
    const members = async () => (await workspace.request('GET', `/v1/teams/${slug}/members`)).body.data;
    expect(await members()).toEqual([]);
    expectProblem(await workspace.request('GET', `/v1/teams/${slug}/members/${ada.id}`), 'not_found');
    expectProblem(await workspace.request('PUT', `/v1/teams/${slug}/members/${ada.id}`), 'not_found');
    expect((await create({name: 'Next', ...unique})).status).toBe(201);
    const {records, ready} = service.core.store;
    const newDeadline = () => performance.now() + 1_000;
    await until(
      async () =>
        (await records.findMembership(
          workspace.id,
          (
            await workspace.request('GET', `/v1/teams/${slug}`)
          ).body.id,
          ada.id,
          newDeadline(),
        )) === undefined,
      {what: 'their place was cleared away'},
    );
    await until(
      async () =>
        !(
          await ready.listDue(
            {side: 'service', from: 0, perWorkspace: 50, mostOfOne: 500, atMost: 500},
            newDeadline(),
          )
        ).due.some(({work}) => work.kind === 'forget-member'),
      {
        what: 'nothing was left to do',
      },
    );
  });

  it('regression: finds no member by an id that differs only in its time, and changes nothing of the member with the similar id', async () => {
    const {id} = await addPerson(service, workspace);
    const team = await make(workspace, '/v1/teams', {slug: randomName()});
    await workspace.request('PUT', `/v1/teams/${team.id}/members/${id}`, {body: {}});
    const answer = await remove(forged(id), '?erase=true');
    expectProblem(answer, 'not_found');
    const {body} = await workspace.request('GET', `/v1/teams/${team.id}/members`);
    expect(body.data.filter(({member}: Json) => member.id === id)).toHaveLength(1);
  });

  it.each([
    ['name', (id: string) => ({path: `members/${id}`, method: 'PATCH', body: {name: forged(id)}})],
    [
      'metadata',
      (id: string) => ({
        path: 'standups',
        method: 'POST',
        body: {team: 'platform', update: 'Done.', metadata: {like: forged(id)}},
      }),
    ],
  ])('regression: erases a member even if there is a similar id in a %s', async (_, requestOf) => {
    const {id, token} = await addPerson(service, workspace);
    await workspace.request('PUT', `/v1/teams/platform/members/${id}`, {body: {}});
    const text = {team: 'platform', update: 'So far.'};
    expect((await workspace.request('POST', '/v1/standups', {token, body: text})).status).toBe(201);
    const {method, path, body} = requestOf(id);
    const written = await workspace.request(method, `/v1/${path}`, {token, body});
    expect([200, 201]).toContain(written.status);
    expect((await remove(id)).status).toBe(204);
    expect((await remove(id, '?erase=true')).status).toBe(204);
    await until(
      async () => (await workspace.request('GET', `/v1/standups?author=${id}`)).body.data.length === 0,
      {what: 'their standups were erased'},
    );
  });

  it('regression: looks for data to erase only if the caller may remove members', async () => {
    const [ada, grace] = [await addPerson(service, workspace), await addPerson(service, workspace)];
    const {store} = service.core;
    const counted: string[] = [];
    const records = {
      ...store.records,
      count: async (_: string, list: string) => counted.push(list),
    };
    const members = createMemberService(
      createTestContext(service.core, {
        records,
        mutate: async (_, plan) => ({...(await plan(0)), outcome: 'gone', body: '', replayed: false}),
      }),
    );
    const call = {...workspace.operator(), principal: {type: 'member', id: grace.id, name: 'Grace'}} as const;
    expect((await remove(ada.id)).status).toBe(204);
    await expect(members.deleteMember(call, ada.id, {erase: true})).rejects.toMatchObject({
      code: 'forbidden',
    });
    expect(counted).toEqual([]);
  });

  it('removes a member with all 50 tokens, and with more team memberships than fit into one commit', async () => {
    const many = await service.addWorkspace();
    const ada = await addPerson(service, many);
    const {tokens, teams, teamMembers} = service.core.services;
    const holder = {type: 'member', id: ada.id, name: ada.name} as const;
    const values: string[] = [];
    for (let i = 1; i < 50; i++) {
      const input = {name: 'more', holder, scopes: ['standups:read']} as const;
      values.push((await tokens.issueToken(many.operator(), input)).value);
    }
    const slugs = Array.from({length: 40}, (_, i) => `team-${i}`);
    for (const slug of slugs) {
      await teams.createTeam(many.operator(), {slug});
      await teamMembers.setTeamMember(many.operator(), slug, ada.id, 'member');
    }
    expect((await many.request('DELETE', `/v1/members/${ada.id}`)).status).toBe(204);
    for (const token of values) {
      expect((await many.request('GET', '/v1/me', {token})).status).toBe(401);
    }
    await until(async () => (await tokens.listTokens(many.operator())).length === 1, {
      what: 'only the first token of the workspace was left',
    });
  });
});
