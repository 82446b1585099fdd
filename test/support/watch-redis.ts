import {randomUUID} from 'node:crypto';
import {createClient} from '@redis/client';

/**
 * Returns the commands that reach one database of Redis during `work`, also those of scripts, as name and
 * first argument.
 */
export async function watchRedis(url: string, work: () => Promise<unknown>): Promise<string[]> {
  const database = new URL(url).pathname.slice(1);
  const mark = randomUUID();
  const watcher = createClient({url, RESP: 2});
  const marker = createClient({url, RESP: 2});
  await Promise.all([watcher.connect(), marker.connect()]);
  const found: string[] = [];
  const {promise: marked, resolve} = Promise.withResolvers<void>();
  try {
    await watcher.monitor((line) => {
      const [, from, name = '', first = ''] =
        /^[\d.]+ \[(\d+) [^\]]*\] "(\w+)"(?: "([^"]*)")?/.exec(line) ?? [];
      // Redis shows commands in order, so that all of the work come before this one.
      if (first === mark) resolve();
      else if (from === database) found.push(`${name.toUpperCase()} ${first}`);
    });
    await work();
    await marker.get(mark);
    await marked;
    return found;
  } finally {
    watcher.destroy();
    marker.destroy();
  }
}
