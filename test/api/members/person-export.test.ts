import type {Records} from '../../../src/store/core/records.js';
import {createTestContext} from '../../support/service-context.js';
import {afterAll, beforeAll, beforeEach, expect, it} from '@jest/globals';
import {createPersonExporter} from '../../../src/service/members/person-export.js';
import {type Json, startService, type TestService, type TestWorkspace} from '../../support/service.js';
import {expectProblem} from '../http/expect-problem.js';
import {addPerson, type Person} from '../people.js';

let service: TestService;
let workspace: TestWorkspace;
let ada: Person;
let absence: Json;

beforeAll(async () => {
  service = await startService();
});

beforeEach(async () => {
  workspace = await service.addWorkspace();
  ada = await addPerson(service, workspace, {name: 'Ada', team: 'platform'});
  const own = {token: ada.token};
  for (let i = 0; i < 3; i++) {
    const body = {team: 'platform', update: `Of Ada ${i}`};
    const {body: standup} = await workspace.request('POST', '/v1/standups', {...own, body});
    await workspace.request('PATCH', `/v1/standups/${standup.id}`, {...own, body: {update: `Again ${i}`}});
    if (i > 0) continue;
    const react = (change: Json, more: Json) =>
      workspace.request('POST', '/v1/reactions', {...more, body: {subject: standup.id, ...change}});
    await react({add: ['👍', '🎉']}, own);
    await react({remove: ['👍']}, own);
    await react({add: ['👀']}, {});
  }
  await workspace.request('POST', '/v1/blockers', {...own, body: {team: 'platform', text: 'In my way'}});
  const away = {reason: 'Sea', until: null};
  absence = (await workspace.request('POST', '/v1/absences', {...own, body: away})).body;
  await workspace.request('POST', '/v1/standups', {body: {team: 'platform', update: 'Of another.'}});
});

afterAll(() => service.close());

const exported = async (token?: string, {id}: Pick<Person, 'id'> = ada) => {
  const options = token === undefined ? {} : {token};
  const {status, text, headers} = await workspace.request('GET', `/v1/members/${id}/export`, options);
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe('application/x-ndjson');
  return text
    .trimEnd()
    .split('\n')
    .map((line): Json => JSON.parse(line));
};

it("a person's export contains all their data, each standup with its earlier texts, and nothing of others", async () => {
  const rows = await exported(ada.token);
  expect(rows.filter(({object}) => object === 'absence')).toEqual([absence]);
  expect(rows[0]).toMatchObject({object: 'member', id: ada.id});
  const objects = rows.map(({object}) => object);
  expect(objects.filter((object) => object === 'team_member')).toHaveLength(1);
  expect(objects.filter((object) => object === 'access_token')).toHaveLength(1);
  expect(rows.find(({object}) => object === 'reaction')).toMatchObject({emoji: ['🎉']});
  expect(rows.find(({object}) => object === 'reaction_revision')).toMatchObject({emoji: ['👍', '🎉']});
  expect(rows.find(({object}) => object === 'blocker')).toMatchObject({text: 'In my way'});
  const texts = rows.filter(({object}) => object.startsWith('standup')).map(({update}) => update);
  expect(texts).toEqual([0, 1, 2].flatMap((i) => [`Again ${i}`, `Of Ada ${i}`]));
  expect(JSON.stringify(rows)).not.toContain('Of another.');
});

it("a person's export ends with the items of their inbox that its caller may see, without what others wrote", async () => {
  const {body: posted} = await workspace.request('GET', `/v1/standups?author=${ada.id}&limit=1`);
  const [{id: standup}] = posted.data;
  await workspace.request('POST', '/v1/comments', {body: {standup, text: 'Of another'}});
  const itemsOf = async (token?: string) =>
    (await exported(token)).filter(({object}) => object === 'inbox_item');
  const item = {standup, unread: 1, latest: {reason: 'reply', excerpt: null}};
  expect((await itemsOf(ada.token)).find((one) => one['standup'] === standup)).toMatchObject(item);
  expect(await itemsOf()).toHaveLength((await itemsOf(ada.token)).length);
  const {token} = await addPerson(service, workspace, {name: 'Olga', role: 'owner'});
  await workspace.request('DELETE', `/v1/teams/platform/members/${ada.id}`, {token});
  await workspace.request('PATCH', '/v1/teams/platform', {token, body: {visibility: 'private'}});
  expect(await itemsOf(ada.token)).toEqual([]);
});

it('managers of the workspace can export a person as far as their token allows, and other members cannot', async () => {
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

it('the export of a person contains earlier texts of absences and blockers, and the absences that the person entered for others', async () => {
  const lead = await addPerson(service, workspace, {name: 'Lea', team: 'platform', as: 'lead'});
  const own = {token: lead.token};
  const entered = {member: ada.id, team: 'platform', until: null, reason: 'As she told me'};
  const {body: absence} = await workspace.request('POST', '/v1/absences', {...own, body: entered});
  const change = (path: string, body: object) => workspace.request('PATCH', path, {...own, body});
  const {body: changed} = await change(`/v1/absences/${absence.id}`, {reason: 'As we all know'});
  const raised = {team: 'platform', text: 'The first text'};
  const {body: blocker} = await workspace.request('POST', '/v1/blockers', {...own, body: raised});
  await change(`/v1/blockers/${blocker.id}`, {text: 'The second text'});
  const {body: last} = await change(`/v1/blockers/${blocker.id}`, {state: 'resolved'});

  const rows = await exported(lead.token, lead);
  expect(rows.filter(({object}) => object.startsWith('absence'))).toEqual([
    changed,
    {...absence, object: 'absence_revision'},
  ]);
  const blockers = rows.filter(({object}) => object.startsWith('blocker'));
  expect(blockers.map(({object, id, revision, text}) => [object, id, revision, text])).toEqual([
    ['blocker', last.id, 3, 'The second text'],
    ['blocker_revision', last.id, 2, 'The second text'],
    ['blocker_revision', last.id, 1, 'The first text'],
  ]);
  const absences = (await exported(ada.token)).filter(({object}) => object.startsWith('absence'));
  expect(absences.filter(({id}) => id === absence.id)).toHaveLength(2);
});

it('the export of a person contains their comments with earlier texts, and no comment of others', async () => {
  const {body: posted} = await workspace.request('GET', '/v1/standups?limit=1');
  const [{id: standup}] = posted.data;
  const own = {token: ada.token};
  const said = {standup, text: 'The first words'};
  const {body: comment} = await workspace.request('POST', '/v1/comments', {...own, body: said});
  const again = {body: {text: 'The second words'}};
  const {body: changed} = await workspace.request('PATCH', `/v1/comments/${comment.id}`, {...own, ...again});
  await workspace.request('POST', '/v1/comments', {body: {standup, text: 'Of somebody else'}});
  const comments = (await exported(ada.token)).filter(({object}) => object.startsWith('comment'));
  expect(comments).toEqual([changed, {...comment, object: 'comment_revision'}]);
});

it("regression: a person's export shows each token like the list of tokens, with its last use", async () => {
  const maker = await addPerson(service, workspace, {name: 'Mia', role: 'admin'});
  const body = {name: 'Made for Ada', member: ada.id};
  await workspace.request('POST', '/v1/tokens', {token: maker.token, body});
  const rows = await exported(maker.token, maker);
  const [own, ...made] = rows.filter(({object}) => object === 'access_token');
  const {body: shown} = await workspace.request('GET', `/v1/tokens/${own.id}`);
  expect(own).toEqual({...shown, last_used_at: expect.stringMatching(/Z$/)});
  expect(made).toEqual([expect.objectContaining({name: 'Made for Ada', last_used_at: null})]);
});

it("regression: a person's export reads twenty earlier texts of one standup at a time", async () => {
  const own = {token: ada.token};
  const {body: first} = await workspace.request('GET', `/v1/standups?author=${ada.id}&limit=1`, own);
  const {id} = first.data[0];
  for (let i = 0; i < 44; i += 1)
    await workspace.request('PATCH', `/v1/standups/${id}`, {...own, body: {update: `Text ${i}`}});
  const {store} = service.core;
  let [underWay, most, largest] = [0, 0, 0];
  const records: Records = {
    ...store.records,
    async listRevisions(...args) {
      underWay += 1;
      most = Math.max(most, underWay);
      const found = await store.records.listRevisions(...args);
      underWay -= 1;
      largest = Math.max(largest, found.length);
      return found;
    },
  };
  const exportPerson = createPersonExporter(
    createTestContext(service.core, {records}),
    service.core.services,
  );
  const {pages} = await exportPerson(workspace.operator(), ada.id);
  const rows: Json[] = [];
  for await (const page of pages()) rows.push(...page.map((json) => JSON.parse(json)));
  expect({most, largest}).toEqual({most: 1, largest: 20});
  const texts = rows.flatMap((row) => (row.standup === id ? [row.revision] : []));
  expect(texts).toEqual(Array.from({length: 45}, (_, i) => 45 - i));
});
