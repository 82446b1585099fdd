import {afterAll, beforeAll, beforeEach, expect, it} from '@jest/globals';
import {limits} from '../../../src/domain/core/limits.js';
import {type Json, startService, type TestService, type TestWorkspace} from '../../support/service.js';
import {expectProblem} from '../http/expect-problem.js';
import {make} from '../samples.js';

let service: TestService;
let workspace: TestWorkspace;
let standup: Json;

beforeAll(async () => {
  service = await startService();
});

afterAll(() => service.close());

beforeEach(async () => {
  workspace = await service.addWorkspace();
  standup = await make(workspace, '/v1/standups', {
    team: 'platform',
    update: 'First words.',
    metadata: {ticket: 'A-1'},
  });
});

const revisions = (query = '') => workspace.request('GET', `/v1/standups/${standup.id}/revisions${query}`);

const edit = async (body: Json): Promise<Json> =>
  (await workspace.request('PATCH', `/v1/standups/${standup.id}`, {body})).body;

it('a standup that was never changed has no earlier text', async () => {
  expect((await revisions()).body).toEqual({object: 'list', data: [], has_more: false, next_cursor: null});
});

it('earlier texts are listed newest first, without the present one', async () => {
  const second = await edit({update: 'Second words.'});
  await edit({metadata: {ticket: 'B-2'}});
  // An edit without effect leaves no trace.
  await edit({update: 'Second words.'});
  const {body} = await revisions();
  expect(body.data).toEqual([
    {
      id: expect.stringMatching(/^rev_[0-7][0-9a-hjkmnp-tv-z]{25}$/),
      object: 'standup_revision',
      standup: standup.id,
      update: 'Second words.',
      answers: [],
      questions_version: null,
      date: standup.date,
      metadata: {ticket: 'A-1'},
      revision: 2,
      created_at: second.updated_at,
      updated_at: second.updated_at,
    },
    expect.objectContaining({
      update: 'First words.',
      metadata: {ticket: 'A-1'},
      revision: 1,
      created_at: standup.created_at,
    }),
  ]);
  expect(new Set(body.data.map(({id}: Json) => id)).size).toBe(2);
  expect((await revisions()).body).toEqual(body);
});

it('pages of earlier texts have no gaps or overlaps, even if the text is changed between them', async () => {
  for (let i = 2; i <= 8; i++) await edit({update: `Words ${i}.`});
  const first = await revisions('?limit=3');
  expect(first.body.data.map(({revision}: Json) => revision)).toEqual([7, 6, 5]);
  await edit({update: 'In between.'});
  const second = await revisions(`?limit=3&cursor=${first.body.next_cursor}`);
  expect(second.body.data.map(({revision}: Json) => revision)).toEqual([4, 3, 2]);
  const last = await revisions(`?limit=3&cursor=${second.body.next_cursor}`);
  expect(last.body).toMatchObject({data: [{revision: 1}], has_more: false, next_cursor: null});
});

it('a page of earlier texts has a bounded length, however often a text was changed', async () => {
  for (let i = 0; i <= limits.pageMax; i++) await edit({update: `Words ${i}.`});
  const {body} = await revisions(`?limit=${limits.pageMax}`);
  expect(body.data).toHaveLength(limits.pageMax);
  expect(body.has_more).toBe(true);
});

it("a cursor of one standup's texts is refused for another standup", async () => {
  await edit({update: 'Second words.'});
  await edit({update: 'Third words.'});
  const {next_cursor: cursor} = (await revisions('?limit=1')).body;
  const other = await make(workspace, '/v1/standups', {team: 'platform', update: 'Another.'});
  const path = `/v1/standups/${other.id}/revisions?cursor=${cursor}`;
  expectProblem(await workspace.request('GET', path), 'invalid_cursor', {parameter: 'cursor'});
});

it('earlier texts are removed with their standup, and with its team', async () => {
  await edit({update: 'Second words.'});
  const other = await make(workspace, '/v1/standups', {team: 'platform', update: 'Another.'});
  await workspace.request('DELETE', `/v1/standups/${standup.id}`);
  expectProblem(await revisions(), 'not_found');
  await workspace.request('PATCH', `/v1/standups/${other.id}`, {body: {update: 'Changed.'}});
  await workspace.request('DELETE', '/v1/teams/platform?force=true');
  expectProblem(await workspace.request('GET', `/v1/standups/${other.id}/revisions`), 'not_found');
});

it("the events of a standup show its earlier text, and a deleted standup's last one", async () => {
  const changed = await edit({update: 'Second words.'});
  const body = {team: 'platform', update: 'Other words.'};
  const {slack: _, thread: __, ...other} = await make(workspace, '/v1/standups', body);
  expect((await workspace.request('DELETE', `/v1/standups/${other.id}`)).status).toBe(204);
  const events = await workspace.request('GET', '/v1/events?types=standup.*');
  expect(events.body.data).toMatchObject([
    {type: 'standup.created', data: {id: standup.id, update: 'First words.', revision: 1}},
    {
      type: 'standup.updated',
      data: {revision: changed.revision},
      previous_attributes: {update: 'First words.'},
    },
    {type: 'standup.created', data: other},
    {type: 'standup.deleted', data: other},
  ]);
});
