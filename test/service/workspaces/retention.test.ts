import {afterEach, expect, it} from '@jest/globals';
import {createTestContext} from '../../support/service-context.js';
import {workspaceKeys} from '../../../src/store/core/keys.js';
import {addDays} from '../../../src/domain/core/dates.js';
import {suffixOf} from '../../../src/domain/core/ids.js';
import {type ListName, lists} from '../../../src/domain/core/lists.js';
import {createExpiredDataPurger} from '../../../src/service/workspaces/retention.js';
import {addPerson} from '../../api/people.js';
import {eventsOf, make} from '../../api/samples.js';
import {createCleanUps, newDeadline} from '../../jobs/stage.js';
import {dumpRedis} from '../../store/dump.js';
import {testRedisUrl} from '../../support/redis-server.js';
import {type Json, startService, type TestWorkspace} from '../../support/service.js';
import {createTestClock} from '../../support/test-clock.js';
import {until} from '../../support/until.js';

const cleanUps = createCleanUps();
afterEach(() => cleanUps.run());

const dayMs = 86_400_000;
const hourMs = 3_600_000;
const mark = 'wordsofold';

async function start(options: {startAt?: number; env?: Record<string, string>} = {}) {
  const redisUrl = await testRedisUrl();
  const clock = await createTestClock(redisUrl, options.startAt);
  cleanUps.add(() => clock.close());
  const {env = {}} = options;
  const service = await startService({redisUrl, time: clock.time, upkeepMs: 100, env});
  cleanUps.add(() => service.close());
  return {redisUrl, clock, service, workspace: await service.addWorkspace()};
}

it('retention erases text, revisions and events that are too old, and nothing else', async () => {
  const {redisUrl, clock, workspace} = await start();
  const post = (update: string) => make(workspace, '/v1/standups', {team: 'platform', update});
  const edited = await post(`${mark} edited`);
  for (let i = 0; i < 27; i++) await post(`${mark} ${i}`);
  await workspace.request('PATCH', `/v1/standups/${edited.id}`, {body: {update: `${mark} again`}});
  const raise = (text: string) => make(workspace, '/v1/blockers', {team: 'platform', text});
  const [ended, open] = [await raise(`${mark} in the way`), await raise('Still in the way')];
  await workspace.request('PATCH', `/v1/blockers/${ended.id}`, {body: {state: 'resolved'}});
  // Written late, yet they go with their standup; that of a standup with a later date stays with it.
  const say = (standup: string) => make(workspace, '/v1/comments', {standup, text: `${mark} said`});
  for (let i = 0; i < 30; i++) await say(edited.id);
  const react = (subject: string) =>
    workspace.request('POST', '/v1/reactions', {body: {subject, add: [`:${mark}:`, '👍']}});
  await react(edited.id);
  await workspace.request('POST', '/v1/reactions', {body: {subject: edited.id, remove: ['👍']}});
  await workspace.request('PATCH', '/v1/workspace', {body: {retention_days: 30}});
  await clock.advance(29 * dayMs);
  const young = await post('Young.');
  const comment = await make(workspace, '/v1/comments', {standup: young.id, text: 'Young, too.'});
  await say(edited.id);
  await workspace.request('POST', '/v1/reactions', {body: {subject: young.id, add: ['🎉']}});
  await clock.advance(dayMs);
  const other = await workspace.request('GET', '/v1/standups?limit=100');
  expect(other.body.data).toHaveLength(29);

  await clock.advance(2 * dayMs);
  await until(async () => !(await dumpRedis(redisUrl)).text.includes(mark), {
    what: 'the old words were gone',
    everyMs: 100,
  });
  const left = await workspace.request('GET', '/v1/standups?limit=100');
  const thread = {comments: 1, reactions: [{emoji: '🎉', count: 1}]};
  expect(left.body.data).toMatchObject([{id: young.id, update: 'Young.', thread}]);
  expect((await workspace.request('GET', `/v1/standups/${edited.id}`)).status).toBe(404);
  const blockers = await workspace.request('GET', '/v1/blockers');
  expect(blockers.body.data).toEqual([open]);
  expect((await workspace.request('GET', '/v1/comments')).body.data).toEqual([comment]);
  const reactions = await workspace.request('GET', '/v1/reactions');
  expect(reactions.body.data).toMatchObject([{subject: young.id, emoji: ['🎉']}]);
  const types = (await eventsOf(workspace)).map(({type}) => type);
  expect(types).not.toContain('reaction.deleted');
  expect(types).not.toContain('standup.deleted');
  expect(types).not.toContain('blocker.deleted');
  expect(types).not.toContain('comment.deleted');
});

it('the counts of a run stay the same after retention, and after its members are erased', async () => {
  const {redisUrl, clock, service, workspace} = await start();
  const [ada, grace] = [
    await addPerson(service, workspace, {name: `Ada ${mark}`, team: 'platform'}),
    await addPerson(service, workspace, {name: 'Grace', team: 'platform'}),
  ];
  const away = {member: ada.id, from: dateIn(clock.now()), until: dateIn(clock.now()), reason: mark};
  const {date} = await make(workspace, '/v1/teams/platform/runs', {minutes: 30});
  const body = {team: 'platform', update: mark};
  await workspace.request('POST', '/v1/standups', {token: grace.token, body});
  await workspace.request('POST', '/v1/absences', {body: away});
  await clock.advance(31 * 60_000);
  const run = async () => (await workspace.request('GET', `/v1/teams/platform/runs/${date}`)).body;
  await until(async () => (await run()).state === 'closed', {what: 'the run is closed'});
  const statuses = async () => (await run()).report.lines.map((line: {status: string}) => line.status);
  const {counts} = (await run()).report;
  expect(counts).toMatchObject({expected: 1, posted: 1, away: 1, participation: 1});
  const revisions = workspaceKeys(workspace.id).revisions(suffixOf((await run()).id));
  expect(await service.core.store.connection.call<number>(newDeadline(), ['TTL', revisions])).toBeGreaterThan(
    0,
  );

  await workspace.request('PATCH', '/v1/workspace', {body: {retention_days: 30}});
  await clock.advance(33 * dayMs);
  const text = async () => (await dumpRedis(redisUrl)).text;
  const absences = async () => (await workspace.request('GET', '/v1/absences')).body.data;
  await until(async () => (await absences())[0].reason === null, {what: 'the reason is gone'});
  await until(async () => !(await text()).includes(`"update":"${mark}"`), {
    what: 'the update is gone',
    everyMs: 100,
  });
  expect((await run()).report.counts).toEqual(counts);
  expect((await statuses()).toSorted()).toEqual(['away', 'posted']);

  for (const {id} of [ada, grace]) await workspace.request('DELETE', `/v1/members/${id}?erase=true`);
  await until(async () => !(await text()).includes(mark), {what: 'nothing of them is left', everyMs: 100});
  expect((await run()).report.counts).toEqual(counts);
  const {body: participation} = await workspace.request(
    'GET',
    `/v1/teams/platform/participation?since=${date}&until=${date}`,
  );
  expect(participation.counts).toEqual(counts);
});

function dateIn(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/**
 * Starts a service at this time of day with a retention of 30 days. Retention runs only when the test starts
 * it.
 */
async function startKeeping(time: string) {
  const stage = await start({startAt: Date.parse(`2027-03-10T${time}Z`), env: {ROLES: 'web'}});
  await stage.workspace.request('PATCH', '/v1/workspace', {body: {retention_days: 30}});
  // The oldest day that retention keeps at 23:59, and an hour later.
  const [first, next] = ['2027-02-07', '2027-02-08'];
  return {...stage, first, next};
}

const post = (workspace: TestWorkspace, body: Json) =>
  workspace.request('POST', '/v1/standups', {body: {update: 'Old.', ...body}});

function expectTooOld({status, body}: {status: number; body: Json}, first: string, pointer = '#/date') {
  expect([status, body.code]).toEqual([422, 'date_not_allowed']);
  expect(body.errors).toEqual([expect.objectContaining({pointer})]);
  expect(body.detail).toContain('`retention_days`');
  expect(body.detail).toContain('30 days');
  expect(body.detail).toContain(first);
}

it.each(['UTC', 'Pacific/Kiritimati', 'Pacific/Pago_Pago'])(
  'regression: a standup is refused only if retention would erase it at the next check, in %s',
  async (timezone) => {
    const {service, workspace, clock, first} = await startKeeping('22:30:00');
    await workspace.request('PATCH', '/v1/teams/platform', {body: {timezone}});
    expectTooOld(await post(workspace, {team: 'platform', date: addDays(first, -1)}), first);
    expectTooOld(await post(workspace, {team: 'platform', date: addDays(first, -300)}), first);
    const {status, body: kept} = await post(workspace, {team: 'platform', date: first});
    expect(status).toBe(201);
    const {body: young} = await post(workspace, {team: 'platform'});
    const path = `/v1/standups/${young.id}`;
    const move = (date: string) => workspace.request('PATCH', path, {body: {date}});
    expectTooOld(await move(addDays(first, -1)), first);
    expect((await move(first)).status).toBe(200);

    await clock.advance(hourMs);
    expect(await service.core.services.purgeExpired(workspace.operator())).toBe(0);
    await clock.advance(hourMs);
    expect(await service.core.services.purgeExpired(workspace.operator())).toBe(2);
    expect((await workspace.request('GET', `/v1/standups/${kept.id}`)).status).toBe(404);
  },
);

it('regression: a standup for several teams is refused for a date that retention erases within an hour', async () => {
  const {workspace, first, next} = await startKeeping('23:30:00');
  await make(workspace, '/v1/teams', {slug: 'second', name: 'Second'});
  const teams = ['platform', 'second'];
  expectTooOld(await post(workspace, {teams, date: first}), next);
  expect((await workspace.request('GET', '/v1/standups')).body.data).toEqual([]);
  expect((await post(workspace, {teams, date: next})).status).toBe(201);
});

it('regression: an absence that retention would erase at once is accepted without a reason, and refused with one', async () => {
  const {service, workspace, first} = await startKeeping('12:00:00');
  const ada = await addPerson(service, workspace, {name: 'Ada'});
  const old = {member: ada.id, from: addDays(first, -9), until: addDays(first, -1)};
  const enter = (body: Json) => workspace.request('POST', '/v1/absences', {body: {...old, ...body}});
  expectTooOld(await enter({reason: 'Ill'}), first, '#/until');
  const {status, body: silent} = await enter({});
  expect(status).toBe(201);
  const change = (id: string, body: Json) => workspace.request('PATCH', `/v1/absences/${id}`, {body});
  expectTooOld(await change(silent.id, {reason: 'Ill'}), first, '#/until');
  const {body: young} = await enter({until: first, reason: 'Ill'});
  expectTooOld(await change(young.id, {until: addDays(first, -1)}), first, '#/until');
  expect((await change(young.id, {reason: 'Better'})).status).toBe(200);
  expect(await service.core.services.purgeExpired(workspace.operator())).toBe(0);
});

it('regression: retention checks absences after all other old data', async () => {
  const {clock, service, workspace} = await start({env: {ROLES: 'web'}});
  const date = addDays(dateIn(clock.now()), -60);
  for (let i = 0; i < 25; i++) await post(workspace, {team: 'platform', date});
  await workspace.request('PATCH', '/v1/workspace', {body: {retention_days: 30}});
  const {records} = service.core.store;
  const asked: string[] = [];
  const purgeExpired = createExpiredDataPurger(
    createTestContext(service.core, {
      records: {
        ...records,
        list: (of, query, deadline) => {
          asked.push([query.list].join());
          return records.list(of, query, deadline);
        },
      },
      async mutate(_, plan) {
        await plan(0);
        return {outcome: 'gone', body: '', replayed: false};
      },
    }),
    {planBlockers: () => async () => ({writes: []})},
  );
  expect(await purgeExpired(workspace.operator())).toBe(24);
  expect(asked).toContain(lists.standups());
  expect(asked).not.toContain(lists.absences());
});

it('data that a later retention setting makes too old is erased', async () => {
  const {clock, service, workspace} = await start();
  const {body: old} = await post(workspace, {team: 'platform', date: addDays(dateIn(clock.now()), -60)});
  await workspace.request('PATCH', '/v1/workspace', {body: {retention_days: 30}});
  await until(async () => (await workspace.request('GET', `/v1/standups/${old.id}`)).status === 404);
  expect(await service.core.services.purgeExpired(workspace.operator())).toBe(0);
});

it('a workspace that reduces its retention has old data erased without a restart of the service', async () => {
  const {redisUrl, clock, workspace} = await start();
  await make(workspace, '/v1/standups', {team: 'platform', update: `${mark} old`});
  await clock.advance(60 * dayMs);
  await workspace.request('PATCH', '/v1/workspace', {body: {retention_days: 30}});
  await until(async () => !(await dumpRedis(redisUrl)).text.includes(mark), {
    what: 'the old words were gone',
    everyMs: 100,
  });
  await make(workspace, '/v1/standups', {team: 'platform', update: `${mark} later`});
  await clock.advance(60 * dayMs);
  await until(async () => !(await dumpRedis(redisUrl)).text.includes(mark), {
    what: 'the later words were gone',
    everyMs: 100,
  });
});

it('an import that no one finishes is abandoned after a week, cannot be taken back after 30 days, and goes after 90', async () => {
  const {clock, service, workspace} = await start();
  const {id} = await make(workspace, '/v1/imports', {
    source: 'csv',
    people: [{person: 'U1', member: 'former'}],
  });
  const row = {external_id: '1', team: 'platform', date: '2024-03-14', author: {name: 'Ada'}, update: mark};
  const rows = {body: {rows: [row]}};
  const find = () => workspace.request('GET', `/v1/imports/${id}`);
  expect((await workspace.request('POST', `/v1/imports/${id}/rows`, rows)).body.counts.created).toBe(1);
  await clock.advance(7 * dayMs + hourMs);
  const late = await workspace.request('POST', `/v1/imports/${id}/rows`, rows);
  expect(late.body.code).toBe('import_closed');
  await clock.advance(dayMs);
  await until(async () => (await find()).body.state === 'abandoned', {
    what: 'it was abandoned',
    everyMs: 100,
  });
  expect((await workspace.request('POST', '/v1/imports', {body: {source: 'csv'}})).status).toBe(201);
  await clock.advance(23 * dayMs);
  const back = await workspace.request('DELETE', `/v1/imports/${id}?rows=remove`);
  expect(back.body.code).toBe('import_closed');
  await clock.advance(61 * dayMs);
  // The token has expired by now.
  const count = (list: ListName) => service.core.store.records.count(workspace.id, list, newDeadline());
  await until(async () => (await count(lists.imports())) === 1, {
    what: 'its record was deleted',
    everyMs: 100,
  });
  expect(await count(lists.standups())).toBe(1);
});

it('an import that was left open ends, also if no process has run until its record is due for removal', async () => {
  const {clock, workspace, redisUrl} = await start();
  const {value: token} = await workspace.addToken({lifetime: 300 * 86_400});
  const ask = (method: string, path = '', body?: Json) =>
    workspace.request(method, `/v1/imports${path}`, {token, ...(body && {body})});
  const begin = async () => (await ask('POST', '', {source: 'csv'})).body;
  const stateOf = async ({id}: Json) => (await ask('GET', `/${id}`)).body.state;
  const first = await begin();
  await clock.advance(10 * dayMs);
  await until(async () => (await stateOf(first)) === 'abandoned', {what: 'the end of the import'});
  const second = await begin();
  const row = {
    external_id: '1',
    team: 'platform',
    date: '2024-03-14',
    author: {name: 'Ada'},
    update: 'Words.',
  };
  await ask('POST', `/${second.id}/rows`, {rows: [row]});
  await clock.advance(100 * dayMs);
  await until(async () => (await stateOf(second)) === undefined, {what: 'the removal of the record'});
  const third = await begin();
  expect(await stateOf(third)).toBe('open');
  const entries = (await dumpRedis(redisUrl)).text
    .split('\n')
    .filter((line) => /:l:(?:imports|open-imports|import-in-progress) /.test(line));
  for (const line of entries)
    expect([line.includes(suffixOf(first.id)), line.includes(suffixOf(second.id))]).toEqual([false, false]);
});
