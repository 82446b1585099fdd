import {afterEach, expect, it} from '@jest/globals';
import {workspaceKeys} from '../../src/store/keys.js';
import {drawnPart} from '../../src/domain/ids.js';
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
  const standups = await Promise.all(Array.from({length: 40}, (_, i) => post(`${mark} ${i}`)));
  const [edited] = standups;
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

function dateAgo(days: number): string {
  return new Date(Date.now() - days * dayMs).toISOString().slice(0, 10);
}
