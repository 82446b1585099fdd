import {sendToRedis} from '../../scripts/redis-protocol.mjs';
import type {TestRedis} from './redis-server.js';

/**
 * Limits the memory of a Redis, so that Redis refuses to store more until about 100 KB have been removed.
 * `forGood`: Redis refuses until `removeMemoryLimit` is called.
 */
export async function fillRedis(
  {url}: Pick<TestRedis, 'url'>,
  {forGood = false}: {forGood?: boolean} = {},
): Promise<void> {
  const [info] = await sendToRedis(url, [['INFO', 'memory']]);
  const used = Number(/^used_memory:(\d+)/m.exec(String(info))?.[1]);
  await setMemory(url, forGood ? 1 : used - 100_000);
}

export async function removeMemoryLimit({url}: Pick<TestRedis, 'url'>): Promise<void> {
  await setMemory(url, 0);
}

async function setMemory(url: string, bytes: number): Promise<void> {
  await sendToRedis(url, [['CONFIG', 'SET', 'maxmemory', String(bytes)]]);
}
