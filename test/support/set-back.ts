import {sendToRedis} from '../../scripts/redis-protocol.mjs';
import {testRedisUrl} from './redis-server.js';

/**
 * Lua script that copies all keys to another database. Redis runs a script in a single step, so the copy is
 * consistent.
 */
const copyAll = `
for _, key in ipairs(redis.call('KEYS', '*')) do redis.call('COPY', key, key, 'DB', ARGV[1]) end
return 1`;

/**
 * Copies all data of a database. The returned function puts the copy back, as a failover to a lagging replica
 * would: later writes are gone, and connections stay open. `spare`: number of an unused database for the
 * copy; needed only for a separate Redis.
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
