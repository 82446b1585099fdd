import {afterEach, beforeEach, expect, it} from '@jest/globals';
import {suffixOf} from '../../src/domain/core/ids.js';
import type {Perform} from '../../src/domain/core/work.js';
import type {SlackWork} from '../../src/jobs/jobs.js';
import {startReceiver} from '../support/receiver.js';
import {testRedisUrl} from '../support/redis-server.js';
import {startService, type TestService, type TestWorkspace} from '../support/service.js';
import {measureTime} from '../support/stopwatch.js';
import {createTestClock, type TestClock} from '../support/test-clock.js';
import {until} from '../support/until.js';
import {addWebhook, createCleanUps, postStandups, newDeadline, startWorker} from './stage.js';
import {asId} from '../support/ids.js';

const cleanUps = createCleanUps();
let clock: TestClock;
let service: TestService;

beforeEach(async () => {
  const redisUrl = await testRedisUrl();
  clock = await createTestClock(redisUrl, Date.parse('2026-11-23T08:00Z'));
  cleanUps.add(() => clock.close());
  service = await startService({redisUrl, time: clock.time, env: {ROLES: 'web'}});
  cleanUps.add(() => service.close());
});

afterEach(() => cleanUps.run());

/**
 * Starts two workspaces that have 700 Slack messages each to send, and a third one. Slack does not answer
 * during the test. The worker has requested all due work.
 */
async function startCrowd() {
  const [crowd, another, alone] = [
    await service.addWorkspace(),
    await service.addWorkspace(),
    await service.addWorkspace(),
  ];
  const {ready} = service.core.store;
  const waiting: string[] = [];
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const post: Perform<{kind: 'post-slack'; channel: string}> = async ({workspace}) => {
    waiting.push(workspace);
    await released;
    return {more: false};
  };
  const slack: SlackWork = {
    read: async () => ({more: false}),
    post,
    finish: async () => ({more: false}),
    readReplies: async () => ({more: false}),
    lookAtStatuses: async () => ({more: false}),
    lookAtPeople: async () => undefined,
    join: async () => undefined,
  };
  let looks = 0;
  const listDue: typeof ready.listDue = async (...look) => {
    const found = await ready.listDue(...look);
    looks += 1;
    return found;
  };
  const store = {...service.core.store, ready: {...ready, listDue}};
  const worker = await startWorker(service, {queueUrl: await testRedisUrl(), slack, store});
  cleanUps.add(() => worker.close());
  cleanUps.add(() => release());

  async function askSlack(): Promise<void> {
    const people = Array.from({length: 700}, (_, i) => ({kind: 'post-slack', channel: `U${i}`}) as const);
    for (const {id} of [crowd, another])
      await Promise.all(people.map((work) => ready.reschedule(id, work, 1, newDeadline())));
    looks = 0;
    // Requests work for each channel, as the log consumer for Slack does.
    for (const work of people) worker.wake(crowd.id, work);
    await until(() => waiting.length >= 10 && looks > 6, {what: 'everything has been asked for'});
  }

  return {crowd, alone, worker, askSlack};
}

/** `PRINT_WAITS=1` prints the times of deliveries. */
it('regression: hundreds of messages that wait for a slow Slack do not delay webhooks of another workspace', async () => {
  const {alone, worker, askSlack} = await startCrowd();
  const receiver = await startReceiver();
  cleanUps.add(() => receiver.close());
  await addWebhook(alone, receiver);

  async function waits(count: number): Promise<number[]> {
    const all: number[] = [];
    for (let i = 0; i < count; i++) {
      const before = receiver.received.length;
      const [, ms] = await measureTime(async () => {
        await postStandups(alone);
        worker.wake(alone.id, {kind: 'fan-out'});
        await receiver.waitFor(before + 1);
      });
      all.push(ms);
    }
    return all.toSorted((a, b) => a - b);
  }
  const show = (all: number[]) => `median ${at(all, 0.5)} ms, slowest ${at(all, 1)} ms`;

  await waits(5);
  const before = await waits(40);
  await askSlack();
  const meanwhile = await waits(40);
  if (process.env['PRINT_WAITS'] !== undefined)
    process.stderr.write(`before: ${show(before)}; beside 1,400 messages: ${show(meanwhile)}\n`);
  expect(at(meanwhile, 0.5)).toBeLessThan(2 * at(before, 0.5) + 20);
  expect(at(meanwhile, 1)).toBeLessThan(2 * at(before, 1) + 1_000);
});

it('regression: hundreds of messages that wait for a slow Slack do not delay runs in any workspace', async () => {
  const {crowd, alone, askSlack} = await startCrowd();
  const {teams, runs} = service.core.services;
  const schedule = {frequency: 'weekly', days: ['mon'], opens: '09:00', closes: '11:00'} as const;
  for (const workspace of [crowd, alone]) {
    const {id = ''} = await teams.createTeam(workspace.operator(), {slug: 'planned', schedule});
    await runs.advanceRuns(workspace.operator(), suffixOf(asId<'team'>(id)));
  }
  await askSlack();
  await clock.set(Date.parse('2026-11-23T09:00Z'));
  await until(async () => (await hasOpened(crowd)) && (await hasOpened(alone)), {
    what: 'the runs of both workspaces have opened',
  });
});

async function hasOpened({id}: TestWorkspace): Promise<boolean> {
  const events = await service.core.store.events.listAfter(id, 0, 2_000, newDeadline());
  return events.some(({type}) => type === 'run.opened');
}

function at(sorted: readonly number[], share: number): number {
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
}
