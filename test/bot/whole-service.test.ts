import {afterAll, beforeAll, expect, test} from '@jest/globals';
import {randomUUID} from 'node:crypto';
import type {Emulator} from 'emulate';
import {
  admin,
  adminToken,
  botToken,
  channel,
  sendSigned,
  signingSecret,
  startEmulator,
} from '../support/slack-harness.js';
import {type FaultServer, startFaultServer} from '../support/slack-fault-server.js';
import {startService, type TestService, type TestWorkspace} from '../support/service.js';
import {until} from '../support/until.js';

let emulator: Emulator;
let slack: FaultServer;
let service: TestService;
let workspace: TestWorkspace;
beforeAll(async () => {
  emulator = await startEmulator();
  slack = await startFaultServer(() => emulator.url);
  service = await startService({
    env: {SLACK_BOT_TOKEN: botToken, SLACK_SIGNING_SECRET: signingSecret, SLACK_API_URL: `${slack.url}/api/`},
  });
  workspace = await service.addWorkspace();
  const {store, services} = service.core;
  await services.teams.changeTeam(workspace.operator(), 'platform', {slack_channel_id: channel});
  await until(() =>
    store.events
      .findCursor(workspace.id, 'slack', performance.now() + 1_000)
      .then((cursor) => cursor !== undefined),
  );
});
afterAll(async () => {
  await service.close();
  await slack.close();
  await emulator.close();
});

async function api(method: string, body: Record<string, string>) {
  const headers = {authorization: `Bearer ${adminToken}`};
  const reply = await fetch(`${emulator.url}/api/${method}`, {
    method: 'POST',
    headers,
    body: new URLSearchParams(body),
  });
  return (await reply.json()) as {messages: {ts: string; text: string}[]};
}

async function thread(): Promise<string[]> {
  const [parent] = (await api('conversations.history', {channel})).messages;
  if (parent === undefined) return [];
  const {messages} = await api('conversations.replies', {channel, ts: parent.ts});
  return messages.filter(({ts}) => ts !== parent.ts).map(({text}) => text);
}

test('one service, one port: what is posted by API and by Slack stands in the channel, once each, and follows edits', async () => {
  const made = await workspace.request('POST', '/v1/standups', {body: {team: 'platform', update: 'by API'}});
  expect(made.status).toBe(201);
  const reply = await sendSigned(service.url, {
    command: '/standup',
    text: 'by Slack',
    user_id: admin.id,
    user_name: admin.name,
    team_id: 'T000000001',
    channel_id: channel,
    trigger_id: randomUUID(),
    response_url: `${slack.url}/respond`,
  });
  expect(reply.body.text).toContain('Posted for Platform');
  await until(async () => (await thread()).length === 2);
  const change = {body: {update: 'by API, edited'}};
  expect((await workspace.request('PATCH', `/v1/standups/${made.body.id}`, change)).status).toBe(200);
  await until(async () => (await thread()).includes('ci: by API, edited'));
  expect((await thread()).toSorted()).toEqual(['admin: by Slack', 'ci: by API, edited']);
  expect((await workspace.request('DELETE', `/v1/standups/${made.body.id}`)).status).toBe(204);
  await until(async () => (await thread()).length === 1);
  expect(slack.limitFaults).toEqual([]);
});

test('the API of the same application still answers for itself', async () => {
  expect((await workspace.request('GET', '/slack/events')).status).toBe(404);
  const ready = await fetch(`${service.url}/readyz`);
  expect(JSON.stringify(await ready.json())).toContain('configured');
});
