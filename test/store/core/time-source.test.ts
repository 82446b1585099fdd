import {readdirSync, readFileSync} from 'node:fs';
import path from 'node:path';
import {afterEach, expect, it} from '@jest/globals';
import {parseCreationTime} from '../../../src/domain/core/ids.js';
import {createCleanUps} from '../../jobs/stage.js';
import {testRedisUrl} from '../../support/redis-server.js';
import {root, startServiceProcess} from '../../support/service-process.js';
import {sendRequest, startService, type TestService, type TestWorkspace} from '../../support/service.js';
import {createTestClock, type TestClock} from '../../support/test-clock.js';

const cleanUps = createCleanUps();
afterEach(() => cleanUps.run());

const startAt = Date.now() + 1_000;
const hour = 3_600_000;

interface ClockStage {
  readonly clock: TestClock;
  readonly service: TestService;
  readonly workspace: TestWorkspace;
}

async function startStage(): Promise<ClockStage> {
  const redisUrl = await testRedisUrl();
  const clock = await createTestClock(redisUrl, startAt);
  cleanUps.add(() => clock.close());
  const service = await startService({redisUrl, time: clock.time});
  cleanUps.add(() => service.close());
  return {clock, service, workspace: await service.addWorkspace()};
}

/**
 * Returns the creation time of a new standup (by the store's script) and the time of its request (by the
 * process).
 */
async function readTimes(url: string, token: string): Promise<{store: number; process: number}> {
  const body = {team: 'platform', update: 'What time is it?'};
  const {status, body: standup, headers} = await sendRequest(url, 'POST', '/v1/standups', {body, token});
  expect(status).toBe(201);
  return {
    store: Date.parse(standup.created_at),
    process: parseCreationTime(headers.get('x-request-id') ?? ''),
  };
}

it('the test clock stops time in scripts and processes until a test moves it forward or back', async () => {
  const {clock, service, workspace} = await startStage();
  const times = () => readTimes(service.url, workspace.token);
  expect([await times(), await times()]).toEqual([
    {store: startAt, process: startAt},
    {store: startAt, process: startAt},
  ]);
  await clock.advance(1);
  expect(await times()).toEqual({store: startAt + 1, process: startAt + 1});
  await clock.advance(24 * hour);
  expect(await times()).toEqual({store: startAt + 24 * hour + 1, process: startAt + 24 * hour + 1});
  await clock.set(startAt + hour);
  expect(await times()).toEqual({store: startAt + hour, process: startAt + hour});
  expect([clock.now(), service.core.store.clock.now()]).toEqual([startAt + hour, startAt + hour]);
});

it('a token expires by the test clock, and by no other', async () => {
  const {clock, service, workspace} = await startStage();
  const {value: token} = await workspace.addToken({lifetime: 3_600});
  const ask = async () => (await sendRequest(service.url, 'GET', '/v1/me', {token})).status;
  await clock.advance(hour);
  expect(await ask()).toBe(200);
  await clock.advance(6_000);
  expect(await ask()).toBe(401);
});

it('regression: a token keeps its lifetime by the test clock, even if it is long over by the clock of Redis', async () => {
  const {clock, service, workspace} = await startStage();
  await clock.set(Date.parse('2024-02-29T09:00:00Z'));
  const {value: token} = await workspace.addToken({lifetime: 3_600});
  const ask = async () => (await sendRequest(service.url, 'GET', '/v1/me', {token})).status;
  expect(await ask()).toBe(200);
  await clock.advance(hour + 6_000);
  expect(await ask()).toBe(401);
});

it('a change of the test clock applies at once in every process, even if another process was killed', async () => {
  const {clock, service, workspace} = await startStage();
  const others = [];
  for (let i = 0; i < 2; i++) {
    const process = await startServiceProcess({
      redisUrl: service.redisUrl,
      clock: true,
      env: {ROLES: 'web'},
    });
    cleanUps.add(() => process.kill());
    others.push(process);
  }
  for (const step of [hour, 24 * hour, 1]) {
    await clock.advance(step);
    const [store, process] = [clock.now(), clock.now()];
    for (const {url} of others) expect(await readTimes(url, workspace.token)).toEqual({store, process});
  }
  await others[0]?.kill();
  await clock.advance(hour);
  expect(await readTimes(others[1]?.url ?? '', workspace.token)).toEqual({
    store: clock.now(),
    process: clock.now(),
  });
});

it('a service on another database of the same Redis has its own time', async () => {
  const [one, other] = [await startStage(), await startStage()];
  await one.clock.advance(hour);
  expect((await readTimes(other.service.url, other.workspace.token)).store).toBe(startAt);
  expect((await readTimes(one.service.url, one.workspace.token)).store).toBe(startAt + hour);
});

it('every script reads the time by the one command that the test clock replaces', () => {
  const folder = path.join(root, 'src', 'store');
  const asking = readdirSync(folder, {recursive: true, encoding: 'utf8'})
    .filter((file) => /\.(?:ts|lua)$/.test(file) && !file.includes('compiled'))
    .flatMap((file) =>
      readFileSync(path.join(folder, file), 'utf8')
        .split('\n')
        .filter((line) => /\bTIME\b/.test(line) && !/^\s*(\/?\*|\/\/|--)/.test(line))
        .map((line) => ({file, line: line.trim()})),
    );
  expect(asking.length).toBeGreaterThan(8);
  const timeCall = "redis.call('TIME')";
  const others = asking.filter(({line}) => !line.includes(timeCall) && !line.includes("['TIME']"));
  // These lines name an error, and replace the command.
  expect(others.map(({file}) => file)).toEqual(['core/start-causes.ts', 'core/time-source.ts']);
});
