import {afterEach, expect, it} from '@jest/globals';
import {openConnection} from '../../../src/store/core/connection.js';
import {script} from '../../../src/store/core/script.js';

import {startStoreServers, storeKinds} from '../../support/store-kinds.js';
import {until} from '../../support/until.js';

const cleanUps: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

const append = script(`return redis.call('RPUSH', KEYS[1], ARGV[1])`);
const writesAtOnce = 40;

it.each(storeKinds)(
  'no write is sent twice, and later ones succeed, when its answer is lost on the way from a store of the kind %s',
  async (kind) => {
    const servers = await startStoreServers(kind, {isProxied: true});
    cleanUps.push(() => servers.stop());
    const connection = await openConnection({
      url: servers.url,
      sentinelPassword: servers.env['REDIS_SENTINEL_PASSWORD'],
      tlsVerify: true,
      onError: () => undefined,
    });
    cleanUps.push(() => connection.close());
    // Three workspaces, so that a cluster has some on more than one master.
    const lists = ['{a}:list', '{b}:list', '{c}:list'];
    const outcomes = {answered: 0, unknown: 0};
    let sent = 0;

    async function write(key: string, withinMs: number): Promise<boolean> {
      const value = String(sent);
      sent += 1;
      const deadline = performance.now() + withinMs;
      const work =
        sent % 2 === 0
          ? connection.run(deadline, append, [key], [value])
          : connection.call(deadline, ['RPUSH', key, value]);
      return work.then(
        () => true,
        (error: unknown) => {
          expect(error).toMatchObject({code: 'service_unavailable'});
          return false;
        },
      );
    }

    /** Waits until each master is connected again, and knows the script. */
    async function serveAll(): Promise<void> {
      for (const key of lists)
        for (let i = 0; i < 2; i++)
          await until(() => write(key, 1_000), {
            what: 'a write succeeds again',
            withinMs: 15_000,
            everyMs: 50,
          });
    }

    await serveAll();
    for (let round = 0; round < 4; round++) {
      for (const proxy of servers.proxies) proxy.hold();
      const lost = Array.from({length: writesAtOnce}, (_, i) => write(lists[i % lists.length] ?? '', 400));
      await new Promise((resolve) => setTimeout(resolve, round % 2 === 0 ? 100 : 600));
      for (const proxy of servers.proxies) proxy.cut();
      for (const isAnswered of await Promise.all(lost)) outcomes[isAnswered ? 'answered' : 'unknown'] += 1;
      for (const proxy of servers.proxies) {
        proxy.release();
        proxy.mend();
      }
      await serveAll();
    }
    const stored = await Promise.all(
      lists.map((key) => connection.call<string[]>(performance.now() + 5_000, ['LRANGE', key, '0', '-1'])),
    );
    const values = stored.flat();
    expect(outcomes).toEqual({answered: 0, unknown: 4 * writesAtOnce});
    expect(new Set(values).size).toBe(values.length);
    // They had arrived: only their answers were lost.
    expect(values.length).toBeGreaterThan(4 * writesAtOnce);
  },
  60_000,
);
