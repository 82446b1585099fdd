import {expect, it} from '@jest/globals';
import {sendToRedis} from '../../../scripts/redis-protocol.mjs';
import {globalKeys} from '../../../src/store/core/keys.js';
import {runStandup} from '../../cli/run-standup.js';
import {startStoreServers, storeKinds} from '../../support/store-kinds.js';
import {until} from '../../support/until.js';
import {newDeadline, openTestStore} from '../open-test-store.js';

/** A server that needs some seconds for a few thousand keys, and answers meanwhile. */
const settings = ['key-load-delay 1000', 'loading-process-events-interval-bytes 1024'];
const keys = 4_000;

it.each(storeKinds)(
  'regression: the store is waited for while its Redis loads the file, with a line about it: %s',
  async (kind) => {
    const servers = await startStoreServers(kind, {settings});
    try {
      const sentinelPassword = servers.env['REDIS_SENTINEL_PASSWORD'];
      const open = (onLoading: (sentence: string) => void) =>
        openTestStore({url: servers.url, sentinelPassword, onLoading});
      const before = await open(() => undefined);
      const {generation} = before.store.installation;
      await before.store.close();
      const master = await servers.masterOf(globalKeys.generation());
      const fill = `for i = 1, ${keys} do redis.call('SET', KEYS[1] .. i, i) end`;
      await sendToRedis(master.url, [['EVAL', fill, 1, '{global}:test:'], ['BGREWRITEAOF']]);
      const isRewritten = async () => {
        const [info] = await sendToRedis(master.url, [['INFO', 'persistence']]);
        return /aof_rewrite_in_progress:0\r\n[^]*aof_rewrite_scheduled:0/.test(String(info));
      };
      await until(isRewritten, {what: 'the file has the keys'});
      await master.kill();
      const restarted = master.restart();
      const isAnswering = () => sendToRedis(master.url, [['PING']], 1_000).then(() => '', String);
      await until(async () => /LOADING/.test(await isAnswering()), {what: 'it loads its file'});

      const command = await runStandup(['workspace', 'list'], servers.env);
      expect(command.code).toBe(1);
      expect(command.stderr).toMatch(/^Redis at \S+(?:, \S+)* is still loading its data: wait for it\.\n$/);
      const lines: string[] = [];
      const {store} = await open((sentence) => lines.push(sentence));
      await restarted;
      expect(lines[0]).toBe(command.stderr.trim());
      expect(store.installation).toMatchObject({generation, isNew: false});
      const asked = store.connection.call(newDeadline(), ['EXISTS', `{global}:test:${keys}`]);
      expect(await asked).toBe(1);
      await store.close();
    } finally {
      await servers.stop();
    }
  },
  60_000,
);
