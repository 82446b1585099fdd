import {afterAll, beforeAll, expect, it} from '@jest/globals';
import {suffixOf, type Id} from '../../../src/domain/core/ids.js';
import {workspaceKeys} from '../../../src/store/core/keys.js';
import {parseStoredAnswer} from '../../../src/store/commit/kept-replies.js';
import {sendRequest, startService, type TestService, type TestWorkspace} from '../../support/service.js';

/** The second process has not read the record before. */
let service: TestService;
let twin: TestService;

beforeAll(async () => {
  const env = {ROLES: 'web'};
  service = await startService({env});
  twin = await startService({redisUrl: service.redisUrl, env});
});

afterAll(async () => {
  await twin.close();
  await service.close();
});

const newDeadline = () => performance.now() + 5_000;
const body = {team: 'platform', update: 'Shipped "it".\n→ next: 🎉', metadata: {ticket: 'A-1'}};
const headers = {'idempotency-key': 'once'};

/** Writes the first data format: a standup as its wire JSON, and the reply of a request as JSON. */
async function writeAsBefore({id: workspace}: TestWorkspace, standup: Id<'standup'>, json: string) {
  const {call} = service.core.store.connection;
  const record = workspaceKeys(workspace).record(suffixOf(standup));
  expect(await call<string>(newDeadline(), ['GET', record])).not.toContain('{"id"');
  await call(newDeadline(), ['SET', record, json]);
  const [key = ''] = await call<string[]>(newDeadline(), ['KEYS', `{${workspace}}:i:*`]);
  const {fingerprint} = parseStoredAnswer(await call<string>(newDeadline(), ['GET', key]));
  const resource = {drawn: suffixOf(standup), revision: 1};
  const reply = {status: 201, beside: {slack: null}, resource};
  await call(newDeadline(), ['SET', key, fingerprint + JSON.stringify(reply)]);
}

it('a standup of the first data format is shown, repeated, changed and reported like a new one', async () => {
  const workspace = await service.addWorkspace();
  const ask = (process: TestService, method: string, path: string, sent?: object) =>
    sendRequest(process.url, method, path, {token: workspace.token, headers, ...(sent && {body: sent})});
  const made = await ask(service, 'POST', '/v1/standups', body);
  expect(made.status).toBe(201);
  const {id} = made.body;
  const reads = [`/v1/standups/${id}`, '/v1/standups', '/v1/events', '/v1/export'];
  const readAll = (process: TestService) =>
    Promise.all(reads.map(async (path) => (await ask(process, 'GET', path)).text));
  const today = await readAll(service);
  expect(today[0]).toBe(made.text);

  await writeAsBefore(workspace, id, made.text.replace(/,"slack":null\}$/, '}'));
  expect(await readAll(twin)).toEqual(today);
  const repeat = await ask(twin, 'POST', '/v1/standups', body);
  expect([repeat.status, repeat.text]).toEqual([201, made.text]);
  const changed = await workspace.request('PATCH', `/v1/standups/${id}`, {body: {update: 'Other words.'}});
  expect(changed.body).toMatchObject({
    ...made.body,
    update: 'Other words.',
    revision: 2,
    edited: true,
    updated_at: expect.any(String),
  });
  const earlier = await ask(twin, 'GET', `/v1/standups/${id}/revisions`);
  expect(earlier.body.data).toMatchObject([
    {update: body.update, revision: 1, created_at: made.body.created_at},
  ]);
});

it('a changed standup shows its earlier text, even after it is deleted', async () => {
  const workspace = await service.addWorkspace();
  const made = await workspace.request('POST', '/v1/standups', {body});
  const path = `/v1/standups/${made.body.id}`;
  const stale = await workspace.request('PATCH', path, {body: {update: 'No.'}, headers: {'if-match': '"2"'}});
  expect(stale.status).toBe(412);
  const changed = await workspace.request('PATCH', path, {
    body: {update: 'Other words.'},
    headers: {'if-match': '"1"'},
  });
  expect(changed.status).toBe(200);
  const other = await workspace.request('POST', '/v1/standups', {body});
  expect((await workspace.request('DELETE', `/v1/standups/${other.body.id}`)).status).toBe(204);
  const events = await sendRequest(twin.url, 'GET', '/v1/events?types=standup.*', {token: workspace.token});
  const {slack: _, ...last} = other.body;
  expect(events.body.data).toMatchObject([
    {type: 'standup.created', data: {id: made.body.id, update: body.update}},
    {type: 'standup.updated', previous_attributes: {update: body.update, edited: false}},
    {type: 'standup.created', data: last},
    {type: 'standup.deleted', data: last},
  ]);
});
