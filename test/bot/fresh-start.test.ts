import {afterEach, beforeEach, describe, expect, test} from '@jest/globals';
import type {Emulator} from 'emulate';
import {lifetimes} from '../../src/domain/core/limits.js';
import {workspaceKeys} from '../../src/store/core/keys.js';
import {adminToken, botToken, channel, signingSecret, startEmulator} from '../support/slack-harness.js';
import {type FailureServer, startFailureServer} from '../support/slack-failure-server.js';
import {sendRequest, startService, type TestService, type TestWorkspace} from '../support/service.js';
import {type ServiceProcess, startServiceProcess} from '../support/service-process.js';
import {testRedisUrl} from '../support/redis-server.js';
import {createTestClock, type TestClock} from '../support/test-clock.js';
import {until} from '../support/until.js';

let emulator: Emulator;
let slack: FailureServer;
let redisUrl: string;
let clock: TestClock | undefined;
const closings: (() => Promise<unknown>)[] = [];
beforeEach(async () => {
  emulator = await startEmulator();
  closings.push(() => emulator.close());
  slack = await startFailureServer(() => emulator.url);
  closings.push(() => slack.close());
  redisUrl = await testRedisUrl();
});
afterEach(async () => {
  clock = undefined;
  for (let next = closings.pop(); next !== undefined; next = closings.pop()) await next();
});

const newDeadline = () => performance.now() + 5_000;
const slackEnv = () => ({
  SLACK_BOT_TOKEN: botToken,
  SLACK_SIGNING_SECRET: signingSecret,
  SLACK_API_URL: `${slack.url}/api/`,
});

/** One process of the service on this test's Redis. With `env` alone it has no Slack. */
async function start(env: Record<string, string> = {}, upkeepMs?: number): Promise<TestService> {
  const service = await startService({
    redisUrl,
    env,
    ...(clock && {time: clock.time}),
    ...(upkeepMs !== undefined && {upkeepMs}),
  });
  closings.push(() => service.close());
  return service;
}

/**
 * Gives a test clock to the services started later. The returned function moves it past the lifetime of an
 * idle consumer.
 */
async function holdClock(): Promise<() => Promise<void>> {
  const own = await createTestClock(redisUrl);
  closings.push(() => own.close());
  clock = own;
  return () => own.advance(lifetimes.idleConsumer * 1_000);
}

/** Whether the log of a workspace is kept for Slack. */
async function isRead({core}: TestService, {id}: TestWorkspace): Promise<boolean> {
  return (await core.store.events.findCursor(id, 'slack', newDeadline())) !== undefined;
}

/** Waits until upkeep has begun to count the time without a consumer for Slack. */
async function untilCounted({core}: TestService, {id}: TestWorkspace): Promise<void> {
  await until(
    async () =>
      (await core.store.connection.call(newDeadline(), [
        'HEXISTS',
        workspaceKeys(id).head(),
        'run:slack',
      ])) === 1,
    {what: 'upkeep has come by'},
  );
}

async function startProcess(env: Record<string, string>): Promise<ServiceProcess> {
  const service = await startServiceProcess({redisUrl, env: {...slackEnv(), ...env}});
  closings.push(() => service.kill());
  return service;
}

/** A workspace whose team has a channel. A process without Slack makes it, as the command line does. */
async function makeWorkspace(name?: string): Promise<TestWorkspace> {
  const command = await start({ROLES: 'web'});
  const workspace = await command.addWorkspace(name);
  await command.core.services.teams.changeTeam(workspace.operator(), 'platform', {slack_channel_id: channel});
  return workspace;
}

async function post({token}: TestWorkspace, {url}: {url: string}, update: string): Promise<void> {
  const {status, text} = await sendRequest(url, 'POST', '/v1/standups', {
    token,
    body: {team: 'platform', update},
  });
  expect({status, text}).toMatchObject({status: 201});
}

/** The standups in the channel. */
async function shown(): Promise<string[]> {
  const ask = async (method: string, body: Record<string, string>) => {
    const reply = await fetch(`${emulator.url}/api/${method}`, {
      method: 'POST',
      headers: {authorization: `Bearer ${adminToken}`},
      body: new URLSearchParams({channel, ...body}),
    });
    return ((await reply.json()) as {messages: {ts: string; text: string}[]}).messages;
  };
  const [parent] = await ask('conversations.history', {});
  if (parent === undefined) return [];
  const all = await ask('conversations.replies', {ts: parent.ts});
  return all.filter(({ts}) => ts !== parent.ts).map(({text}) => text);
}

async function untilShown(count: number): Promise<string[]> {
  await until(async () => (await shown()).length >= count, {what: `${count} standups are shown`});
  return shown();
}

describe('regression: a standup posted right after a start or after the creation of its workspace', () => {
  test('is shown in Slack when a process has just reported that it is ready', async () => {
    const workspace = await makeWorkspace();
    const service = await startProcess({});
    await post(workspace, service, 'at once');
    expect(await untilShown(1)).toEqual(['ci: at once']);
  });

  test('is shown in Slack as soon as there is a worker, when only a process with the role web has run so far', async () => {
    const workspace = await makeWorkspace();
    const web = await start({...slackEnv(), ROLES: 'web'});
    await post(workspace, web, 'before any worker');
    await start({...slackEnv(), ROLES: 'worker'});
    expect(await untilShown(1)).toEqual(['ci: before any worker']);
  });

  test('is shown in Slack when the command creates its workspace while the service runs', async () => {
    const service = await start({...slackEnv(), ROLES: 'web'});
    await post(await makeWorkspace(), service, 'newly made');
    await start({...slackEnv(), ROLES: 'worker'});
    expect(await untilShown(1)).toEqual(['ci: newly made']);
  });

  test('is shown in Slack, in a workspace created while the service runs, only if SLACK_WORKSPACE names that workspace', async () => {
    const aDayLater = await holdClock();
    const env = {...slackEnv(), SLACK_WORKSPACE: 'later'};
    const service = await start({...env, ROLES: 'web'});
    const [other, named] = [await makeWorkspace('Other'), await makeWorkspace('Later')];
    await post(other, service, 'elsewhere');
    await post(named, service, 'named');
    const worker = await start({...env, ROLES: 'worker'}, 100);
    expect(await untilShown(1)).toEqual(['ci: named']);
    // The log has no consumer for Slack, so nothing keeps it from being trimmed.
    await untilCounted(worker, other);
    await aDayLater();
    await until(async () => !(await isRead(worker, other)), {what: 'nothing is kept for Slack'});
    expect(await shown()).toEqual(['ci: named']);
  });
});

test('regression: standups posted before the Slack settings exist are not shown; later ones are, even if posted before a worker starts', async () => {
  const workspace = await makeWorkspace();
  const plain = await start({}, 100);
  await post(workspace, plain, 'before Slack');
  expect(await isRead(plain, workspace)).toBe(false);
  await plain.close();
  await post(workspace, await start({...slackEnv(), ROLES: 'web'}), 'with Slack');
  await start({...slackEnv(), ROLES: 'worker'});
  expect(await untilShown(1)).toEqual(['ci: with Slack']);
});

test('regression: standups posted while only a process without Slack runs are shown by the next process with Slack', async () => {
  const workspace = await makeWorkspace();
  const service = await start(slackEnv());
  await post(workspace, service, 'before');
  expect(await untilShown(1)).toEqual(['ci: before']);
  await service.close();
  const plain = await start({}, 100);
  await post(workspace, plain, 'between');
  await untilCounted(plain, workspace);
  await plain.close();
  await start(slackEnv());
  expect(await untilShown(2)).toEqual(['ci: before', 'ci: between']);
});
