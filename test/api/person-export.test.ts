import {afterAll, beforeAll, expect, it} from '@jest/globals';
import {type Json, startService, type TestService, type TestWorkspace} from '../support/service.js';
import {expectProblem} from './expect-problem.js';
import {addPerson, type Person} from './people.js';

let service: TestService;
let workspace: TestWorkspace;
let ada: Person;

beforeAll(async () => {
  service = await startService();
  workspace = await service.addWorkspace();
  ada = await addPerson(service, workspace, {name: 'Ada', team: 'platform'});
  const own = {token: ada.token};
  for (let i = 0; i < 3; i++) {
    const body = {team: 'platform', update: `Of Ada ${i}`};
    const {body: standup} = await workspace.request('POST', '/v1/standups', {...own, body});
    await workspace.request('PATCH', `/v1/standups/${standup.id}`, {...own, body: {update: `Again ${i}`}});
  }
  await workspace.request('POST', '/v1/blockers', {...own, body: {team: 'platform', text: 'In my way'}});
  await workspace.request('POST', '/v1/standups', {body: {team: 'platform', update: 'Of another.'}});
});

afterAll(() => service.close());

const exported = async (token?: string) => {
  const options = token === undefined ? {} : {token};
  const {status, text, headers} = await workspace.request('GET', `/v1/members/${ada.id}/export`, options);
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe('application/x-ndjson');
  return text
    .trimEnd()
    .split('\n')
    .map((line): Json => JSON.parse(line));
};

it('a person gets everything that is kept of them, each standup with its earlier texts, and nothing of anybody else', async () => {
  const away = {reason: 'Sea', until: null};
  const {body: absence} = await workspace.request('POST', '/v1/absences', {body: away, token: ada.token});
  const rows = await exported(ada.token);
  expect(rows.filter(({object}) => object === 'absence')).toEqual([absence]);
  expect(rows[0]).toMatchObject({object: 'member', id: ada.id});
  const objects = rows.map(({object}) => object);
  expect(objects.filter((object) => object === 'team_member')).toHaveLength(1);
  expect(objects.filter((object) => object === 'access_token')).toHaveLength(1);
  expect(rows.find(({object}) => object === 'blocker')).toMatchObject({text: 'In my way'});
  expect(rows.slice(-6).map(({update}) => update)).toEqual(
    [0, 1, 2].flatMap((i) => [`Again ${i}`, `Of Ada ${i}`]),
  );
  expect(JSON.stringify(rows)).not.toContain('Of another.');
});

it('those who run the workspace get it too, as far as their token reaches; other members do not', async () => {
  const objects = (rows: Json[]) => new Set(rows.map(({object}) => object));
  expect(objects(await exported())).toContain('standup_revision');
  const narrow = await workspace.addToken({scopes: ['members:read']});
  expect(objects(await exported(narrow.value))).toEqual(new Set(['member', 'absence']));
  const other = await addPerson(service, workspace, {team: 'platform', as: 'lead'});
  const refused = await workspace.request('GET', `/v1/members/${ada.id}/export`, {token: other.token});
  expectProblem(refused, 'forbidden');
  const absent = await workspace.request('GET', '/v1/members/mem_01h455vb4pex5vsknk084sn02q/export');
  expectProblem(absent, 'not_found');
});
