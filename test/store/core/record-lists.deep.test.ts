import {afterAll, beforeAll, expect, it} from '@jest/globals';
import {sendToRedis} from '../../../scripts/redis-protocol.mjs';
import {composeId, type IdKind, type IdSuffix, suffixFromBytes} from '../../../src/domain/core/ids.js';
import {lists} from '../../../src/domain/core/lists.js';
import {readEntries} from '../../../src/store/core/record-lists.js';
import {workspaceKeys} from '../../../src/store/core/keys.js';
import {startTestRedis, type TestRedis} from '../../support/redis-server.js';
import {openTestStore, newDeadline, type TestStore} from '../open-test-store.js';

// A separate Redis, because its own measurement of commands is read.
let redis: TestRedis;
let test: TestStore;

beforeAll(async () => {
  redis = await startTestRedis({appendfsync: 'no'});
  test = await openTestStore({url: redis.url});
});
afterAll(async () => {
  await test.store.close();
  await redis.stop();
});

/** The time (µs) that Redis itself took for one page of each of these, on average. */
async function measure(keys: readonly string[], times: number): Promise<number> {
  await sendToRedis(redis.url, [['CONFIG', 'RESETSTAT']]);
  for (let n = 0; n < times; n += 1) {
    const found = await readEntries(test.store.connection, keys, {limit: 50}, newDeadline());
    expect(found).toHaveLength(102);
  }
  const [info] = (await sendToRedis(redis.url, [['INFO', 'commandstats']])) as string[];
  const usec = (command: string) =>
    Number(new RegExp(`cmdstat_${command}:calls=\\d+,usec=(\\d+)`).exec(info ?? '')?.[1] ?? 0);
  return (usec('evalsha') || usec('zrange')) / times;
}

it('a page of ten teams together takes Redis at most 12 times as long as one of a single team', async () => {
  const suffix = <K extends IdKind>(n: number): IdSuffix<K> => {
    const bytes = new Uint8Array(10);
    new DataView(bytes.buffer).setUint32(6, n);
    return suffixFromBytes(bytes);
  };
  const keys = workspaceKeys(composeId('workspace', 1, suffix(1)));
  const teams = Array.from({length: 10}, (_, n) =>
    keys.list(lists.standupsOfTeam(composeId('team', 0, suffix(n)))),
  );
  const entries = Array.from({length: 20_000}, (_, n) => [
    'ZADD',
    teams[n % 10] ?? '',
    String(2 ** 52 + n),
    suffix(n),
  ]);
  await sendToRedis(redis.url, entries);
  await measure(teams, 200);
  const [one, ten] = [await measure(teams.slice(0, 1), 2_000), await measure(teams, 2_000)];
  process.stdout.write(
    `one team ${one.toFixed(1)} µs, ten teams ${ten.toFixed(1)} µs: ${(ten / one).toFixed(1)} times\n`,
  );
  expect(ten / one).toBeLessThan(12);
});
