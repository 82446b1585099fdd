import {afterEach, expect, it} from '@jest/globals';
import {lifetimes} from '../../src/domain/core/limits.js';
import {lists} from '../../src/domain/core/lists.js';
import {createSlackConsumer} from '../../src/jobs/slack-consumer.js';
import {workspaceKeys} from '../../src/store/core/keys.js';
import {startReceiver} from '../support/receiver.js';
import {testRedisUrl} from '../support/redis-server.js';
import {type ServiceOptions, startService, type TestService, type TestWorkspace} from '../support/service.js';
import {createTestClock} from '../support/test-clock.js';
import {until} from '../support/until.js';
import {addWebhook, createCleanUps, deliveriesOf, postStandups, newDeadline, startWorker} from './stage.js';
import type {Id} from '../../src/domain/core/ids.js';

const cleanUps = createCleanUps();
afterEach(() => cleanUps.run());

async function start(options: ServiceOptions) {
  const service = await startService({upkeepMs: 200, ...options});
  cleanUps.add(() => service.close());
  const receiver = await startReceiver();
  cleanUps.add(() => receiver.close());
  return {service, receiver, workspace: await service.addWorkspace()};
}

async function startWithClock() {
  const redisUrl = await testRedisUrl();
  const clock = await createTestClock(redisUrl);
  cleanUps.add(() => clock.close());
  return {clock, ...(await start({redisUrl, time: clock.time}))};
}

it('a held delivery expires 15 days after its event, and then the next delivery of its team is sent', async () => {
  const {clock, receiver, workspace} = await startWithClock();
  const hook = await addWebhook(workspace, receiver, {ordering: 'per_team'});
  const states = async () => (await deliveriesOf(workspace, hook)).map(({state}) => state as string);
  receiver.respondWith(500);
  await postStandups(workspace);
  await until(async () => (await states())[0] === 'retrying', {what: 'the first has failed'});
  const first = clock.now();
  await clock.advance(60_000);
  await workspace.request('PATCH', `/v1/webhooks/${hook.id}`, {body: {enabled: false}});
  // A disabled webhook gets no new events, so the second event is posted before the webhook is disabled.
  await workspace.request('PATCH', `/v1/webhooks/${hook.id}`, {body: {enabled: true}});
  await postStandups(workspace);
  await until(async () => (await states()).length === 2, {what: 'the second is made'});
  await workspace.request('PATCH', `/v1/webhooks/${hook.id}`, {body: {enabled: false}});
  await until(async () => (await states()).every((state) => state === 'held'), {what: 'both are held'});

  await clock.set(first + lifetimes.delivery * 1_000 - 1_000);
  expect(await states()).toEqual(['held', 'held']);
  await clock.advance(2_000);
  await until(async () => (await states())[1] === 'expired', {what: 'the first has expired'});
  expect((await states())[0]).toBe('held');
  const seen = receiver.received.length;
  receiver.respondWith(204);
  await workspace.request('PATCH', `/v1/webhooks/${hook.id}`, {body: {enabled: true}});
  await until(async () => (await states())[0] === 'succeeded', {what: 'the second goes on'});
  expect(receiver.received).toHaveLength(seen + 1);
});

it('upkeep removes deliveries when their events are removed, and all data of a deleted webhook', async () => {
  const {service, receiver, workspace} = await start({retention: {events: 2, delivery: 1}});
  const {connection, events} = service.core.store;
  const {call} = connection;
  // Removes the log consumer for Slack, whose cursor would keep the log from being trimmed.
  await events.removeIdleConsumer(workspace.id, 'slack', 0, newDeadline());
  const keys = workspaceKeys(workspace.id);
  receiver.respondWith(({body}) => (body.includes('Update 0') ? {status: 500, body: 'no'} : {body: 'yes'}));
  const [kept, deleted] = [await addWebhook(workspace, receiver), await addWebhook(workspace, receiver)];
  await postStandups(workspace, 5);
  await receiver.waitFor(10);
  await workspace.request('DELETE', `/v1/webhooks/${deleted.id}`);

  const all = () => call<string[]>(newDeadline(), ['KEYS', `{${workspace.id}}:*`]);
  await until(async () => (await all()).every((key) => !key.startsWith(`{${workspace.id}}:d:`)), {
    what: 'the deliveries are gone',
  });
  const count = (key: string) => call<number>(newDeadline(), ['ZCARD', key]);
  await until(async () => (await count(keys.list(lists.deliveriesOf(kept.suffix)))) === 0, {
    what: 'their list is empty',
  });
  const hour = /:health:\d+$/;
  const leftOf = async (suffix: string) => {
    const named = (await all()).filter((key) => key.includes(suffix) && !hour.test(key));
    return named.map((key) => key.slice(`{${workspace.id}}:`.length)).toSorted();
  };
  await until(async () => (await leftOf(deleted.suffix)).length === 0, {what: 'nothing is left of the one'});
  // The record, the secret and the state of the webhook remain.
  const own = [`r:${kept.suffix}`, `s:${kept.suffix}`, `w:${kept.suffix}:state`];
  await until(async () => String(await leftOf(kept.suffix)) === String(own), {
    what: `only ${own} are left of the other`,
  });
  for (const key of (await all()).filter((name) => hour.test(name))) {
    expect(await call<number>(newDeadline(), ['TTL', key])).toBeGreaterThan(0);
  }
  // The newest event stays in the log until another one follows.
  await until(async () => (await call<number>(newDeadline(), ['XLEN', keys.events()])) <= 1, {
    what: 'the events are gone',
  });
});

/** Starts a worker without Slack that does upkeep ten times a second, and counts the rounds. */
async function startOther(service: TestService) {
  let chores = 0;
  const {services} = service.core;
  const purgeExpired: typeof services.purgeExpired = (call) => {
    chores += 1;
    return services.purgeExpired(call);
  };
  const worker = await startWorker(service, {
    queueUrl: await testRedisUrl(),
    services: {...services, purgeExpired},
    choresEveryMs: 100,
    schedulerIntervalMs: 50,
  });
  cleanUps.add(() => worker.close());
  return {
    async choreTwice() {
      const before = chores;
      // The first round of upkeep may have begun before.
      await until(() => chores >= before + 3, {what: 'the other worker has cleared up'});
    },
  };
}

it('regression: waiting work for Slack and its cursor are removed a day after the last process with Slack has ended', async () => {
  const redisUrl = await testRedisUrl();
  const clock = await createTestClock(redisUrl);
  cleanUps.add(() => clock.close());
  const {service, workspace} = await start({redisUrl, time: clock.time, env: {ROLES: 'web'}});
  const {connection, events, ready} = service.core.store;
  const keys = workspaceKeys(workspace.id);
  const left = () => connection.call<string[]>(newDeadline(), ['KEYS', `{${workspace.id}}:*`]);
  const ofSlack = async () => (await left()).filter((key) => /:c:|:ready:slack$/.test(key));

  await events.addConsumer(workspace.id, 'slack', newDeadline());
  for (let i = 0; i < 250; i++) {
    await connection.call(newDeadline(), ['ZADD', keys.slackPending(`U${i}`), '1', 'prompt/m/2026-11-23']);
    await ready.reschedule(workspace.id, {kind: 'post-slack', channel: `U${i}`}, 1, newDeadline());
  }
  const {choreTwice} = await startOther(service);
  await clock.advance((lifetimes.idleConsumer - 60) * 1_000);
  await choreTwice();
  expect(await ofSlack()).toHaveLength(251);
  expect(await events.findCursor(workspace.id, 'slack', newDeadline())).toBeDefined();
  await clock.advance(120_000);
  await until(async () => (await ofSlack()).length === 0, {what: 'nothing waits for Slack'});
  expect(await events.findCursor(workspace.id, 'slack', newDeadline())).toBeUndefined();
});

/** Starts a worker that serves Slack in a workspace, and records the channels that it posts to. */
async function startSlack(service: TestService, workspace: TestWorkspace) {
  const shown: string[] = [];
  const slack = {
    read: async () => ({more: false}),
    post: async ({
      workspace: id,
      work,
    }: {
      workspace: Id<'workspace'>;
      work: {kind: 'post-slack'; channel: string};
    }) => {
      shown.push(work.channel);
      await service.core.store.ready.reschedule(id, work, undefined, newDeadline());
      return {more: false};
    },
    finish: async () => ({more: false}),
    readReplies: async () => ({more: false}),
    lookAtStatuses: async () => ({more: false}),
    lookAtPeople: async () => undefined,
    join: createSlackConsumer(service.core.store, {
      areInstalled: false,
      async *listWorkspaces() {
        yield [workspace.id];
      },
    }),
  };
  const worker = await startWorker(service, {queueUrl: await testRedisUrl(), schedulerIntervalMs: 50, slack});
  cleanUps.add(() => worker.close());
  return shown;
}

it('regression: a process with Slack reads the log and posts messages, beside a process without Slack', async () => {
  const {service, workspace} = await start({env: {ROLES: 'web'}});
  const {events, ready} = service.core.store;
  // The worker without Slack searches for work first, and does upkeep.
  const {choreTwice} = await startOther(service);
  await choreTwice();
  const shown = await startSlack(service, workspace);
  const cursor = () => events.findCursor(workspace.id, 'slack', newDeadline());
  await until(async () => (await cursor()) !== undefined, {
    what: 'the log is read for Slack',
  });
  await ready.reschedule(workspace.id, {kind: 'post-slack', channel: 'C1'}, 1, newDeadline());
  await until(() => shown.includes('C1'), {what: 'it is shown'});
  await choreTwice();
  expect(await cursor()).toBeDefined();
});

it('regression: a process with Slack keeps its cursor in the log for days, beside a process without Slack', async () => {
  const redisUrl = await testRedisUrl();
  const clock = await createTestClock(redisUrl);
  cleanUps.add(() => clock.close());
  const {service, workspace} = await start({redisUrl, time: clock.time, env: {ROLES: 'web'}});
  const {connection, events} = service.core.store;
  const {choreTwice} = await startOther(service);
  await startSlack(service, workspace);
  const head = workspaceKeys(workspace.id).head();
  const saidAt = () => connection.call<string | null>(newDeadline(), ['HGET', head, 'run:slack']);
  for (let day = 0; day < 3; day++) {
    const now = clock.now();
    await until(async () => Number(await saidAt()) === now, {
      what: 'Slack says that it reads',
      withinMs: 5_000,
    });
    await choreTwice();
    expect(await events.findCursor(workspace.id, 'slack', newDeadline())).toBeDefined();
    await clock.advance((lifetimes.idleConsumer - 60) * 1_000);
  }
});

it('workspaces that have installed the bot share one sign of life, and all join again after a day without it', async () => {
  const redisUrl = await testRedisUrl();
  const clock = await createTestClock(redisUrl);
  cleanUps.add(() => clock.close());
  const {service, workspace} = await start({redisUrl, time: clock.time, env: {ROLES: 'web'}});
  const {connection, events, slackInstallations} = service.core.store;
  const installed = [workspace.id, (await service.addWorkspace()).id];
  const without = (await service.addWorkspace()).id;
  for (const [i, id] of installed.entries()) {
    await slackInstallations.claim(`T${i}`, id, {alone: false}, newDeadline());
    await connection.call(newDeadline(), ['HSET', workspaceKeys(id).slackInstallation(), 'id', `T${i}`]);
  }
  await events.addConsumer(without, 'slack', newDeadline());
  const joined: string[] = [];
  const addConsumer: typeof events.addConsumer = (id, ...rest) => {
    joined.push(id);
    return events.addConsumer(id, ...rest);
  };
  const join = createSlackConsumer(
    {...service.core.store, events: {...events, addConsumer}},
    {
      areInstalled: true,
      async *listWorkspaces(within) {
        for await (const page of slackInstallations.listPages(within))
          yield page.map(({workspace: id}) => id);
      },
    },
  );
  const readers = async () => {
    const all = [...installed, without];
    const cursors = await Promise.all(all.map((id) => events.findCursor(id, 'slack', newDeadline())));
    return all.filter((_, i) => cursors[i] !== undefined);
  };
  const {choreTwice} = await startOther(service);
  await join(newDeadline());
  expect(joined.toSorted()).toEqual(installed.toSorted());
  for (let day = 0; day < 3; day++) {
    await clock.advance((lifetimes.idleConsumer - 60) * 1_000);
    await join(newDeadline());
  }
  await until(async () => (await readers()).length < 3, {
    what: 'the workspace without the bot has no reader',
  });
  for (let i = 0; i < 3; i++) await choreTwice();
  expect(joined).toHaveLength(2);
  expect(await readers()).toEqual(installed);

  await clock.advance((lifetimes.idleConsumer + 60) * 1_000);
  await until(async () => (await readers()).length === 0, {what: 'nobody reads for Slack'});
  await join(newDeadline());
  expect(await readers()).toEqual(installed);
});
