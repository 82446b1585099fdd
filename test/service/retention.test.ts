import {afterEach, expect, it} from '@jest/globals';
import {workspaceKeys} from '../../src/store/keys.js';
import {drawnPart} from '../../src/domain/ids.js';
import {addPerson} from '../api/people.js';
import {eventsOf, make} from '../api/samples.js';
import {createCleanUps, soon} from '../jobs/stage.js';
import {dumpRedis} from '../store/dump.js';
import {testRedisUrl} from '../support/redis-server.js';
import {startService} from '../support/service.js';
import {createTestClock} from '../support/test-clock.js';
import {until} from '../support/until.js';

const cleanUps = createCleanUps();
afterEach(() => cleanUps.run());

const dayMs = 86_400_000;
const mark = 'wordsofold';

async function start() {
  const redisUrl = await testRedisUrl();
  const clock = await createTestClock(redisUrl);
  cleanUps.add(() => clock.close());
  const service = await startService({redisUrl, time: clock.time, upkeepMs: 100});
  cleanUps.add(() => service.close());
  return {redisUrl, clock, service, workspace: await service.addWorkspace()};
}

it('what is older than a workspace keeps is erased, text, revisions and events, and what is younger stays', async () => {
  const {redisUrl, clock, workspace} = await start();
  const post = (update: string) => make(workspace, '/v1/standups', {team: 'platform', update});
  const edited = await post(`${mark} edited`);
  for (let i = 0; i < 39; i++) await post(`${mark} ${i}`);
  await workspace.request('PATCH', `/v1/standups/${edited.id}`, {body: {update: `${mark} again`}});
  const raise = (text: string) => make(workspace, '/v1/blockers', {team: 'platform', text});
  const [ended, open] = [await raise(`${mark} in the way`), await raise('Still in the way')];
  await workspace.request('PATCH', `/v1/blockers/${ended.id}`, {body: {state: 'resolved'}});
  await workspace.request('PATCH', '/v1/workspace', {body: {retention_days: 30}});
  await clock.advance(29 * dayMs);
  const young = await post('Young.');
  await clock.advance(dayMs);
  const other = await workspace.request('GET', '/v1/standups?limit=100');
  expect(other.body.data).toHaveLength(41);

  await clock.advance(2 * dayMs);
  await until(async () => !(await dumpRedis(redisUrl)).text.includes(mark), {
    what: 'the old words were gone',
  });
  const left = await workspace.request('GET', '/v1/standups?limit=100');
  expect(left.body.data).toEqual([young]);
  expect((await workspace.request('GET', `/v1/standups/${edited.id}`)).status).toBe(404);
  const blockers = await workspace.request('GET', '/v1/blockers');
  expect(blockers.body.data).toEqual([open]);
  const types = (await eventsOf(workspace)).map(({type}) => type);
  expect(types).not.toContain('standup.deleted');
  expect(types).not.toContain('blocker.deleted');
});

it('what is erased leaves the counts of its runs as they were: of what is old, and of a person', async () => {
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
  const revisions = workspaceKeys(workspace.id).revisions(drawnPart((await run()).id));
  expect(await service.core.store.connection.call<number>(soon(), ['TTL', revisions])).toBeGreaterThan(0);

  await workspace.request('PATCH', '/v1/workspace', {body: {retention_days: 30}});
  await clock.advance(33 * dayMs);
  const text = async () => (await dumpRedis(redisUrl)).text;
  const absences = async () => (await workspace.request('GET', '/v1/absences')).body.data;
  await until(async () => (await absences())[0].reason === null, {what: 'the reason is gone'});
  await until(async () => !(await text()).includes(`"update":"${mark}"`), {what: 'the update is gone'});
  expect((await run()).report.counts).toEqual(counts);
  expect((await statuses()).toSorted()).toEqual(['away', 'posted']);

  for (const {id} of [ada, grace]) await workspace.request('DELETE', `/v1/members/${id}?erase=true`);
  await until(async () => !(await text()).includes(mark), {what: 'nothing of them is left'});
  expect((await run()).report.counts).toEqual(counts);
  const {body: participation} = await workspace.request(
    'GET',
    `/v1/teams/platform/participation?since=${date}&until=${date}`,
  );
  expect(participation.counts).toEqual(counts);
});

it('a workspace from before there was a choice keeps everything, and shows that it does', async () => {
  const {service, workspace} = await start();
  const {call} = service.core.store.connection;
  const key = workspaceKeys(workspace.id).record(drawnPart(workspace.id));
  const json = (await call<string>(soon(), ['GET', key])).replace('"retention_days":null,', '');
  await call(soon(), ['SET', key, json]);
  expect(json).not.toContain('retention_days');
  const {body} = await workspace.request('GET', '/v1/workspace');
  expect(body.retention_days).toBeNull();
  await make(workspace, '/v1/standups', {team: 'platform', update: 'Old.', date: dateAgo(300)});
  expect(await service.core.services.purgeExpired(workspace.operator())).toBe(0);
});

function dateIn(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

function dateAgo(days: number): string {
  return new Date(Date.now() - days * dayMs).toISOString().slice(0, 10);
}
