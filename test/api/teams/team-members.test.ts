import {afterAll, beforeAll, beforeEach, describe, expect, it} from '@jest/globals';
import {lists} from '../../../src/domain/core/lists.js';
import {type Json, startService, type TestService, type TestWorkspace} from '../../support/service.js';
import {until} from '../../support/until.js';
import {expectProblem} from '../http/expect-problem.js';
import {addPerson} from '../people.js';
import {eventsOf, make, randomName} from '../samples.js';
import type {Id} from '../../../src/domain/core/ids.js';
import type {PrincipalId} from '../../../src/domain/core/access.js';

let service: TestService;
let workspace: TestWorkspace;
let slug: string;
let team: Id<'team'>;

beforeAll(async () => {
  service = await startService();
  workspace = await service.addWorkspace();
});

beforeEach(async () => {
  slug = randomName();
  team = (await make(workspace, '/v1/teams', {slug})).id;
});

afterAll(() => service.close());

const addMember = async (name = 'Ada') => (await make(workspace, '/v1/members', {name})).id as PrincipalId;
const put = (member: string, body?: Json) =>
  workspace.request('PUT', `/v1/teams/${slug}/members/${member}`, body === undefined ? {} : {body});
const list = async (query = '') => (await workspace.request('GET', `/v1/teams/${slug}/members${query}`)).body;
const lastEvent = async () => (await eventsOf(workspace)).at(-1);

describe('PUT /v1/teams/{team}/members/{member}', () => {
  it('adds a member to a team, with Location and an event', async () => {
    const member = await addMember();
    const {status, body, headers} = await put(member);
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^tmb_[0-7][0-9a-hjkmnp-tv-z]{25}$/),
      object: 'team_member',
      accepted: true,
      team: slug,
      team_id: team,
      member: {type: 'member', id: member, name: 'Ada'},
      role: 'member',
      revision: 1,
      created_at: expect.any(String),
      updated_at: body.created_at,
    });
    expect(headers.get('location')).toBe(`/v1/teams/${slug}/members/${member}`);
    const read = await workspace.request('GET', headers.get('location') ?? '');
    const etag = headers.get('etag');
    expect(etag).toMatch(/^"1\./);
    expect({body: read.body, etag: read.headers.get('etag')}).toEqual({body, etag});
    expect(await lastEvent()).toMatchObject({type: 'team.member_added', data: body});
  });

  it('changes nothing if repeated, and only the role if that differs', async () => {
    const member = await addMember();
    const {body: first} = await put(member, {role: 'member'});
    const events = await eventsOf(workspace);
    expect(await put(member)).toMatchObject({status: 200, body: first});
    expect(await eventsOf(workspace)).toEqual(events);
    const {status, body} = await put(member, {role: 'lead'});
    expect({status, body}).toMatchObject({status: 200, body: {id: first.id, role: 'lead', revision: 2}});
    expect(await lastEvent()).toMatchObject({
      type: 'team.member_updated',
      data: body,
      previous_attributes: {role: 'member'},
    });
  });

  it('adds a member once in 10 concurrent requests', async () => {
    const member = await addMember();
    const answers = await Promise.all(Array.from({length: 10}, () => put(member)));
    expect(answers.map(({status}) => status).toSorted()).toEqual([
      ...Array.from({length: 9}, () => 200),
      201,
    ]);
    expect((await list()).data).toHaveLength(1);
  });

  it.each([
    [{role: 'king'}, '#/role'],
    [{lead: true}, '#/lead'],
    [[], '#'],
  ])('refuses %j', async (body, pointer) => {
    expectProblem(await put(await addMember(), body), 'validation_failed', {pointer});
  });

  it('does not find an unknown team or member', async () => {
    const member = await addMember();
    const unknown = 'mem_01jd0000007000000000000000';
    for (const path of [`nobody/members/${member}`, `${slug}/members/${unknown}`, `${slug}/members/ada`]) {
      expectProblem(await workspace.request('PUT', `/v1/teams/${path}`), 'not_found');
    }
  });
});

describe('regression: PUT with If-Match', () => {
  const putIf = (member: string, revision: string, role: string) =>
    workspace.request('PUT', `/v1/teams/${slug}/members/${member}`, {
      headers: {'if-match': revision},
      body: {role},
    });

  it('changes only the named revision', async () => {
    const member = await addMember();
    await put(member);
    const {headers} = await putIf(member, '"99"', 'lead');
    expect(headers.get('etag')).toBe('"1"');
    expectProblem(await putIf(member, '"99"', 'lead'), 'precondition_failed');
    expect((await putIf(member, '"1"', 'lead')).body).toMatchObject({role: 'lead', revision: 2});
  });

  it('adds no member, since there is no revision yet', async () => {
    const member = await addMember();
    for (const revision of ['*', '"1"']) {
      expectProblem(await putIf(member, revision, 'lead'), 'not_found');
    }
    expect((await list()).data).toEqual([]);
  });
});

describe('the members of a team', () => {
  it('are listed newest first, in pages, under their present names', async () => {
    const ids: string[] = [];
    for (const name of ['one', 'two', 'three']) ids.push(await addMember(name));
    for (const id of ids) await put(id);
    await workspace.request('PATCH', `/v1/members/${ids[2]}`, {body: {name: 'renamed'}});
    const first = await list('?limit=2');
    expect(first.data.map(({member}: Json) => member.name)).toEqual(['renamed', 'two']);
    const second = await list(`?limit=2&cursor=${first.next_cursor}`);
    expect(second).toMatchObject({data: [{member: {name: 'one'}}], has_more: false, next_cursor: null});
  });

  it('begin with the member who created the team, as its lead, with events', async () => {
    const ada = await addPerson(service, workspace);
    slug = randomName();
    const made = await workspace.request('POST', '/v1/teams', {body: {slug}, token: ada.token});
    const {data} = await list();
    expect(data).toMatchObject([{team: slug, team_id: made.body.id, member: {id: ada.id}, role: 'lead'}]);
    expect((await eventsOf(workspace)).slice(-2)).toMatchObject([
      {type: 'team.created', data: made.body},
      {type: 'team.member_added', data: data[0]},
    ]);
  });
});

describe('DELETE /v1/teams/{team}/members/{member}', () => {
  const remove = (member: string, headers: Record<string, string> = {}) =>
    workspace.request('DELETE', `/v1/teams/${slug}/members/${member}`, {headers});

  it('removes a member with an event, and a member who returns has a new membership', async () => {
    const member = await addMember();
    const {body} = await put(member);
    expect((await remove(member)).status).toBe(204);
    expect(await lastEvent()).toMatchObject({type: 'team.member_removed', data: body});
    expect((await list()).data).toEqual([]);
    expectProblem(await remove(member), 'not_found');
    const again = await put(member);
    expect(again.status).toBe(201);
    expect(again.body.id).not.toBe(body.id);
  });

  it('respects If-Match', async () => {
    const member = await addMember();
    await put(member);
    expectProblem(await remove(member, {'if-match': '"2"'}), 'precondition_failed');
    expect((await remove(member, {'if-match': '"1"'})).status).toBe(204);
  });

  it('ends the right to post for the team, and leaves existing posts', async () => {
    const ada = await addPerson(service, workspace, {team: slug});
    const post = () =>
      workspace.request('POST', '/v1/standups', {body: {team: slug, update: 'A'}, token: ada.token});
    const {body} = await post();
    await remove(ada.id);
    expectProblem(await post(), 'forbidden');
    expect((await workspace.request('GET', `/v1/standups/${body.id}`)).status).toBe(200);
  });
});

it('a deleted team leaves no membership behind', async () => {
  const {services} = service.core;
  for (let i = 0; i < 40; i++) {
    const {id = ''} = await services.members.createMember(workspace.operator(), {name: `m${i}`});
    await services.teamMembers.setTeamMember(workspace.operator(), slug, id, 'member');
  }
  const last = await addMember('last');
  await put(last);
  expect((await workspace.request('DELETE', `/v1/teams/${slug}`)).status).toBe(204);
  expectProblem(await workspace.request('GET', `/v1/teams/${slug}/members`), 'not_found');
  const {records} = service.core.store;
  const left = async (name: ReturnType<typeof lists.teamMembers>) =>
    records.count(workspace.id, name, performance.now() + 1_000);
  await until(
    async () => (await left(lists.teamMembers(team))) + (await left(lists.teamsOfMember(last))) === 0,
    {what: 'no place was left'},
  );
});
