import {sendToRedis} from '../../scripts/redis-protocol.mjs';
import {testRedisUrl} from './redis-server.js';

/** Copies all keys of a database into another one, in one step, so that the copy is consistent. */
const copyAll = `
for _, key in ipairs(redis.call('KEYS', '*')) do redis.call('COPY', key, key, 'DB', ARGV[1]) end
return 1`;

/**
 * Keeps a copy of all data of a database. The returned function restores the copy, like a failover to a
 * replica that lags behind: later writes are gone. The connections stay. `spare`: an unused database of the
 * same server; may be left out for one of the run's Redis.
 */
export async function copyDatabase(url: string, spare?: number): Promise<() => Promise<void>> {
  const copy = spare ?? databaseOf(await testRedisUrl());
  const own = String(databaseOf(url));
  const commands = [
    ['SELECT', String(copy)],
    ['FLUSHDB'],
    ['SELECT', own],
    ['EVAL', copyAll, '0', String(copy)],
  ];
  await sendToRedis(url, commands, 10_000);
  return async () => {
    await sendToRedis(url, [['SWAPDB', own, String(copy)]]);
  };
}

function databaseOf(url: string): number {
  return Number(new URL(url).pathname.slice(1));
}
