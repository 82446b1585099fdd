// What was opened while a team was open, or by someone who was in it, ends with the right to read the team.
import {afterAll, afterEach, beforeAll, beforeEach, expect, it} from '@jest/globals';
import {Client, StreamableHTTPClientTransport} from '@modelcontextprotocol/client';
import {once} from 'node:events';
import {get, type IncomingMessage} from 'node:http';
import {scopes} from '../../../src/domain/core/access.js';
import {type EventStreamClient, openEvents} from '../../support/event-stream-client.js';
import {sendMails, sendNotices} from '../../support/mails.js';
import {seedStandups} from '../../support/seed-standups.js';
import {type Json, startService, type TestService, type TestWorkspace} from '../../support/service.js';
import {until} from '../../support/until.js';
import {addPerson, type Person} from '../people.js';
import {make} from '../samples.js';

/** Stands in everything that is written in the team after the switch. */
const mark = 'mark5d1f';

let service: TestService;
let workspace: TestWorkspace;
let [lead, leaving, other] = [{} as Person, {} as Person, {} as Person];
/** Another open team, whose content everyone goes on reading. */
const open = 'open-team';
const streams: EventStreamClient[] = [];
const clients: Client[] = [];

beforeAll(async () => {
  service = await startService({env: {ROLES: 'web'}, mail: 'sent', streaming: {pulse: 100}});
});
afterAll(() => service.close());
beforeEach(async () => {
  workspace = await service.addWorkspace();
  const add = (name: string, more: object = {}) => addPerson(service, workspace, {name, ...more});
  lead = await add('Lena', {team: 'platform', as: 'lead'});
  leaving = await add('Leo', {team: 'platform', email: 'leo@example.com'});
  other = await add('Olaf');
  await make(workspace, '/v1/teams', {slug: open, name: 'Open'});
  await workspace.request('PUT', `/v1/teams/${open}/members/${lead.id}`);
});
afterEach(async () => {
  for (const stream of streams.splice(0)) stream.cut();
  for (const client of clients.splice(0)) await client.close();
});

async function send(method: string, path: string, body?: Json, token = lead.token): Promise<Json> {
  const {status, text, body: answer} = await workspace.request(method, path, {token, body});
  if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
  return answer;
}

const post = (update: string, team = 'platform') => send('POST', '/v1/standups', {team, update});

/** Ends the right of all but the lead to read the team, and returns the ids of what is written in it then. */
async function endRights(): Promise<string[]> {
  await send('DELETE', `/v1/teams/platform/members/${leaving.id}`);
  await send('PATCH', '/v1/teams/platform', {visibility: 'private'});
  const {id: standup} = await post(`Did ${mark}`);
  const said = {standup, text: `Said ${mark}`};
  const {id: comment} = await send('POST', '/v1/comments', said);
  const {id: blocker} = await send('POST', '/v1/blockers', {team: 'platform', text: `Needs ${mark}`});
  return [mark, standup, comment, blocker];
}

/** Everyone who may not read the team after `endRights`: two people and a program. */
const listLosers = async (): Promise<string[]> => {
  const program = scopes.filter((scope) => scope !== 'teams:private');
  return [leaving.token, other.token, (await workspace.addToken({scopes: program, name: 'bot'})).value];
};

it.each([
  ['/v1/events/stream', ''],
  ['/v1/changes/stream', ''],
  ['/v1/events/stream', '?types=comment.created,standup.*'],
])(
  'the stream %s%s that was opened before sends nothing of a team that became private',
  async (path, query) => {
    const losers = await listLosers();
    for (const token of [lead.token, ...losers])
      streams.push(await openEvents(service.url, {token, path, query}));
    await post('Before');
    for (const stream of streams) await until(() => stream.events.length > 0, {what: 'an event'});
    const secrets = await endRights();
    const {id: last} = await post('The last one', open);
    for (const stream of streams)
      await until(() => JSON.stringify(stream.events).includes(last), {what: 'the last event'});
    const shown = streams.map(({events}) => JSON.stringify(events));
    const found = shown.map((text) => secrets.filter((secret) => text.includes(secret)));
    expect(found.slice(1)).toEqual(losers.map(() => []));
    expect(found[0]).toContain(secrets[1]);
  },
);

it('a request that waits for an event is not answered with one of a team that became private', async () => {
  const losers = await listLosers();
  const {body} = await workspace.request('GET', '/v1/events?limit=100', {token: other.token});
  const waiting = losers.map((token) =>
    workspace.request('GET', `/v1/events?wait=3&cursor=${body.next_cursor}`, {token}),
  );
  const secrets = await endRights();
  await post('The last one', open);
  for (const {status, text} of await Promise.all(waiting)) {
    expect(status).toBe(200);
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
  }
});

function openExport(path: string, token: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = {authorization: `Bearer ${token}`, accept: 'application/x-ndjson'};
    get(`${service.url}${path}`, {headers, agent: false}, resolve).once('error', reject);
  });
}

it('an export that has begun leaves out the rest of a team that became private, and goes on with others', async () => {
  const count = 2_000;
  await seedStandups(service.redisUrl, workspace, {count, update: (i) => `${i} `.padEnd(3_600, 'x')});
  // The oldest row of all, which the export reaches last.
  await send('POST', '/v1/standups', {team: open, update: 'The last one', date: '2025-12-02'});
  const losers = await listLosers();
  const exports = await Promise.all(losers.map((token) => openExport('/v1/export', token)));
  const texts = exports.map(async (answer) => {
    answer.setEncoding('utf8');
    let text = String(await once(answer, 'data'));
    answer.pause();
    await switched;
    for await (const chunk of answer) text += chunk as string;
    return text;
  });
  const switched = endRights();
  const secrets = await switched;
  for (const text of await Promise.all(texts)) {
    expect(text).toContain('The last one');
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
    const rows = text.split('\n').filter((line) => line.includes('"team":"platform"')).length;
    expect(rows).toBeGreaterThan(0);
    expect(rows).toBeLessThan(count / 2);
  }
}, 60_000);

it('an assistant that connected before is shown nothing of a team that became private by any tool', async () => {
  const {id: before} = await post('Before');
  const losers = await listLosers();
  const connected = await Promise.all(losers.map(connect));
  const ask = async (client: Client, name: string, given: Json) => {
    const answer = await client.callTool({name, arguments: given});
    return JSON.stringify([answer.content, answer.structuredContent]);
  };
  expect(await ask(connected[1]!, 'team_today', {team: 'platform'})).toContain('Before');
  const secrets = await endRights();
  const team = 'platform';
  const asked: readonly [string, Json][] = [
    ['standups_search', {}],
    ['standups_search', {team: [team]}],
    ['standups_search', {q: mark}],
    ['team_today', {team}],
    ['who_is_missing', {team}],
    ['blockers_list', {}],
    ['blockers_list', {team}],
    ['comments_list', {standup: before}],
    ['comments_list', {standup: secrets[1]}],
    ['comment_write', {standup: before, text: 'Still here?'}],
    ['standup_post', {team, update: 'Still here?'}],
    ['standup_edit', {standup: before, update: 'Still here?'}],
    ['blocker_set', {blocker: secrets[3], resolved: true}],
    ['schedule_preview', {team}],
    ['participation', {team}],
    ['participation', {}],
  ];
  const {tools} = await connected[0]!.listTools();
  const covered = new Set(asked.map(([name]) => name));
  const rest = tools.map(({name}) => name).filter((name) => !covered.has(name));
  expect(rest).toEqual(['absence_set', 'webhook_health', 'webhook_replay']);
  for (const client of connected)
    for (const [name, given] of asked) {
      const answer = await ask(client, name, given);
      const texts = [...secrets, 'Before'].filter((one) => !JSON.stringify(given).includes(one));
      expect([name, given, texts.filter((one) => answer.includes(one))]).toEqual([name, given, []]);
    }
  const {text} = await workspace.request('GET', '/v1/comments?team=platform', {token: lead.token});
  expect(text).not.toContain('Still here?');
});

async function connect(token: string): Promise<Client> {
  const client = new Client({name: 'test', version: '1'});
  const requestInit = {headers: {authorization: `Bearer ${token}`}};
  await client.connect(new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), {requestInit}));
  clients.push(client);
  return client;
}

it('a mail about a comment that waits is dropped if its member may no longer see the team, and their inbox shows none of it', async () => {
  const mine = {team: 'platform', update: 'Mine'};
  const {id: standup} = await send('POST', '/v1/standups', mine, leaving.token);
  await send('POST', '/v1/comments', {standup, text: 'Before'});
  await sendNotices(service.core, workspace.id);
  await endRights();
  await send('POST', '/v1/comments', {standup, text: `After ${mark}`});
  expect(await sendMails(service, workspace)).toEqual([]);
  const inbox = async () => (await workspace.request('GET', '/v1/inbox', {token: leaving.token})).text;
  expect(await inbox()).not.toContain(mark);
  await send('PUT', `/v1/teams/platform/members/${leaving.id}`);
  expect(await inbox()).toContain(mark);
});
