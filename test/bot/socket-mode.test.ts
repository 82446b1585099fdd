import {afterAll, afterEach, beforeAll, describe, expect, test} from '@jest/globals';
import {randomUUID} from 'node:crypto';
import type {Emulator} from 'emulate';
import {shortcuts} from '../../src/bot/slack/blocks/names.js';
import {admin, botToken, lookingToken, channel, sendSigned, startEmulator} from '../support/slack-harness.js';
import {type FailureServer, startFailureServer} from '../support/slack-failure-server.js';
import {type SocketSlack, startSocketSlack} from '../support/socket-slack.js';
import {startService, type TestService, type TestWorkspace} from '../support/service.js';
import {measureTime} from '../support/stopwatch.js';
import {until} from '../support/until.js';

let emulator: Emulator;
let socket: SocketSlack;
let slack: FailureServer;
/** Connected for all tests that need no bot of their own. */
let shared: StartedBot;
const running: TestService[] = [];

beforeAll(async () => {
  emulator = await startEmulator();
  socket = await startSocketSlack(() => emulator.url);
  slack = await startFailureServer(() => socket.url);
  shared = await startConnected();
  running.length = 0;
});

afterEach(async () => {
  expect(slack.limitViolations).toEqual([]);
  slack.clear();
  socket.greets = true;
  await Promise.all(running.splice(0).map((service) => service.close()));
});

afterAll(async () => {
  await shared.service.close();
  await slack.close();
  await socket.close();
  await emulator.close();
});

type StartedBot = Awaited<ReturnType<typeof start>>;

async function start(env: Record<string, string> = {}) {
  const service = await startService({
    env: {
      SLACK_BOT_TOKEN: botToken,
      SLACK_APP_TOKEN: 'xapp-1-test',
      SLACK_API_URL: `${slack.url}/api/`,
      ...env,
    },
  });
  running.push(service);
  const {url} = service;
  const workspace = await service.addWorkspace();
  await service.core.services.teams.changeTeam(workspace.operator(), 'platform', {slack_channel_id: channel});
  return {service, url, workspace, readiness: () => readiness(url), close: () => closeOne(service)};
}

function closeOne(service: TestService): Promise<void> {
  running.splice(running.indexOf(service), 1);
  return service.close();
}

async function startConnected(): Promise<StartedBot> {
  const started = await start();
  await until(async () => (await started.readiness()).slack === 'connected');
  return started;
}

async function readiness(url: string): Promise<{status: string; slack: string}> {
  return (await (await fetch(`${url}/readyz`)).json()) as {status: string; slack: string};
}

function command(text: string) {
  return {
    command: '/standup',
    text,
    user_id: admin.id,
    user_name: admin.name,
    team_id: 'T000000001',
    channel_id: channel,
    trigger_id: randomUUID(),
    response_url: `${slack.url}/respond`,
  };
}

async function updates(workspace: TestWorkspace): Promise<string[]> {
  const {body} = await workspace.request('GET', '/v1/standups');
  return body.data.map(({update}: {update: string}) => update);
}

async function count(workspace: TestWorkspace, update: string): Promise<number> {
  return (await updates(workspace)).filter((text) => text === update).length;
}

test('a command that comes over the connection is answered over it, and no other entry point is open', async () => {
  const {workspace, url} = shared;
  const answer = await socket.deliver('slash_commands', command('post: by socket'));
  expect(answer).toMatchObject({response_type: 'ephemeral'});
  expect(answer['text']).toContain('✅ Posted in <#C000000001>');
  expect(await count(workspace, 'by socket')).toBe(1);
  expect((await sendSigned(url, command('post: by HTTP'))).status).toBe(404);
  expect(await updates(workspace)).not.toContain('by HTTP');
});

test('interactions and events are answered over the connection', async () => {
  const team = {id: 'T000000001', domain: 'acme'};
  const shortcut = {
    type: 'shortcut',
    callback_id: `${shortcuts.post}-unknown`,
    team,
    user: admin,
    trigger_id: randomUUID(),
    action_ts: '1',
  };
  expect(await socket.deliver('interactive', shortcut)).toEqual({});
  const view = {id: 'V1', callback_id: 'unknown', type: 'modal', state: {values: {}}, private_metadata: ''};
  expect(await socket.deliver('interactive', {type: 'view_submission', team, user: admin, view})).toEqual({});
  const event = {
    type: 'event_callback',
    team_id: team.id,
    api_app_id: 'A1',
    event_id: 'Ev1',
    event_time: 1,
    event: {type: 'app_home_opened', user: admin.id, channel: 'D1', tab: 'home', event_ts: '1'},
  };
  expect(await socket.deliver('events_api', event)).toEqual({});
});

test('a typed message is stored and answered before it is acknowledged, and is sent again when it could not be answered', async () => {
  const {channel: opened} = (await (
    await fetch(`${slack.url}/api/conversations.open`, {
      method: 'POST',
      headers: {authorization: `Bearer ${lookingToken}`},
      body: new URLSearchParams({users: admin.id}),
    })
  ).json()) as {channel: {id: string}};
  const typed = (ts: string) => ({
    type: 'event_callback',
    team_id: 'T000000001',
    api_app_id: 'A1',
    event_id: `Ev${ts}`,
    event: {type: 'message', channel_type: 'im', channel: opened.id, user: admin.id, text: 'Shipped it', ts},
  });
  const said = () => slack.of('chat.postMessage').filter(({body}) => body['channel'] === opened.id).length;
  expect(await socket.deliver('events_api', typed('1.000100'))).toEqual({});
  expect(said()).toBe(1);
  slack.fail('chat.postMessage', {kind: 'status', status: 500});
  socket.send('events_api', typed('1.000200'), {id: 'held'});
  await until(() => said() === 2);
  const {typedRecords} = shared.service.core.store;
  await until(async () => {
    const kept = await typedRecords.find(shared.workspace.id, admin.id, performance.now() + 1_000);
    return kept?.json.includes('saying') === false;
  });
  expect(socket.answersTo('held')).toEqual([]);
  expect(await socket.deliver('events_api', typed('1.000200'))).toEqual({});
  expect(said()).toBe(3);
});

describe('a connection that ends', () => {
  test.each<[string, () => void]>([
    ['when the network drops it', () => socket.drop()],
    [
      'when Slack asks for another one, without waiting for the end of the first',
      () => socket.askForAnother(),
    ],
    ['when Slack warns', () => socket.askForAnother('warning')],
  ])('is replaced %s', async (name, end) => {
    const {workspace} = shared;
    const {greeted} = socket;
    end();
    const [, ms] = await measureTime(() => until(() => socket.greeted > greeted));
    // The wait after many failures is half a minute.
    expect(ms).toBeLessThan(10_000);
    const answer = await socket.deliver('slash_commands', command(`post: ${name}`));
    expect(answer['text']).toContain('Posted');
    expect(await updates(workspace)).toContain(name);
    await until(() => socket.open === 1);
  });
});

test('an envelope that is repeated after its answer has no second effect', async () => {
  const {workspace} = shared;
  const [id, sent] = [randomUUID(), command('post: once, answered')];
  expect((await socket.deliver('slash_commands', sent, {id}))['text']).toContain('Posted');
  expect(await socket.deliver('slash_commands', sent, {id})).toEqual({});
  expect(await count(workspace, 'once, answered')).toBe(1);
});

test('an envelope whose answer was lost is answered when it is repeated, and posted once', async () => {
  const {workspace} = shared;
  const [id, sent] = [randomUUID(), {...command('post: once, unanswered'), user_id: 'U000000002'}];
  let goOn = (): void => undefined;
  slack.fail('users.info', {kind: 'slow', until: new Promise((resolve) => (goOn = resolve))});
  socket.send('slash_commands', sent, {id});
  await until(() => slack.of('users.info').length > 0);
  const {greeted} = socket;
  socket.drop();
  await until(() => socket.greeted > greeted);
  goOn();
  const answer = await until(async () => {
    const {text} = await socket.deliver('slash_commands', sent, {id});
    return typeof text === 'string' && text;
  });
  expect(answer).toContain('✅ Posted in <#C000000001>');
  expect(await count(workspace, 'once, unanswered')).toBe(1);
});

describe('the service', () => {
  test.each<[string, () => void, string]>([
    [
      'while Slack is out of order',
      () => slack.failAlways('apps.connections.open', {kind: 'status', status: 503}),
      'connecting',
    ],
    [
      'while Slack does not answer',
      () => slack.failAlways('apps.connections.open', {kind: 'hang'}),
      'connecting',
    ],
    [
      'while Slack refuses the token',
      () => slack.failAlways('apps.connections.open', {kind: 'refused', code: 'invalid_auth'}),
      'connecting (Slack says invalid_auth)',
    ],
    ['while Slack does not greet', () => void (socket.greets = false), 'connecting'],
  ])('starts, serves and reports its state %s', async (_, break_, state) => {
    break_();
    const {workspace, readiness: ready, close} = await start();
    await until(async () => (await ready()).slack === state);
    expect((await ready()).status).toBe('ready');
    expect(
      (await workspace.request('POST', '/v1/standups', {body: {team: 'platform', update: 'x'}})).status,
    ).toBe(201);
    const [, ms] = await measureTime(close);
    expect(ms).toBeLessThan(3_000);
  });
});

test('the service connects as soon as Slack is back, and waits as long as Slack asks', async () => {
  slack.fail('apps.connections.open', {kind: 'status', status: 503}, {kind: 'limited', seconds: 1});
  const {readiness: ready} = await start();
  await until(async () => (await ready()).slack === 'connected');
  const [, limited, last] = slack.of('apps.connections.open').map(({at}) => at);
  expect((last ?? 0) - (limited ?? 0)).toBeGreaterThan(990);
  expect(slack.of('apps.connections.open')).toHaveLength(3);
});

test('a service that stops accepts no new requests, finishes those that have begun, and closes the connection', async () => {
  const {close} = await startConnected();
  const {greeted, open} = socket;
  const [begun, late] = [randomUUID(), randomUUID()];
  let goOn = (): void => undefined;
  slack.fail('users.info', {kind: 'slow', until: new Promise((resolve) => (goOn = resolve))});
  socket.send('slash_commands', command('post: begun'), {id: begun});
  await until(() => slack.of('users.info').length > 0);
  const closed = close();
  socket.send('slash_commands', {...command('post: late'), user_id: 'U000000003'}, {id: late});
  await socket.read();
  goOn();
  await closed;
  await until(() => socket.open === open - 1);
  expect(socket.answersTo(begun)[0]?.['text']).toContain('Posted');
  expect(socket.answersTo(late)).toEqual([]);
  expect(slack.of('users.info').map(({body}) => body['user'])).not.toContain('U000000003');
  expect(socket.greeted).toBe(greeted);
});

test('a process with only the worker role opens no connection', async () => {
  const {readiness: ready} = await start({ROLES: 'worker', METRICS_TOKEN: 'a-metrics-token-of-the-tests'});
  expect((await ready()).slack).toBe('configured');
  expect(slack.of('apps.connections.open')).toEqual([]);
});
