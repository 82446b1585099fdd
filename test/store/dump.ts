// test/store/: scripts, keys and the Redis server. Not here: behaviour that callers see while Redis works
// (test/api).
import {createClient} from 'redis';
import {globalKeys} from '../../src/store/core/keys.js';

export interface Dump {
  readonly keys: readonly string[];
  /** All keys with their complete values, as text. */
  readonly text: string;
}

/** Reads all data of a database, to search for data that must not exist. */
export async function dumpRedis(url: string): Promise<Dump> {
  const client = createClient({url, RESP: 2});
  client.on('error', () => undefined);
  await client.connect();
  try {
    const found = await client.sendCommand<string[]>(['KEYS', '*']);
    // Indexes to which processes add the ids of workspaces at any time.
    const noted: readonly string[] = [globalKeys.due(), globalKeys.slackDue()];
    const keys = found.filter((key) => !noted.includes(key)).toSorted();
    const parts: string[] = [];
    for (const key of keys) {
      const type = await client.sendCommand<string>(['TYPE', key]);
      // The key has expired, or a worker has emptied it after the list was read.
      if (type === 'none') continue;
      const value = await client.sendCommand(readCommand(type, key));
      parts.push(`${key} ${type} ${JSON.stringify(value)}`);
    }
    return {keys, text: parts.join('\n')};
  } finally {
    await client.close();
  }
}

function readCommand(type: string, key: string): string[] {
  switch (type) {
    case 'string':
      return ['GET', key];
    case 'hash':
      return ['HGETALL', key];
    case 'set':
      return ['SMEMBERS', key];
    case 'zset':
      return ['ZRANGE', key, '0', '-1', 'WITHSCORES'];
    case 'stream':
      return ['XRANGE', key, '-', '+'];
    case 'list':
      return ['LRANGE', key, '0', '-1'];
    default:
      throw new Error(`${key} is of the type ${type}`);
  }
}
