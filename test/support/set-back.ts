import {sendToRedis} from '../../scripts/redis-protocol.mjs';
import {testRedisUrl} from './redis-server.js';

/**
 * Lua script that copies all keys of a database into another one. A single step makes the copy consistent.
 */
const copyAll = `
for _, key in ipairs(redis.call('KEYS', '*')) do redis.call('COPY', key, key, 'DB', ARGV[1]) end
return 1`;

/**
 * Keeps a copy of all data of a database. The returned function restores the copy, as after a failover to a
 * replica that lags behind: later writes are gone, connections stay. `spare`: an unused database of the same
 * server; needed only for a separate Redis.
 */
export async function copyDatabase(url: string, spare?: number): Promise<() => Promise<void>> {
  const copy = spare ?? parseDatabaseNumber(await testRedisUrl());
  const own = String(parseDatabaseNumber(url));
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

function parseDatabaseNumber(url: string): number {
  return Number(new URL(url).pathname.slice(1));
}
