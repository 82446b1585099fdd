import {afterAll, beforeAll, expect, it} from '@jest/globals';
import {type RedisConnection, openConnection} from '../../../src/store/core/connection.js';
import {createEventLog, type EventLog} from '../../../src/store/events/event-log.js';
import {workspaceKeys} from '../../../src/store/core/keys.js';
import {createRecords} from '../../../src/store/core/records.js';
import {testRedisUrl} from '../../support/redis-server.js';
import {asId} from '../../support/ids.js';

const workspace = asId<'workspace'>('ws_01m7z4jj2rebntfechxf9ke3fc');
const keys = workspaceKeys(workspace);
const newDeadline = () => performance.now() + 5_000;

let connection: RedisConnection;
let events: EventLog;

beforeAll(async () => {
  connection = await openConnection({url: await testRedisUrl(), tlsVerify: true, onError: () => undefined});
  events = createEventLog(connection, createRecords(connection));
});

afterAll(() => connection.close());

it('a consumer of events has work due until it has read the whole log', async () => {
  await connection.call(newDeadline(), ['HSET', keys.head(), 'sequence', '9', 'cursor:slack', '8']);
  await connection.call(newDeadline(), ['ZADD', keys.slackReady(), '1', 'read-slack']);
  expect(await events.removeCaughtUpConsumer(workspace, 'slack', newDeadline())).toBe(true);
  expect(await connection.call(newDeadline(), ['ZSCORE', keys.slackReady(), 'read-slack'])).toBe('1');

  await connection.call(newDeadline(), ['HSET', keys.head(), 'cursor:slack', '9']);
  expect(await events.removeCaughtUpConsumer(workspace, 'slack', newDeadline())).toBe(false);
  expect(await connection.call(newDeadline(), ['ZSCORE', keys.slackReady(), 'read-slack'])).toBeNull();
});

it('a new consumer begins with the next event, and keeps its cursor if added again', async () => {
  await connection.call(newDeadline(), ['DEL', keys.head()]);
  await connection.call(newDeadline(), ['HSET', keys.head(), 'sequence', '5']);
  await events.addConsumer(workspace, 'slack', newDeadline());
  await connection.call(newDeadline(), ['HSET', keys.head(), 'sequence', '7']);
  await events.addConsumer(workspace, 'slack', newDeadline());
  expect(await events.findCursor(workspace, 'slack', newDeadline())).toBe(5);
});
