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
import {type FailureServer, startFailureServer} from '../support/slack-failure-server.js';
import {startReceiver, verifyWebhook} from '../support/receiver.js';
import {startService, type TestService, type TestWorkspace} from '../support/service.js';
import {until} from '../support/until.js';

let emulator: Emulator;
let slack: FailureServer;
let service: TestService;
let workspace: TestWorkspace;
beforeAll(async () => {
  emulator = await startEmulator();
  slack = await startFailureServer(() => emulator.url);
  service = await startService({
    env: {SLACK_BOT_TOKEN: botToken, SLACK_SIGNING_SECRET: signingSecret, SLACK_API_URL: `${slack.url}/api/`},
  });
  workspace = await service.addWorkspace();
  const {services} = service.core;
  await services.teams.changeTeam(workspace.operator(), 'platform', {slack_channel_id: channel});
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

test('standups from API and Slack on one port are shown in the channel once each, and follow edits', async () => {
  const made = await workspace.request('POST', '/v1/standups', {body: {team: 'platform', update: 'by API'}});
  expect(made.status).toBe(201);
  const reply = await sendSigned(service.url, {
    command: '/standup',
    text: 'post: by Slack',
    user_id: admin.id,
    user_name: admin.name,
    team_id: 'T000000001',
    channel_id: channel,
    trigger_id: randomUUID(),
    response_url: `${slack.url}/respond`,
  });
  expect(reply.body.text).toContain('✅ Posted in <#C000000001>');
  await until(async () => (await thread()).length === 2);
  const change = {body: {update: 'by API, edited'}};
  expect((await workspace.request('PATCH', `/v1/standups/${made.body.id}`, change)).status).toBe(200);
  await until(async () => (await thread()).includes('ci: by API, edited'));
  expect((await thread()).toSorted()).toEqual(['admin: by Slack', 'ci: by API, edited']);
  expect((await workspace.request('DELETE', `/v1/standups/${made.body.id}`)).status).toBe(204);
  await until(async () => (await thread()).length === 1);
  expect(slack.limitViolations).toEqual([]);
});

test('a standup in the API shows where it is in Slack and has another entity tag for that, while its events do not show it', async () => {
  const made = await workspace.request('POST', '/v1/standups', {body: {team: 'platform', update: 'linked'}});
  const path = `/v1/standups/${made.body.id}`;
  const read = () => workspace.request('GET', path);
  await until(async () => (await read()).body.slack?.permalink);
  const {body, headers} = await read();
  const [parent] = (await api('conversations.history', {channel})).messages;
  const {messages} = await api('conversations.replies', {channel, ts: parent!.ts});
  const message = messages.find(({text}) => text === 'ci: linked');
  expect(made.body.slack).toBeNull();
  expect(body).toEqual({
    ...made.body,
    slack: {
      channel_id: channel,
      message_ts: message!.ts,
      permalink: expect.stringContaining(`/archives/${channel}/p${message!.ts.replace('.', '')}`),
      problem: null,
    },
  });
  expect((await workspace.request('GET', '/v1/standups?limit=1')).body.data).toEqual([body]);
  const tag = headers.get('etag') ?? '';
  expect(tag).toMatch(/^"1\.\w+"$/);
  const unchanged = await workspace.request('GET', path, {headers: {'if-none-match': tag}});
  expect(unchanged.status).toBe(304);
  const stale = await workspace.request('GET', path, {headers: {'if-none-match': '"1"'}});
  expect(stale.status).toBe(200);
  const events = await workspace.request('GET', '/v1/events?limit=100');
  expect(events.text).not.toContain('permalink');
  const change = {body: {update: 'linked, better'}, headers: {'if-match': tag}};
  expect((await workspace.request('PATCH', path, change)).body.slack).toEqual(body.slack);
  expect((await read()).body.slack).toEqual(body.slack);
  expect((await workspace.request('DELETE', path)).status).toBe(204);
  await until(async () => !(await thread()).some((text) => text.includes('linked')));
});

test('a receiver gets a signed standup.created for posts by API and from Slack, and the channel shows both once', async () => {
  const receiver = await startReceiver();
  try {
    const hook = await workspace.request('POST', '/v1/webhooks', {
      body: {url: receiver.url, events: ['standup.created']},
    });
    await workspace.request('POST', '/v1/standups', {body: {team: 'platform', update: 'told by API'}});
    await sendSigned(service.url, {
      command: '/standup',
      text: 'told by Slack',
      user_id: admin.id,
      user_name: admin.name,
      team_id: 'T000000001',
      channel_id: channel,
      trigger_id: randomUUID(),
      response_url: `${slack.url}/respond`,
    });
    await receiver.waitFor(2, 10_000);
    const events = receiver.received.map(
      (delivery) =>
        verifyWebhook(delivery, hook.body.secret) as {type: string; data: {update: string; source: string}},
    );
    expect(events.map(({type, data}) => [type, data.update, data.source]).toSorted()).toEqual([
      ['standup.created', 'told by API', 'api'],
      ['standup.created', 'told by Slack', 'slack'],
    ]);
    const shown = async () => (await thread()).filter((text) => text.includes('told by')).toSorted();
    await until(async () => (await shown()).length >= 2);
    expect(await shown()).toEqual(['admin: told by Slack', 'ci: told by API']);
    expect(receiver.received).toHaveLength(2);
  } finally {
    await workspace
      .request('GET', '/v1/webhooks')
      .then(({body}) => workspace.request('DELETE', `/v1/webhooks/${body.data[0].id}`));
    await receiver.close();
  }
});

test('the API of the same application still answers its own requests', async () => {
  expect((await workspace.request('GET', '/slack/events')).status).toBe(404);
  const ready = await fetch(`${service.url}/readyz`);
  expect(JSON.stringify(await ready.json())).toContain('configured');
});
