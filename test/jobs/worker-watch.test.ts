import {afterEach, expect, it} from '@jest/globals';
import type {Log} from '../../src/domain/core/log.js';
import {countWorkers} from '../../src/domain/core/work.js';
import {createWorkerWatch} from '../../src/jobs/worker-watch.js';
import {newDeadline, openTestStore} from '../store/open-test-store.js';
import {testRedisUrl} from '../support/redis-server.js';
import {createTestClock} from '../support/test-clock.js';

const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

/** Creates a watch on a clock of the test, and the lines that it logs. */
async function startWatch() {
  const url = await testRedisUrl();
  const clock = await createTestClock(url);
  cleanUps.push(() => clock.close());
  const {store} = await openTestStore({url, time: clock.time});
  cleanUps.push(() => store.close());
  const lines: string[] = [];
  const note: Log['info'] = (_, message) => void lines.push(message);
  const look = createWorkerWatch(store, {debug: note, info: note, warn: note, error: note});
  return {
    lines,
    store,
    beat: (holder: string) => store.workers.join(holder, '', newDeadline()),
    async leap(ms: number) {
      await clock.advance(ms);
      await look();
    },
    /** Looks every ten seconds for some time. */
    async pass(seconds: number) {
      for (let s = 0; s < seconds; s += 10) {
        await clock.advance(10_000);
        await look();
      }
    },
    count: async () => countWorkers(await store.waitingWork.listWorkers(newDeadline())),
  };
}

const missing =
  'no worker has worked for a minute: start a process with ROLES=worker, or without ROLES; until then nothing is delivered, opened, reminded or shown in Slack';

it('a worker that gives no sign of life for a minute is logged once, and once when one is back', async () => {
  const {lines, beat, pass, count} = await startWatch();
  await beat('one');
  await pass(50);
  expect([lines, await count()]).toEqual([[], 1]);
  await pass(30);
  expect([lines, await count()]).toEqual([[missing], 0]);
  await pass(600);
  expect(lines).toEqual([missing]);
  await beat('two');
  await pass(10);
  expect([lines, await count()]).toEqual([[missing, 'a worker works again'], 1]);
  await pass(80);
  expect(lines).toEqual([missing, 'a worker works again', missing]);
});

it('a worker that stops in order, or never was there, is missed a minute later, too', async () => {
  const never = await startWatch();
  await never.pass(50);
  expect(never.lines).toEqual([]);
  await never.pass(30);
  expect(never.lines).toEqual([missing]);
  const stopped = await startWatch();
  await stopped.beat('one');
  await stopped.pass(30);
  await stopped.store.workers.leave('one', newDeadline());
  await stopped.pass(20);
  expect(stopped.lines).toEqual([]);
  await stopped.pass(30);
  expect(stopped.lines).toEqual([missing]);
});

it('one worker of several is enough', async () => {
  const {lines, beat, pass} = await startWatch();
  await beat('dead');
  for (let i = 0; i < 20; i++) {
    await beat('alive');
    await pass(10);
  }
  expect(lines).toEqual([]);
});

it('a clock that leaps forward makes no alarm: each worker looks silent until its next sign of life', async () => {
  const {lines, beat, leap, pass} = await startWatch();
  await beat('one');
  await leap(3_600_000);
  await beat('one');
  await pass(10);
  expect(lines).toEqual([]);
});
