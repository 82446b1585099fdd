import {afterAll, afterEach, beforeAll, expect, test} from '@jest/globals';
import {createClientOptions, createSlackClients} from '../../src/bot/slack/core/clients.js';
import {classifyCallError, createChannelCalls} from '../../src/bot/slack/posting/channel-calls.js';
import type {Log} from '../../src/domain/core/log.js';
import {type FailureServer, startFailureServer} from '../support/slack-failure-server.js';
import {startStopwatch} from '../support/stopwatch.js';

let slack: FailureServer;
const written: string[] = [];
const note = (fields: object, message: string) => void written.push(JSON.stringify(fields) + message);
const log: Log = {debug: note, info: note, warn: note, error: note};

beforeAll(async () => {
  slack = await startFailureServer(() => 'http://127.0.0.1:9');
});
afterAll(() => slack.close());
afterEach(() => slack.clear());

const clients = () => createSlackClients({apiUrl: `${slack.url}/api/`, log});
const unlimited = {find: async () => 0, note: async () => undefined, takeSlot: async () => 0};
const message = {text: 'secret words', metadata: {event_type: 'standup_posted', event_payload: {}}};

test('two workspaces in one process each use their own token', async () => {
  slack.failAlways('users.info', {kind: 'refused', code: 'user_not_found'});
  const {interactive} = clients();
  const both = ['xoxb-one', 'xoxb-two'].map((botToken) => interactive({botToken}));
  for (const client of [...both, ...both.toReversed()])
    await client.users.info({user: 'U1'}).catch(() => undefined);
  const tokens = slack.calls.map(({token}) => token);
  expect(tokens).toEqual(['Bearer xoxb-one', 'Bearer xoxb-two', 'Bearer xoxb-two', 'Bearer xoxb-one']);
  expect(createClientOptions({apiUrl: undefined, log})).not.toHaveProperty('headers');
});

test.each([
  ['token_revoked', 1],
  ['account_inactive', 1],
  // Slack also sends this when the token is good and the address may not use it.
  ['invalid_auth', 0],
  ['not_in_channel', 0],
])('the error %s from Slack reports the token as revoked %i times', async (code, times) => {
  slack.fail('users.info', {kind: 'refused', code});
  const refused: string[] = [];
  const onRefused = async (botToken: string) => void refused.push(botToken);
  const client = createSlackClients({apiUrl: `${slack.url}/api/`, log, onRefused}).interactive({
    botToken: 'xoxb-one',
  });
  await client.users.info({user: 'U1'}).catch(() => undefined);
  expect(refused).toEqual(Array.from({length: times}, () => 'xoxb-one'));
});

test('a job that Slack slows down does not delay a request that a person waits for', async () => {
  slack.fail('chat.postMessage', {kind: 'limited', seconds: 30});
  slack.fail('views.open', {kind: 'refused', code: 'expired_trigger_id'});
  const watch = startStopwatch();
  const limited = await createChannelCalls(clients().forJobs({botToken: 'xoxb'}), unlimited).post(
    'C1',
    message,
  );
  expect(limited).toEqual({kind: 'limited', method: 'chat.postMessage', waitMs: 30_000});
  const view = {type: 'modal' as const, title: {type: 'plain_text' as const, text: 'x'}, blocks: []};
  await clients()
    .interactive({botToken: 'xoxb'})
    .views.open({trigger_id: 't', view})
    .catch(() => undefined);
  expect(slack.calls).toHaveLength(2);
  expect(watch.ms()).toBeLessThan(1_500);
  watch.stop();
});

test.each([
  ['a lost reply', {kind: 'lost'} as const, {kind: 'unknown', code: 'no_answer'}],
  ['a 500', {kind: 'status', status: 500} as const, {kind: 'unknown', code: 'http_500'}],
  [
    'a 429 without a wait',
    {kind: 'status', status: 429} as const,
    {kind: 'limited', method: 'chat.postMessage', waitMs: 30_000},
  ],
  [
    'a refusal',
    {kind: 'refused', code: 'is_archived'} as const,
    {kind: 'refused', code: 'is_archived', reason: 'closed'},
  ],
  [
    'an internal error of Slack',
    {kind: 'refused', code: 'fatal_error'} as const,
    {kind: 'unknown', code: 'fault'},
  ],
  [
    'something that is not Slack',
    {kind: 'refused', code: '<html>proxy</html>'} as const,
    {kind: 'unknown', code: 'fault'},
  ],
])('%s ends a call after one request, with an outcome of its own', async (_, failure, outcome) => {
  slack.fail('chat.postMessage', failure);
  expect(
    await createChannelCalls(clients().forJobs({botToken: 'xoxb'}), unlimited).post('C1', message),
  ).toEqual(outcome);
  expect(slack.calls).toHaveLength(1);
});

test('a post throws no error while the store of limits is unavailable, and reports the limit that Slack returned', async () => {
  const away = async () => Promise.reject(new Error('the store is unavailable'));
  slack.fail('chat.postMessage', {kind: 'limited', seconds: 30});
  const calls = createChannelCalls(clients().forJobs({botToken: 'xoxb'}), {
    find: away,
    note: away,
    takeSlot: away,
  });
  expect(await calls.post('C1', message)).toEqual({
    kind: 'limited',
    method: 'chat.postMessage',
    waitMs: 30_000,
  });
});

test('an unforeseen error counts as an unknown outcome', () => {
  expect(classifyCallError(new TypeError('x'), 'chat.update')).toEqual({kind: 'unknown', code: 'no_answer'});
});

test('no text of a message reaches the log', () => {
  expect(written.join('\n')).not.toContain('secret words');
});
