import {afterAll, beforeAll, describe, expect, it} from '@jest/globals';
import {type Json, startService, type TestService, type TestWorkspace} from '../../support/service.js';
import {expectProblem} from '../http/expect-problem.js';
import {addPerson, type Person} from '../people.js';
import {make} from '../samples.js';

let service: TestService;
let workspace: TestWorkspace;
let ada: Person;

const get = (path: string, token = workspace.token) => workspace.request('GET', path, {token});
/** Follows the cursors. Returns the names on each page. */
const pagesOf = async (path: string, shown: string): Promise<Json[][]> => {
  const pages: Json[][] = [];
  for (let cursor = ''; ; ) {
    const {status, body} = await get(`${path}${cursor}`);
    expect(status).toBe(200);
    pages.push(body.data.map((row: Json) => row[shown]));
    if (!body.has_more) return pages;
    cursor = `&cursor=${body.next_cursor}`;
  }
};
const teams = async (query: string) => (await pagesOf(`/v1/teams?${query}`, 'slug')).flat();
const members = async (query: string) => (await pagesOf(`/v1/members?${query}`, 'name')).flat();

beforeAll(async () => {
  service = await startService();
  workspace = await service.addWorkspace();
  for (const [slug, name] of [
    ['mobile', 'Mobile apps'],
    ['groesse', 'Größe & Maße'],
    ['app-store', 'Distribution'],
  ]) {
    await make(workspace, '/v1/teams', {slug, name});
  }
  ada = await addPerson(service, workspace, {team: 'mobile', email: 'ada@acme.example'});
  await addPerson(service, workspace, {name: 'Søren Ünsal', role: 'admin', team: 'mobile', as: 'lead'});
  await addPerson(service, workspace, {name: 'Adam Zeta', team: 'platform'});
  await workspace.request('PUT', `/v1/teams/app-store/members/${ada.id}`);
});

afterAll(() => service.close());

describe('a list of teams', () => {
  it('finds teams by the beginning of a word of name or slug, whatever case and accents, newest first', async () => {
    expect(await teams('q=APP')).toEqual(['app-store', 'mobile']);
    expect(await teams('q=grosse')).toEqual(['groesse']);
    expect(await teams(`q=${encodeURIComponent('maße größe')}`)).toEqual(['groesse']);
    expect(await teams('q=pps')).toEqual([]);
    expect(await teams('q=.')).toEqual([]);
  });

  it('finds the teams of a member', async () => {
    expect(await teams(`member=${ada.id}`)).toEqual(['app-store', 'mobile']);
    expect(await teams('member=ada@acme.example&q=dist')).toEqual(['app-store']);
    expect((await get('/v1/teams?member=me', ada.token)).body.data).toHaveLength(2);
    expect(await teams('member=mem_01ke6p63x47d1rj6w2t8h9kq5e')).toEqual([]);
  });

  it('returns the teams found in pages', async () => {
    expect(await pagesOf('/v1/teams?q=app&limit=1', 'slug')).toEqual([['app-store'], ['mobile']]);
    expect(await pagesOf('/v1/teams?limit=3', 'slug')).toEqual([
      ['app-store', 'groesse', 'mobile'],
      ['platform'],
    ]);
  });

  it("finds teams by a member's address only for callers who may read members", async () => {
    const {value} = await workspace.addToken({scopes: ['teams:read']});
    expectProblem(await get('/v1/teams?member=ada@acme.example', value), 'insufficient_scope');
    expect((await get(`/v1/teams?member=${ada.id}`, value)).body.data).toHaveLength(2);
  });

  it('is refused for an unknown member, and for an empty search', async () => {
    for (const query of ['member=eda@acme.example', 'member=', 'q=', 'q=%20', `q=${'x'.repeat(101)}`]) {
      const parameter = query.split('=')[0] ?? '';
      expectProblem(await get(`/v1/teams?${query}`), 'invalid_parameter', {parameter});
    }
  });
});

describe('a list of members', () => {
  it('finds members by the beginning of a word of their name, or their address', async () => {
    expect(await members('q=ada')).toEqual(['Adam Zeta', 'Ada Lovelace']);
    expect(await members('q=unsal')).toEqual(['Søren Ünsal']);
    expect(await members('q=acme')).toEqual(['Ada Lovelace']);
    expect(await members('q=lace')).toEqual([]);
    expect(await members('q=ada&role=admin')).toEqual([]);
    expect(await members('q=s&role=admin')).toEqual(['Søren Ünsal']);
  });

  it('finds members by their team, the latest to join first', async () => {
    expect(await members('team=Mobile')).toEqual(['Søren Ünsal', 'Ada Lovelace']);
    expect(await members('team=mobile&q=ada')).toEqual(['Ada Lovelace']);
    expect(await members('team=mobile&role=admin')).toEqual(['Søren Ünsal']);
    expect(await members('team=mobile&email=ada@acme.example')).toEqual(['Ada Lovelace']);
    expect(await members('team=platform&email=ada@acme.example')).toEqual([]);
    expect(await members('email=ada@acme.example&q=zeta')).toEqual([]);
  });

  it('returns the members found in pages', async () => {
    expect(await pagesOf('/v1/members?q=ada&limit=1', 'name')).toEqual([['Adam Zeta'], ['Ada Lovelace']]);
    expect(await pagesOf('/v1/members?team=mobile&limit=1', 'name')).toEqual([
      ['Søren Ünsal'],
      ['Ada Lovelace'],
    ]);
  });

  it('finds members by team only for callers who may read teams, and refuses an unknown team', async () => {
    const {value} = await workspace.addToken({scopes: ['members:read'], name: 'people'});
    expectProblem(await get('/v1/members?team=mobile', value), 'insufficient_scope');
    expectProblem(await get('/v1/members?team=mobil'), 'team_not_found', {parameter: 'team'});
  });

  it('is searched in parts if there are very many members', async () => {
    const crowded = await service.addWorkspace();
    const {members: people} = service.core.services;
    await people.createMember(crowded.operator(), {name: 'Needle'});
    for (let made = 0; made < 1_100; made += 100) {
      await Promise.all(
        Array.from({length: 100}, (_, i) =>
          people.createMember(crowded.operator(), {name: `Hay ${made + i}`}),
        ),
      );
    }
    const first = await crowded.request('GET', '/v1/members?q=needle&limit=10');
    expect(first.body).toMatchObject({data: [], has_more: true});
    const path = `/v1/members?q=needle&limit=10&cursor=${first.body.next_cursor}`;
    const second = await crowded.request('GET', path);
    expect(second.body).toMatchObject({data: [{name: 'Needle'}], has_more: false});
  });
});
