import {afterAll, beforeAll, expect, test} from '@jest/globals';
import {randomUUID} from 'node:crypto';
import type {Emulator} from 'emulate';
import {scopes} from '../../src/domain/core/access.js';
import {operatorCall} from '../../src/service/workspaces/workspaces.js';
import {
  admin,
  adminToken,
  botToken,
  channel,
  type BotReply,
  sendSigned,
  signingSecret,
  startEmulator,
} from '../support/slack-harness.js';
import {type FailureServer, type SlackCall, startFailureServer} from '../support/slack-failure-server.js';
import {sendRequest, startService, type TestService} from '../support/service.js';
import {readInitialText, createTypedInputState} from '../support/slack-form.js';
import {until} from '../support/until.js';

// oxlint-disable-next-line typescript/no-explicit-any -- views and messages of many shapes
type Shape = any;

let emulator: Emulator;
let slack: FailureServer;
let service: TestService;
const lines: string[] = [];

beforeAll(async () => {
  emulator = await startEmulator();
  slack = await startFailureServer(() => emulator.url);
  service = await startService({
    env: {SLACK_BOT_TOKEN: botToken, SLACK_SIGNING_SECRET: signingSecret, SLACK_API_URL: `${slack.url}/api/`},
  });
});

afterAll(async () => {
  if (process.env['PRINT_TRANSCRIPT'] === '1') process.stderr.write(`\n${lines.join('\n')}\n`);
  await service.close();
  await slack.close();
  await emulator.close();
});

async function api(method: string, body: Record<string, string>, as = adminToken): Promise<Shape> {
  const headers = {authorization: `Bearer ${as}`};
  const reply = await fetch(`${emulator.url}/api/${method}`, {
    method: 'POST',
    headers,
    body: new URLSearchParams(body),
  });
  return reply.json();
}

const trigger = async () =>
  String((await api('views.generateTriggerId', {user_id: admin.id}, botToken)).trigger_id);

const origin = {team: {id: 'T000000001', domain: 'acme'}, api_app_id: 'A1'};

async function type(text: string): Promise<BotReply> {
  note(`admin types: /standup ${text}`);
  return sendSigned(service.url, {
    command: '/standup',
    text,
    user_id: admin.id,
    user_name: admin.name,
    team_id: 'T000000001',
    channel_id: channel,
    channel_name: 'general',
    trigger_id: await trigger(),
    response_url: `${slack.url}/respond/${randomUUID()}`,
  });
}

/** Presses the element with this label. */
async function press(label: string, within: Shape, more: Record<string, unknown> = {}): Promise<void> {
  note(`admin presses: ${label}`);
  const button = listElements(within).find(({text}) => text?.text === label);
  expect(button).toBeDefined();
  const payload = {
    type: 'block_actions',
    ...origin,
    user: {...admin, username: admin.name},
    trigger_id: await trigger(),
    channel: {id: channel, name: 'general'},
    response_url: `${slack.url}/respond/${randomUUID()}`,
    actions: [
      {type: 'button', block_id: 'b', action_ts: '1', action_id: button.action_id, value: button.value},
    ],
    ...more,
  };
  const {status} = await sendSigned(service.url, {payload: JSON.stringify(payload)});
  expect(status).toBe(200);
}

/** Fills fields of a view by their labels, keeps the others, and submits it. */
async function handIn(view: Shape, answers: Readonly<Record<string, unknown>>): Promise<BotReply> {
  const values = (view.blocks as Shape[]).flatMap(({type, block_id, label, element}) => {
    if (type !== 'input' && element === undefined) return [];
    const given = answers[label?.text ?? ''] ?? initial(element);
    return [[block_id, {[element.action_id]: {type: element.type, ...valueOf(element.type, given)}}]];
  });
  const filled = Object.entries(answers).map(([field, value]) => `${field}: ${JSON.stringify(value)}`);
  note(`admin fills in “${view.title.text}” (${filled.join(', ')}) and presses: ${view.submit.text}`);
  const handed = {...view, state: {values: Object.fromEntries(values)}, hash: 'h'};
  const payload = {
    type: 'view_submission',
    ...origin,
    user: admin,
    view: handed,
    trigger_id: await trigger(),
  };
  return sendSigned(service.url, {payload: JSON.stringify(payload)});
}

function initial(element: Shape): unknown {
  return (
    element.initial_value ??
    element.initial_option?.value ??
    element.initial_users ??
    element.initial_time ??
    element.initial_conversation ??
    (element.default_to_current_conversation ? channel : null)
  );
}

function valueOf(type: string, value: unknown): object {
  if (type === 'plain_text_input') return {value};
  if (type === 'timepicker') return {selected_time: value};
  if (type === 'rich_text_input')
    return typeof value === 'string' ? createTypedInputState(type, value) : {rich_text_value: value};
  if (type === 'multi_users_select') return {selected_users: value ?? []};
  if (type === 'conversations_select') return {selected_conversation: value};
  return {selected_option: value === null ? null : {value}};
}

/** The view that `act` opens, in its final state: filled, if it was opened empty. */
async function view(act: () => Promise<unknown>): Promise<Shape> {
  const [opened, updated] = [slack.of('views.open').length, slack.of('views.update').length];
  await act();
  const call = await until(() => slack.of('views.open')[opened], {what: 'a view is opened'});
  await until(() => call.reply !== undefined, {what: 'Slack has opened it'});
  const id = (call.reply as Shape).view.id as string;
  const first = call.body['view'] as Shape;
  const whole = first.submit === undefined ? await lastOf('views.update', updated) : first;
  see(`a form “${whole.title.text}”: ${visibleText(whole.blocks)}`);
  return {...whole, id};
}

async function lastOf(method: string, after: number): Promise<Shape> {
  const call = await until(() => slack.of(method)[after], {what: method});
  return (call.body['view'] ?? call.body) as Shape;
}

/** The private message that follows the answer to a request. */
async function privateAnswer(act: () => Promise<unknown>): Promise<Shape> {
  const before = slack.of('respond').length;
  await act();
  const call: SlackCall = await until(() => slack.of('respond')[before], {what: 'a private answer'});
  see(String(call.body['text']));
  return call.body;
}

function note(line: string): void {
  lines.push('', line);
}

function see(text: string): void {
  lines.push(`  admin sees: ${text.replaceAll('\n', '\n    ')}`);
}

/** Everything in blocks that can be pressed. */
function listElements(blocks: Shape): Shape[] {
  if (Array.isArray(blocks)) return blocks.flatMap(listElements);
  if (typeof blocks !== 'object' || blocks === null) return [];
  const own = blocks.action_id === undefined ? [] : [blocks];
  return [...own, ...Object.values(blocks).flatMap(listElements)];
}

/** The visible text of blocks, in order. */
function visibleText(blocks: Shape): string {
  const texts = (part: Shape): string[] => {
    if (Array.isArray(part)) return part.flatMap(texts);
    if (typeof part !== 'object' || part === null) return [];
    const {text, label, element, elements, ...rest} = part;
    const own = typeof text === 'string' ? [text] : text === undefined ? [] : texts(text);
    const value = rest.initial_value === undefined ? [] : [`[${readInitialText(rest)}]`];
    return [...own, ...texts(label), ...texts(element), ...value, ...texts(elements)];
  };
  return texts(blocks).join(' | ');
}

/** Waits until the channel shows the day's message, and the replies under it in order of time. */
async function shows(day: string, replies: readonly string[]): Promise<void> {
  let read: {parents: string[]; thread: string[]} = {parents: [], thread: []};
  const matches = async () => {
    const {messages} = await api('conversations.history', {channel, limit: '100'});
    const own = (messages as Shape[]).filter(({text}) => String(text).startsWith('Standup'));
    const threads = own.map(({ts}) => api('conversations.replies', {channel, ts}));
    const thread = (await Promise.all(threads)).flatMap((found) => (found.messages as Shape[]).slice(1));
    read = {parents: own.map(({text}) => text), thread: thread.map(({text}) => text)};
    const [parent = ''] = read.parents;
    return (
      read.parents.length === 1 &&
      parent.endsWith(day) &&
      JSON.stringify(read.thread) === JSON.stringify(replies)
    );
  };
  await until(matches, {withinMs: 15_000, what: `#general shows ${day}: ${replies.join()}`}).catch(
    (error: unknown) => {
      throw new Error(`${String(error)}; it shows ${JSON.stringify(read)}`);
    },
  );
  lines.push('  #general shows:', ...read.parents.map((text) => `    ${text}`));
  lines.push(...read.thread.map((text) => `      └ ${text.replaceAll('\n', '\n        ')}`));
}

function textOf({body}: BotReply): string {
  see(body.text);
  return body.text;
}

test('a team is set up in Slack, posts by text, by form and by API, edits, undoes and deletes; the channel follows each step', async () => {
  const {services} = service.core;
  const newDeadline = () => performance.now() + 5_000;
  const {id: workspace} = await services.workspaces.createWorkspace('acme', newDeadline());

  const first = await type('Fixing the importer');
  expect(textOf(first)).toMatch(/^Not posted\. .*Set one up for your team.*Fixing the importer$/);

  const form = await view(() => press('Set up a standup here', first.body.blocks));
  const updates = slack.of('views.update').length;
  const saved = await handIn(form, {'Time zone': 'Europe/Berlin'});
  expect(saved.body).toMatchObject({response_action: 'update'});
  see(visibleText(saved.body.view.blocks));
  const ready = await lastOf('views.update', updates);
  see(visibleText(ready.blocks));
  expect(visibleText(ready.blocks)).toContain('Standups are ready');
  expect(
    (await services.teams.findDirectory(operatorCall(workspace, newDeadline()))).byChannel(channel),
  ).toMatchObject({
    name: 'general',
  });

  await press('Post your text', ready.blocks, {
    view: {id: form.id, type: 'modal', private_metadata: ready.private_metadata},
    channel: undefined,
    response_url: undefined,
  });
  see(visibleText((await lastOf('views.push', 0)).blocks));
  await shows('1 of 1 posted', ['admin: Fixing the importer']);

  const second = await type('Reviewing the queue');
  expect(textOf(second)).toMatch(/^✅ Posted in <#C000000001>/);
  await shows('1 of 1 posted', ['admin: Fixing the importer', 'admin: Reviewing the queue']);

  const edit = await view(() => type(''));
  const before = slack.of('views.update').length;
  await press('New update', edit.blocks, {
    view: {...edit, type: 'modal'},
    channel: undefined,
    response_url: undefined,
  });
  const empty = await lastOf('views.update', before);
  see(`a form “${empty.title.text}”: ${visibleText(empty.blocks)}`);
  const handed = await handIn({...empty, id: edit.id}, {Today: 'Write the docs', Blockers: 'None'});
  expect(handed).toMatchObject({status: 200, text: ''});
  see('the form closes');
  const written = 'admin: Today\nWrite the docs\n\nBlockers\nNone';
  await shows('1 of 1 posted', ['admin: Fixing the importer', 'admin: Reviewing the queue', written]);

  const again = await view(() => type('edit'));
  expect(await handIn(again, {Today: 'Write the docs & <test> them'})).toMatchObject({status: 200, text: ''});
  see('the form closes');
  const edited = 'admin: Today\nWrite the docs &amp; &lt;test&gt; them\n\nBlockers\nNone';
  await shows('1 of 1 posted', ['admin: Fixing the importer', 'admin: Reviewing the queue', edited]);

  const slip = await type('A slip of the keyboard');
  textOf(slip);
  await shows('1 of 1 posted', [
    'admin: Fixing the importer',
    'admin: Reviewing the queue',
    edited,
    'admin: A slip of the keyboard',
  ]);
  await privateAnswer(() => press('Undo', slip.body.blocks));
  await shows('1 of 1 posted', ['admin: Fixing the importer', 'admin: Reviewing the queue', edited]);

  const ci = await services.people.ensureServiceAccount(operatorCall(workspace, newDeadline()), 'ci');
  const {value: token} = await services.tokens.issueToken(operatorCall(workspace, newDeadline()), {
    name: 'ci',
    holder: ci,
    scopes,
  });
  note('ci posts by API: Deployed 1.4');
  const made = await sendRequest(service.url, 'POST', '/v1/standups', {
    token,
    body: {team: 'general', update: 'Deployed 1.4'},
  });
  expect(made.status).toBe(201);
  await shows('1 of 1 posted', [
    'admin: Fixing the importer',
    'admin: Reviewing the queue',
    edited,
    'ci: Deployed 1.4',
  ]);

  note('ci deletes it by API');
  expect((await sendRequest(service.url, 'DELETE', `/v1/standups/${made.body.id}`, {token})).status).toBe(
    204,
  );
  await shows('1 of 1 posted', ['admin: Fixing the importer', 'admin: Reviewing the queue', edited]);
  expect(slack.limitViolations).toEqual([]);
});
