import {afterAll, beforeAll, expect, it} from '@jest/globals';
import {type Connection, openConnection} from '../../src/store/connection.js';
import {createEventLog, type EventLog} from '../../src/store/event-log.js';
import {workspaceKeys} from '../../src/store/keys.js';
import {createRecords} from '../../src/store/records.js';
import {testRedisUrl} from '../support/redis-server.js';

const workspace = 'ws_01m7z4jj2rebntfechxf9ke3fc';
const keys = workspaceKeys(workspace);
const soon = () => performance.now() + 5_000;

let connection: Connection;
let events: EventLog;

beforeAll(async () => {
  connection = await openConnection({url: await testRedisUrl(), tlsVerify: true, onError: () => undefined});
  events = createEventLog(connection, createRecords(connection));
});

afterAll(() => connection.close());

it('a reader stays in the ready set until it has seen the whole log', async () => {
  await connection.call(soon(), ['HSET', keys.head(), 'sequence', '9', 'cursor:slack', '8']);
  await connection.call(soon(), ['ZADD', keys.ready(), '1', 'read-slack']);
  expect(await events.settleReader(workspace, 'slack', soon())).toBe(true);
  expect(await connection.call(soon(), ['ZSCORE', keys.ready(), 'read-slack'])).toBe('1');

  await connection.call(soon(), ['HSET', keys.head(), 'cursor:slack', '9']);
  expect(await events.settleReader(workspace, 'slack', soon())).toBe(false);
  expect(await connection.call(soon(), ['ZSCORE', keys.ready(), 'read-slack'])).toBeNull();
});

it('a new reader begins with the next event, and keeps its place when it is added again', async () => {
  await connection.call(soon(), ['DEL', keys.head()]);
  await connection.call(soon(), ['HSET', keys.head(), 'sequence', '5']);
  expect(await events.addReader(workspace, 'slack', undefined, soon())).toBe(5);
  await connection.call(soon(), ['HSET', keys.head(), 'sequence', '7']);
  expect(await events.addReader(workspace, 'slack', undefined, soon())).toBe(5);
  expect(await events.findCursor(workspace, 'slack', soon())).toBe(5);
});

it('a reader that was dropped goes on where it was, or where the log begins by now', async () => {
  await connection.call(soon(), ['DEL', keys.head(), keys.ready()]);
  await connection.call(soon(), ['HSET', keys.head(), 'sequence', '9']);
  const add = async (reached: number) => {
    await events.dropReader(workspace, 'slack', soon());
    const place = await events.addReader(workspace, 'slack', reached, soon());
    return [place, (await connection.call(soon(), ['ZSCORE', keys.ready(), 'read-slack'])) !== null];
  };
  // Nothing of it is kept any more: there is nothing to read.
  expect(await add(7)).toEqual([9, false]);
  for (const sequence of [6, 7, 8, 9])
    await connection.call(soon(), ['XADD', keys.events(), `${sequence}-0`, 'n', '1']);
  expect(await add(7)).toEqual([7, true]);
  expect(await add(3)).toEqual([5, true]);
  expect(await add(9)).toEqual([9, false]);
  expect(await add(12)).toEqual([9, false]);
});
