// test/api/imports: what an import creates, its authors, and what it never does.
import {afterAll, beforeAll, beforeEach, expect, it} from '@jest/globals';
import {type Json, startService, type TestService, type TestWorkspace} from '../../support/service.js';
import {lifetimes} from '../../../src/domain/core/limits.js';
import {lists} from '../../../src/domain/core/lists.js';
import {workspaceKeys} from '../../../src/store/core/keys.js';
import {closeRun, seedRun} from '../../support/seed-runs.js';
import {until} from '../../support/until.js';
import {expectProblem} from '../http/expect-problem.js';
import {addPerson} from '../people.js';
import {eventsOf, make, randomName} from '../samples.js';
import {dumpRedis} from '../../store/dump.js';

let service: TestService;
let workspace: TestWorkspace;

beforeAll(async () => {
  service = await startService();
});

beforeEach(async () => {
  workspace = await service.addWorkspace();
});

afterAll(() => service.close());

const none = {
  created: 0,
  existing: 0,
  unknown_team: 0,
  bad_date: 0,
  older_than_retention: 0,
  run_exists: 0,
  left_out: 0,
  invalid: 0,
};

const begin = (body: Json = {}) => make(workspace, '/v1/imports', {source: 'geekbot', ...body});

const send = (of: Json, rows: readonly Json[], headers: Record<string, string> = {}) =>
  workspace.request('POST', `/v1/imports/${of.id}/rows`, {body: {rows}, headers});

async function add(of: Json, rows: readonly Json[]): Promise<Json> {
  const {status, body, text} = await send(of, rows);
  if (status !== 200) throw new Error(`${status} ${text}`);
  return body;
}

const narrowToken = async (scopes: readonly string[]): Promise<string> =>
  (await make(workspace, '/v1/tokens', {name: 'narrow', scopes})).token;

const finish = (of: Json) => workspace.request('POST', `/v1/imports/${of.id}/finish`);
const find = async (of: Json) => (await workspace.request('GET', `/v1/imports/${of.id}`)).body;
const list = async (query = '') =>
  (await workspace.request('GET', `/v1/standups?limit=100${query}`)).body.data as Json[];

let lastRow = 0;

const rowOf = (more: Json = {}): Json => ({
  external_id: `r${++lastRow}`,
  team: 'platform',
  date: '2024-03-14',
  author: {name: 'Ada Lovelace'},
  update: 'Shipped the importer.',
  ...more,
});

async function takeBack(of: Json): Promise<Json> {
  const {status} = await workspace.request('DELETE', `/v1/imports/${of.id}?rows=remove`);
  expect(status).toBe(204);
  return until(
    async () => {
      const found = await find(of);
      return found.state === 'removed' ? found : undefined;
    },
    {what: 'the end of taking back'},
  );
}

it('an import creates standups with their source, day and author, and one event at its end', async () => {
  const before = (await eventsOf(workspace)).length;
  const started = await begin();
  expect(started).toMatchObject({object: 'import', state: 'open', counts: none, revision: 1});
  const added = await add(started, [
    rowOf({external_id: '7431', posted_at: '2024-03-14T09:12:00+01:00'}),
    rowOf({
      date: '2024-03-15',
      update: undefined,
      answers: [
        {question: 'today', label: 'What is next?', type: 'text', value: 'The retry page.'},
        {question: 'mood', label: 'Mood', type: 'mood', value: 4},
      ],
    }),
  ]);
  expect(added).toMatchObject({import: started.id, counts: {...none, created: 2}, not_created: []});
  const [later, earlier] = await list();
  expect(earlier).toMatchObject({
    date: '2024-03-14',
    source: 'import',
    late: false,
    update: 'Shipped the importer.',
    questions_version: null,
    imported: {
      import: started.id,
      source: 'geekbot',
      external_id: '7431',
      posted_at: '2024-03-14T08:12:00.000Z',
    },
    slack: null,
  });
  expect(later?.update).toBe('What is next? The retry page.\nMood: good (4 of 5)');
  const finished = await finish(started);
  expect(finished.body).toMatchObject({
    state: 'completed',
    counts: {created: 2},
    ended_at: expect.any(String),
  });
  expect((await finish(started)).body).toEqual(finished.body);
  const events = (await eventsOf(workspace)).slice(before);
  expect(events.map(({type}) => type)).toEqual(['import.completed']);
  expect(events[0]?.data).toEqual(finished.body);
});

it('the export as CSV names the source, the id and the time of an imported standup, and none of another one', async () => {
  const started = await begin();
  await add(started, [rowOf({external_id: '7431', posted_at: '2024-03-14T09:12:00+01:00'})]);
  await make(workspace, '/v1/standups', {team: 'platform', update: 'Posted here.'});
  const {text} = await workspace.request('GET', '/v1/export?format=csv&order=asc');
  const [head = '', ...rows] = text.trimEnd().split('\r\n');
  expect(head).toMatch(/,imported_source,imported_external_id,imported_posted_at,format,update_plain$/);
  expect(rows).toEqual([
    expect.stringMatching(/,geekbot,7431,2024-03-14T08:12:00\.000Z,plain,[^,]+$/),
    expect.stringMatching(/,,,,plain,Posted here\.$/),
  ]);
});

it('a second run of the same rows creates nothing, and another source may use the same ids', async () => {
  const rows = [rowOf(), rowOf(), rowOf()];
  const first = await begin();
  expect((await add(first, rows)).counts).toEqual({...none, created: 3});
  await finish(first);
  const second = await begin();
  const again = await add(second, rows);
  expect(again.counts).toEqual({...none, existing: 3});
  expect(again.not_created.map(({outcome}: Json) => outcome)).toEqual(['existing', 'existing', 'existing']);
  await finish(second);
  const other = await begin({source: 'dailybot'});
  expect((await add(other, rows)).counts).toEqual({...none, created: 3});
  expect(await list()).toHaveLength(6);
});

it('the same row twice is created once, in one request and in two at the same moment', async () => {
  const started = await begin();
  const twice = rowOf();
  expect((await add(started, [twice, twice])).counts).toEqual({...none, created: 1, existing: 1});
  const rows = Array.from({length: 20}, () => rowOf());
  const answers = await Promise.all([add(started, rows), add(started, rows), add(started, rows)]);
  const created = answers.reduce((sum, {counts}) => sum + counts.created, 0);
  expect(created).toBe(20);
  expect(await list()).toHaveLength(21);
  expect((await find(started)).counts).toEqual({...none, created: 21, existing: 41});
});

it('a repeat with the same key gets the same answer, and a key with other rows is refused', async () => {
  const started = await begin();
  const rows = [rowOf(), rowOf({date: '1999-12-31'})];
  const headers = {'Idempotency-Key': 'chunk-1'};
  const first = await send(started, rows, headers);
  const again = await send(started, rows, headers);
  expect(again.body).toEqual(first.body);
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  expectProblem(await send(started, [rowOf()], headers), 'idempotency_key_reused');
  expect((await find(started)).counts).toEqual({...none, created: 1, bad_date: 1});
});

it('the same key in several requests at the same moment adds the rows once, and counts them once', async () => {
  const started = await begin();
  const rows = Array.from({length: 100}, () => rowOf());
  const headers = {'Idempotency-Key': 'chunk-2'};
  const answers = await Promise.all(Array.from({length: 5}, () => send(started, rows, headers)));
  expect(new Set(answers.map(({text}) => text)).size).toBe(1);
  expect(answers.filter(({headers: got}) => got.get('idempotent-replayed') === null)).toHaveLength(1);
  expect((await find(started)).counts).toEqual({...none, created: 100});
  await finish(started);
  expectProblem(await send(await begin(), rows, headers), 'idempotency_key_reused');
});

it('each row that cannot be imported has an outcome of its own, and the others are created', async () => {
  const started = await begin({people: [{person: 'U1', member: null}]});
  await seedRun(service, workspace, {date: '2025-12-01', closes_at: '2025-12-01T10:00:00.000Z'});
  const added = await add(started, [
    rowOf(),
    rowOf({team: 'no-such-team'}),
    rowOf({date: '1999-12-31'}),
    rowOf({date: '2999-01-01'}),
    rowOf({posted_at: '9999-12-31T23:59:59-12:00'}),
    rowOf({date: undefined, posted_at: '0999-01-01T00:00:00+14:00'}),
    rowOf({date: '2025-12-01'}),
    rowOf({author: {name: 'Left out', external_id: 'U1'}}),
    rowOf({date: '2023-02-30', colour: 'red'}),
    'no row at all',
    rowOf({update: undefined}),
    rowOf({update: undefined, answers: [{question: 'm', label: 'Mood', type: 'mood', value: 'fine'}]}),
  ]);
  expect(added.not_created.map(({index, outcome}: Json) => [index, outcome])).toEqual([
    [1, 'unknown_team'],
    [2, 'bad_date'],
    [3, 'bad_date'],
    [4, 'bad_date'],
    [5, 'bad_date'],
    [6, 'run_exists'],
    [7, 'left_out'],
    [8, 'invalid'],
    [9, 'invalid'],
    [10, 'invalid'],
    [11, 'invalid'],
  ]);
  const pointers = added.not_created.map(({errors}: Json) => errors.map(({pointer}: Json) => pointer));
  expect(pointers.slice(7)).toEqual([['#/date', '#/colour'], ['#'], ['#/update'], ['#/answers/0/value']]);
  expect(await list()).toHaveLength(1);
});

it('a row is not called imported because of a refused row with its id in the same request', async () => {
  const started = await begin({people: [{person: 'U1', member: null}]});
  await seedRun(service, workspace, {date: '2025-12-01', closes_at: '2025-12-01T10:00:00.000Z'});
  const refused: Json[] = [
    {date: '1999-12-31'},
    {date: '2025-12-01'},
    {author: {name: 'Left out', external_id: 'U1'}},
  ];
  const rows = refused.flatMap((wrong) => {
    const right = rowOf();
    return [{...right, ...wrong}, right];
  });
  const {counts} = await add(started, rows);
  expect(counts).toEqual({...none, created: 3, bad_date: 1, run_exists: 1, left_out: 1});
  expect(await list()).toHaveLength(3);
});

it('a person is the same in all rows of a request, also where only one of these has the address', async () => {
  const ada = await make(workspace, '/v1/members', {name: 'Ada', email: 'ada@example.com'});
  const author = {name: 'A. L.', external_id: 'U9'};
  const {authors} = await add(await begin(), [
    rowOf({author: {...author, email: 'ada@example.com'}}),
    rowOf({author}),
  ]);
  expect(authors.map(({member}: Json) => member)).toEqual([ada.id]);
});

it('no row is called imported that an import under way of being taken back removes', async () => {
  const rows = Array.from({length: 30}, () => rowOf());
  const [first, other] = [await begin(), rowOf()];
  await add(first, rows);
  await finish(first);
  const second = await begin({dry_run: true});
  const {commits} = service.core.store;
  const {run} = commits;
  const {promise: released, resolve: release} = Promise.withResolvers<void>();
  Object.assign(commits, {
    async run(...given: Parameters<typeof run>) {
      if (given[1].writes.some((write) => write.do === 'free-name')) await released;
      return run(...given);
    },
  });
  try {
    await workspace.request('DELETE', `/v1/imports/${first.id}?rows=remove`);
    const begun = await workspace.request('POST', '/v1/imports', {body: {source: 'geekbot'}});
    expectProblem(begun, 'limit_reached');
    expect(begun.body.detail).toContain(first.id);
    expect((await add(second, [other])).counts).toEqual({...none, created: 1});
  } finally {
    release();
    Object.assign(commits, {run});
  }
  await until(async () => (await find(first)).state === 'removed', {what: 'the end of taking back'});
  expect((await add(await begin(), rows)).counts).toEqual({...none, created: 30});
});

it('an earlier import is not taken back while another one is open', async () => {
  const rows = [rowOf()];
  const first = await begin();
  await add(first, rows);
  await finish(first);
  const second = await begin();
  const refused = await workspace.request('DELETE', `/v1/imports/${first.id}?rows=remove`);
  expectProblem(refused, 'limit_reached');
  expect(refused.body.detail).toContain(second.id);
  expect((await add(second, rows)).counts).toEqual({...none, existing: 1});
  await finish(second);
  expect(await takeBack(first)).toMatchObject({removed: 1});
});

it('a row that retention would delete at once is not imported', async () => {
  await workspace.request('PATCH', '/v1/workspace', {body: {retention_days: 30}});
  const recent = new Date(Date.now() - 5 * 86_400_000).toISOString().slice(0, 10);
  const added = await add(await begin(), [rowOf(), rowOf({date: recent})]);
  expect(added.counts).toEqual({...none, created: 1, older_than_retention: 1});
});

it('an author is the member that `people` names, or the one with the address, and never one by name', async () => {
  const ada = await make(workspace, '/v1/members', {name: 'Ada Lovelace', email: 'ada@example.com'});
  const grace = await make(workspace, '/v1/members', {name: 'Grace Hopper'});
  const started = await begin({
    people: [
      {person: 'U7', member: grace.id},
      {person: 'Linus@Example.com', by: 'email', member: 'former'},
    ],
  });
  const {authors} = await add(started, [
    rowOf({author: {name: 'G. H.', external_id: 'U7', email: 'ada@example.com'}}),
    rowOf({author: {name: 'A. L.', email: 'ADA@example.com'}}),
    rowOf({author: {name: 'Ada Lovelace'}}),
    rowOf({author: {name: 'Linus', email: 'linus@example.com'}}),
  ]);
  expect(authors.map(({index, former}: Json) => [index, former])).toEqual([
    [0, false],
    [1, false],
    [2, true],
    [3, true],
  ]);
  const found = (await list()).toReversed().map(({author}) => author);
  expect(found.slice(0, 2)).toEqual([
    {type: 'member', id: grace.id, name: 'Grace Hopper'},
    {type: 'member', id: ada.id, name: 'Ada Lovelace'},
  ]);
  expect(found[2]?.id).not.toBe(ada.id);
  expect(found[2]?.id).toMatch(/^mem_0{10}/);
});

it('a person of the source whose name is the id or the address of another one does not become that person', async () => {
  const grace = await make(workspace, '/v1/members', {name: 'Grace Hopper', email: 'grace@example.com'});
  const started = await begin({
    people: [
      {person: 'U7', member: grace.id},
      {person: 'boss@example.com', by: 'email', member: grace.id},
      {person: 'Grace H.', by: 'name', member: grace.id},
    ],
  });
  const {authors} = await add(started, [
    rowOf({author: {name: 'U7'}}),
    rowOf({author: {name: 'boss@example.com'}}),
    rowOf({author: {name: 'grace@example.com'}}),
    rowOf({author: {name: 'Grace H.', external_id: 'U8'}}),
    rowOf({author: {name: 'Grace H.'}}),
    rowOf({author: {name: 'The boss', external_id: 'U9', email: 'Boss@example.com'}}),
  ]);
  expect(authors.map(({former}: Json) => former)).toEqual([true, true, true, true, false, false]);
});

it('the store keeps no address of the source, and a name only in standups', async () => {
  const person = `${randomName()}@example.com`;
  const name = `Zed ${randomName()}`;
  const started = await begin({people: [{person, by: 'email', member: 'former'}]});
  const invalid = {...rowOf({author: {name, email: person}}), date: 'today'};
  await send(started, [rowOf({author: {name, email: person}}), invalid], {'Idempotency-Key': 'kept'});
  const lines = (await dumpRedis(service.redisUrl)).text.split('\n');
  expect(lines.filter((line) => line.includes(person))).toEqual([]);
  const named = lines.filter((line) => line.includes(name));
  expect(named).toHaveLength(1);
  expect(named[0]).toMatch(/:r:\w+ string .*std_/);
});

it('rows that arrive while their import is taken back are refused or taken back, too', async () => {
  const started = await begin();
  await add(started, [rowOf()]);
  const sent = Array.from({length: 6}, () => send(started, [rowOf(), rowOf(), rowOf()]));
  const found = await takeBack(started);
  const statuses = (await Promise.all(sent)).map(({status}) => status);
  expect(statuses.every((status) => status === 200 || status === 409)).toBe(true);
  expect(await list()).toEqual([]);
  expect(found.removed).toBe(found.counts.created);
});

it('a former member keeps one id, is no member, and can be erased with all that they wrote', async () => {
  const author = {name: 'Gone Long Ago', external_id: 'U404'};
  const first = await begin();
  await add(first, [rowOf({author}), rowOf({author, date: '2024-03-15'})]);
  await finish(first);
  const second = await begin();
  const rows = [rowOf({author, date: '2024-03-16'})];
  await add(second, rows);
  const [former, ...others] = new Set((await list()).map((standup) => standup.author.id as string));
  expect(others).toEqual([]);
  expect((await workspace.request('GET', `/v1/members/${former}`)).status).toBe(404);
  const {status} = await workspace.request('DELETE', `/v1/members/${former}?erase=true`);
  expect(status).toBe(204);
  await until(async () => (await list()).length === 0, {what: 'the standups were erased'});
  expect((await add(second, rows)).counts).toEqual({...none, existing: 1});
  const more = [rowOf({author, date: '2024-03-17'}), rowOf({author: {name: 'Still here'}})];
  const later = await add(second, more);
  expect(later.counts).toEqual({...none, created: 1, left_out: 1});
  expect(later.authors[0]).toEqual({index: 0, member: null, former: false});
  await finish(second);
  expect((await add(await begin({dry_run: true}), more)).counts).toEqual({...none, existing: 1, left_out: 1});
  expect((await list()).map((standup) => standup.author.name)).toEqual(['Still here']);
});

it('a row that is added while its former author is erased is refused or erased', async () => {
  const author = {name: 'Gone Long Ago', external_id: 'U405'};
  const started = await begin();
  await add(started, [rowOf({author})]);
  const [standup] = await list();
  await Promise.all([
    ...Array.from({length: 8}, () => add(started, [rowOf({author})])),
    workspace.request('DELETE', `/v1/members/${standup?.author.id}?erase=true`),
  ]);
  await until(async () => (await list()).length === 0, {what: 'the standups were erased'});
});

it('a standup of a person who was erased since is not imported again', async () => {
  const ada = await make(workspace, '/v1/members', {name: 'Ada', email: 'ada@example.com'});
  const rows = [rowOf({author: {name: 'Ada', email: 'ada@example.com'}})];
  const first = await begin();
  await add(first, rows);
  await finish(first);
  expect((await list())[0]?.author.id).toBe(ada.id);
  await workspace.request('DELETE', `/v1/members/${ada.id}?erase=true`);
  await until(async () => (await list()).length === 0, {what: 'the standups were erased'});
  expect((await add(await begin(), rows)).counts).toEqual({...none, existing: 1});
  expect(await list()).toEqual([]);
});

it('the day comes from the zone of the row, of the import or of the team, in this order', async () => {
  const slug = (await make(workspace, '/v1/teams', {slug: randomName(), timezone: 'Asia/Tokyo'})).slug;
  const late = {date: undefined, posted_at: '2024-03-14T22:30:00Z', team: slug};
  const dateOf = async (of: Json, more: Json = {}) => {
    const {near_midnight: near} = await add(of, [rowOf({...late, ...more})]);
    const [standup] = await list(`&team=${slug}&order=desc`);
    await workspace.request('DELETE', `/v1/standups/${standup?.id}`);
    return [standup?.date, near];
  };
  const ofTeam = await begin();
  expect(await dateOf(ofTeam)).toEqual(['2024-03-15', 0]);
  await finish(ofTeam);
  const ofImport = await begin({timezone: 'UTC'});
  expect(await dateOf(ofImport)).toEqual(['2024-03-14', 1]);
  expect(await dateOf(ofImport, {timezone: 'Europe/Berlin'})).toEqual(['2024-03-14', 1]);
  expect((await find(ofImport)).near_midnight).toBe(2);
});

it('a dry run counts and creates nothing, has no event, and does not keep an import from beginning', async () => {
  const before = (await eventsOf(workspace)).length;
  const dry = await begin({dry_run: true});
  const rows = [rowOf(), rowOf({team: 'no-such-team'})];
  expect((await add(dry, rows)).counts).toEqual({...none, created: 1, unknown_team: 1});
  const real = await begin();
  expect((await finish(dry)).body).toMatchObject({state: 'completed', dry_run: true});
  expect(await list()).toEqual([]);
  expect((await add(real, rows)).counts).toEqual({...none, created: 1, unknown_team: 1});
  expect(await eventsOf(workspace)).toHaveLength(before);
});

it('a workspace has one open import, and a finished or cancelled one takes no rows', async () => {
  const first = await begin();
  const refused = await workspace.request('POST', '/v1/imports', {body: {source: 'csv'}});
  expectProblem(refused, 'limit_reached');
  expect(refused.body.detail).toContain(first.id);
  await finish(first);
  expectProblem(await send(first, [rowOf()]), 'import_closed');
  const second = await begin();
  expect((await workspace.request('DELETE', `/v1/imports/${second.id}`)).status).toBe(204);
  expectProblem(await send(second, [rowOf()]), 'import_closed');
  expectProblem(await finish(second), 'import_closed');
  expect((await find(second)).state).toBe('cancelled');
  expect((await workspace.request('GET', '/v1/imports')).body.data.map(({id}: Json) => id)).toEqual([
    second.id,
    first.id,
  ]);
});

it('taking back removes what no one has edited, without events, and its rows can be imported again', async () => {
  const started = await begin();
  const rows = Array.from({length: 60}, (_, i) => rowOf({date: `2024-0${1 + (i % 9)}-1${i % 10}`}));
  await add(started, rows);
  const [edited] = await list('&order=asc');
  await workspace.request('PATCH', `/v1/standups/${edited?.id}`, {body: {update: 'Better.'}});
  await finish(started);
  const before = (await eventsOf(workspace)).length;
  expect(await takeBack(started)).toMatchObject({removed: 59, kept: 1});
  expect((await list()).map(({id}) => id)).toEqual([edited?.id]);
  expect(await eventsOf(workspace)).toHaveLength(before);
  expect((await add(await begin(), rows)).counts).toEqual({...none, created: 59, existing: 1});
});

it('taking back removes the comments on what it removes and the reactions to it, without events, and no others', async () => {
  const started = await begin();
  await add(started, [rowOf(), rowOf({date: '2024-03-15'})]);
  const [gone, edited] = await list('&order=asc');
  await workspace.request('PATCH', `/v1/standups/${edited?.id}`, {body: {update: 'Better.'}});
  for (const {id} of [gone, edited] as Json[]) {
    for (let i = 0; i < 30; i++) await make(workspace, '/v1/comments', {standup: id, text: `No. ${i}`});
    await workspace.request('POST', '/v1/reactions', {body: {subject: id, add: ['👍']}});
  }
  await finish(started);
  const before = (await eventsOf(workspace)).length;
  expect(await takeBack(started)).toMatchObject({removed: 1, kept: 1});
  const all = async (path: string): Promise<Json[]> =>
    (await workspace.request('GET', `${path}?limit=100`)).body.data;
  expect(new Set((await all('/v1/comments')).map(({standup}) => standup))).toEqual(new Set([edited?.id]));
  expect((await all('/v1/reactions')).map(({subject}) => subject)).toEqual([edited?.id]);
  const {records} = service.core.store;
  await until(
    async () => {
      const counts = [lists.comments(), lists.reactions()].map((name) =>
        records.count(workspace.id, name, performance.now() + 1_000),
      );
      return (await Promise.all(counts)).join() === '30,1';
    },
    {what: 'the comments and reactions are removed'},
  );
  expect(await eventsOf(workspace)).toHaveLength(before);
});

it('the list of what an import has made lasts a week longer than it may be taken back', async () => {
  const started = await begin();
  await add(started, [rowOf()]);
  const key = workspaceKeys(workspace.id).list(lists.standupsOfImport(started.id));
  const {call} = service.core.store.connection;
  const left = await call<number>(performance.now() + 5_000, ['PTTL', key]);
  expect(left).toBeGreaterThan((lifetimes.importRemovable + 7 * 86_400 - 60) * 1_000);
});

it('at most one of several imports begins at the same moment, also while an earlier one is taken back', async () => {
  const first = await begin();
  await add(first, [rowOf(), rowOf()]);
  await finish(first);
  const [gone, ...begun] = await Promise.all([
    workspace.request('DELETE', `/v1/imports/${first.id}?rows=remove`),
    ...[1, 2, 3].map(() => workspace.request('POST', '/v1/imports', {body: {source: 'csv'}})),
  ]);
  const opened = begun.filter(({status}) => status === 201);
  expect(opened.length).toBeLessThanOrEqual(1);
  if (gone.status !== 204) expect([opened.length, gone.status]).toEqual([1, 409]);
});

it('a request of 100 rows for as many days, teams and people is one step', async () => {
  const teams = await Promise.all(
    Array.from({length: 10}, async () => (await make(workspace, '/v1/teams', {slug: randomName()})).slug),
  );
  const members = await Promise.all(
    Array.from({length: 50}, async () => (await make(workspace, '/v1/members', {name: randomName()})).id),
  );
  const started = await begin({people: members.map((member, i) => ({person: `U${i}`, member}))});
  const rows = Array.from({length: 100}, (_, i) =>
    rowOf({
      team: teams[i % 10],
      date: new Date(Date.UTC(2024, 0, 1 + i)).toISOString().slice(0, 10),
      author: {name: `N${i}`, external_id: `U${i}`},
      update: 'x'.repeat(300),
    }),
  );
  expect((await add(started, rows)).counts).toEqual({...none, created: 100});
  const all = await list();
  expect(new Set(all.map(({author}) => author.id)).size).toBe(100);
  await finish(started);
  expect(await takeBack(started)).toMatchObject({removed: 100});
  expect(await list()).toEqual([]);
});

it('taking back while people edit and delete the standups loses no edit, and counts each standup once', async () => {
  const started = await begin();
  const rows = Array.from({length: 60}, (_, i) => rowOf({date: `2024-0${1 + (i % 9)}-1${i % 10}`}));
  await add(started, rows);
  await finish(started);
  const ids = (await list()).map(({id}) => id as string);
  const act = (method: string, i: number) =>
    workspace.request(
      method,
      `/v1/standups/${ids[i]}`,
      method === 'PATCH' ? {body: {update: 'Better.'}} : {},
    );
  const numbers = Array.from({length: 20}, (_, i) => 3 * i);
  const [taken, edits, deletions] = await Promise.all([
    takeBack(started),
    Promise.all(numbers.map((i) => act('PATCH', i))),
    Promise.all(numbers.map((i) => act('DELETE', i + 1))),
  ]);
  const statuses = [...edits, ...deletions].map(({status}) => status);
  expect(statuses.filter((status) => ![200, 204, 404].includes(status))).toEqual([]);
  const edited = edits.flatMap(({status, body}) => (status === 200 ? [body.id] : []));
  const deleted = deletions.filter(({status}) => status === 204).length;
  expect((await list()).map(({id}) => id).toSorted()).toEqual(edited.toSorted());
  const [first] = await list('&team=platform');
  const byAuthor = first === undefined ? [] : await list(`&author=${first.author.id}`);
  expect(byAuthor).toHaveLength(edited.length);
  expect(taken.kept).toBe(edited.length);
  expect(taken.removed + taken.kept + deleted).toBe(60);
  const again = await add(await begin(), rows);
  expect(again.counts).toEqual({...none, created: taken.removed, existing: taken.kept + deleted});
});

it('taking back changes the reports of runs that were opened after the import', async () => {
  const date = new Date().toISOString().slice(0, 10);
  const [ada, bob] = [
    await addPerson(service, workspace, {name: 'Ada', team: 'platform'}),
    await addPerson(service, workspace, {name: 'Bob', team: 'platform'}),
  ];
  const people = [ada, bob].map(({id}) => ({person: id, member: id}));
  const started = await begin({people});
  const rows = people.map(({person}) => rowOf({date, author: {name: 'x', external_id: person}}));
  expect((await add(started, rows)).counts).toEqual({...none, created: 2});
  await finish(started);
  const participants = [ada, bob].map(({id}) => ({member: id, timezone: null}));
  await closeRun(
    service,
    workspace,
    await seedRun(service, workspace, {date, closes_at: `${date}T00:00:01.000Z`, participants}),
  );
  const path = `/v1/teams/platform/runs/${date}`;
  const before = await workspace.request('GET', path);
  expect(before.body.report.counts).toMatchObject({posted: 2, missed: 0});
  await takeBack(started);
  const after = await workspace.request('GET', path);
  expect(after.body.report.counts).toMatchObject({posted: 0, missed: 2});
  expect(after.body.revision).toBeGreaterThan(before.body.revision);
  const events = (await eventsOf(workspace)).filter(({type}) => type === 'run.updated');
  expect(events.at(-1)?.data.report.counts).toMatchObject({missed: 2});
});

it('an edit of an imported standup raises no blocker, and refuses the fields for blockers', async () => {
  const questions = [{key: 'stuck', label: 'Stuck?', type: 'text', raises_blocker: true}];
  const {slug} = await make(workspace, '/v1/teams', {slug: randomName(), questions});
  const answers = [{question: 'stuck', label: 'Stuck?', type: 'text', value: 'No access to staging.'}];
  await add(await begin(), [rowOf({team: slug, update: undefined, answers})]);
  const [standup] = await list(`&team=${slug}`);
  const path = `/v1/standups/${standup?.id}`;
  const change = {answers: [{question: 'stuck', value: 'No access at all.'}]};
  const {body} = await workspace.request('PATCH', path, {body: change});
  expect(body).toMatchObject({edited: true, imported: standup?.imported});
  expectProblem(await workspace.request('PATCH', path, {body: {blockers: 'Help!'}}), 'validation_failed');
  expect((await workspace.request('GET', '/v1/blockers')).body.data).toEqual([]);
});

it('pages of a day with imported and posted standups have each standup once, in both orders', async () => {
  const date = new Date(Date.now() - 3 * 86_400_000).toISOString().slice(0, 10);
  const started = await begin();
  for (let round = 0; round < 4; round++) {
    await make(workspace, '/v1/standups', {team: 'platform', date, update: `Posted ${round}.`});
    await add(started, [rowOf({date}), rowOf({date}), rowOf({date})]);
  }
  const all = (await list()).map(({id}) => id);
  expect(new Set(all).size).toBe(16);
  for (const order of ['asc', 'desc']) {
    const seen: string[] = [];
    for (let cursor = ''; ; ) {
      const {body} = await workspace.request('GET', `/v1/standups?limit=3&order=${order}${cursor}`);
      seen.push(...body.data.map(({id}: Json) => id));
      if (!body.has_more) break;
      cursor = `&cursor=${body.next_cursor}`;
    }
    expect(seen).toEqual(order === 'asc' ? all.toReversed() : all);
  }
});

it('a page that a client knows has changed after an import, and again after taking it back', async () => {
  const ask = (tag = '') =>
    workspace.request('GET', '/v1/standups?limit=5', {headers: {'If-None-Match': tag}});
  const tagOf = async () => (await ask()).headers.get('etag') ?? '';
  await make(workspace, '/v1/standups', {team: 'platform', update: 'Posted.'});
  const before = await tagOf();
  expect((await ask(before)).status).toBe(304);
  const started = await begin();
  await add(started, [rowOf()]);
  expect((await ask(before)).status).toBe(200);
  const between = await tagOf();
  await takeBack(started);
  expect((await ask(between)).status).toBe(200);
  expect((await ask(before)).status).toBe(304);
});

it('members, tokens without the scope, and other workspaces get nowhere with an import', async () => {
  const started = await begin();
  const member = await addPerson(service, workspace, {name: 'Mia Member', team: 'platform', as: 'lead'});
  const rows = {rows: [rowOf()]};
  const path = `/v1/imports/${started.id}`;
  const as = (token: string, method: string, url: string, body?: Json) =>
    workspace.request(method, url, {token, ...(body !== undefined && {body})});
  expectProblem(await as(member.token, 'POST', '/v1/imports', {source: 'csv'}), 'forbidden');
  expectProblem(await as(member.token, 'POST', `${path}/rows`, rows), 'forbidden');
  expectProblem(await as(member.token, 'POST', `${path}/finish`), 'forbidden');
  expectProblem(await as(member.token, 'GET', path), 'forbidden');
  expectProblem(await as(member.token, 'GET', '/v1/imports'), 'forbidden');
  expectProblem(await as(member.token, 'DELETE', `${path}?rows=remove`), 'forbidden');
  const narrow = await narrowToken(['standups:read', 'standups:write']);
  expectProblem(await as(narrow, 'POST', `${path}/rows`, rows), 'insufficient_scope');
  const other = await service.addWorkspace();
  expectProblem(await other.request('POST', `${path}/rows`, {body: rows}), 'not_found');
  const own = await make(other, '/v1/imports', {source: 'csv'});
  const foreign = {rows: [rowOf({team: workspace.team})]};
  const {body} = await other.request('POST', `/v1/imports/${own.id}/rows`, {body: foreign});
  expect(body.counts).toEqual({...none, unknown_team: 1});
  const stolen = {source: 'csv', dry_run: true, people: [{person: 'U1', member: member.id}]};
  expectProblem(await other.request('POST', '/v1/imports', {body: stolen}), 'validation_failed');
});

it('regression: rows are checked only for callers who may import, and others are served in between', async () => {
  const order: string[] = [];
  const check = () => {
    const end = performance.now() + 6;
    while (performance.now() < end);
    order.push('row');
    setImmediate(() => order.push('other'));
    return {errors: []};
  };
  const {id} = await begin();
  const {addRows} = service.core.services.imports;
  const max = await addPerson(service, workspace, {name: 'Max'});
  const member = {...workspace.operator(), principal: {type: 'member', id: max.id, name: 'Max'}} as const;
  await expect(addRows(member, id, [1, 2], check)).rejects.toMatchObject({code: 'forbidden'});
  expect(order).toEqual([]);
  await addRows(workspace.operator(), id, [1, 2, 3], check);
  expect(order.slice(0, order.lastIndexOf('row'))).toContain('other');
});

it('only a token that may read members finds an author by an address', async () => {
  const started = await begin();
  const token = await narrowToken(['standups:write_any']);
  const ask = (author: Json) =>
    workspace.request('POST', `/v1/imports/${started.id}/rows`, {token, body: {rows: [rowOf({author})]}});
  expectProblem(await ask({name: 'Ada', email: 'ada@example.com'}), 'insufficient_scope');
  expect((await ask({name: 'Ada'})).body.counts).toEqual({...none, created: 1});
});
