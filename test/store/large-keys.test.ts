import {createHash} from 'node:crypto';
import {afterAll, beforeAll, expect, it} from '@jest/globals';
import {sendToRedis} from '../../scripts/redis-protocol.mjs';
import type {RedisConnection, RedisReply} from '../../src/store/core/connection.js';
import type {AnyKey} from '../../src/store/core/keys.js';
import {exportWorkspace} from '../../src/store/export-workspace.js';
import {importWorkspace} from '../../src/store/import-workspace.js';
import {readKey} from '../../src/store/read-key.js';
import {newDeadline, openTestStore, type TestStore} from './open-test-store.js';

const passphrase = 'correct horse battery';
const megabyte = 1024 * 1024;
/** The members that are read together have about this size at most, however large the keys are. */
const bound = 4 * megabyte;

/** Each writes keys of a workspace: far more than may be in memory. */
const seeds: Readonly<Record<string, string>> = {
  events: `for i = 1, 3000 do redis.call('XADD', KEYS[1], i .. '-0', 'event', i .. string.rep('e', 2500)) end
    redis.call('XDEL', KEYS[1], '3000-0')`,
  'l:standups': `for i = 1, 20000 do redis.call('ZADD', KEYS[1], i / 3, i .. string.rep('z', 250)) end`,
  'w:hook:tries': `for i = 1, 20000 do redis.call('HSET', KEYS[1], i, string.rep('h', 250)) end`,
  'j:someone:of': `for i = 1, 20000 do redis.call('SADD', KEYS[1], i .. string.rep('s', 250)) end`,
  'changes:teams': `for i = 1, 3000 do redis.call('RPUSH', KEYS[1], i .. string.rep('l', 2500)) end`,
  'v:': `for key = 1, 60 do for i = 1, 60 do redis.call('HSET', KEYS[1] .. key, i, string.rep('v', 2500)) end end`,
};

let source: TestStore;
let target: TestStore;

beforeAll(async () => {
  [source, target] = await Promise.all([openTestStore(), openTestStore()]);
});
afterAll(async () => {
  for (const {store, url} of [source, target]) {
    await sendToRedis(url, [['FLUSHDB']]);
    await store.close();
  }
});

/** Counts what was read and not yet written: now, and at most. */
function createFlow() {
  let [now, most, total] = [0, 0, 0];
  return {
    add(size: number): void {
      [now, total] = [now + size, total + size];
      most = Math.max(most, now);
    },
    take: (size: number) => void (now -= size),
    shown: () => ({most, total}),
  };
}

const sizeOf = (reply: RedisReply): number =>
  Array.isArray(reply)
    ? reply.reduce<number>((sum, one) => sum + sizeOf(one), 0)
    : typeof reply === 'string'
      ? reply.length
      : 0;

/** Computes a digest of a key for which the order of members does not matter. */
async function computeDigest({store}: TestStore, key: AnyKey): Promise<string> {
  const members: string[] = [];
  for await (const {v, s} of readKey(store.connection, key)) members.push(...v, ...(s ?? []));
  return createHash('sha256').update(members.toSorted().join()).digest('hex');
}

it('keys of any size are exported and imported in parts that fit into a few megabytes', async () => {
  const draft = {slug: 'acme', name: 'Acme', suffix: 'a'.repeat(16) as never};
  const workspace = await source.store.workspaces.create(draft, newDeadline());
  if (workspace === undefined) throw new Error('the slug is taken');
  await source.store.frozen.freeze(workspace.id, newDeadline());
  for (const [name, script] of Object.entries(seeds))
    await sendToRedis(source.url, [['EVAL', script, 1, `{${workspace.id}}:${name}`]]);

  const read = createFlow();
  const lines: string[] = [];
  let isWriting = false;
  const reading: RedisConnection = {
    ...source.store.connection,
    async call(deadline, command) {
      const reply = await source.store.connection.call(deadline, command);
      if (isWriting) read.add(sizeOf(reply));
      return reply as never;
    },
  };
  await exportWorkspace(
    {connection: reading, cipher: source.store.cipher, installation: 'one', engine: 'redis'},
    {
      workspace,
      passphrase,
      note: () => undefined,
      async write(text) {
        isWriting = !text.includes('"k":"head"');
        read.take(text.length);
        lines.push(text.trimEnd());
      },
    },
  );
  expect(read.shown().total).toBeGreaterThan(8 * bound);
  expect(read.shown().most).toBeLessThan(bound);
  expect(Math.max(...lines.map(({length}) => length))).toBeLessThan(2 * megabyte);

  const written = createFlow();
  const writing: RedisConnection = {
    ...target.store.connection,
    async run(deadline, script, keys, args) {
      const reply = await target.store.connection.run(deadline, script, keys, args);
      written.take(args.reduce((sum, {length}) => sum + length, 0));
      return reply as never;
    },
  };
  let passes = 0;
  async function* readLines() {
    passes += 1;
    for (const line of lines) {
      // The first pass only checks the file.
      if (passes === 2) written.add(line.length);
      yield line;
    }
  }
  await importWorkspace({connection: writing, cipher: target.store.cipher}, {readLines, passphrase});
  expect(written.shown().total).toBeGreaterThan(8 * bound);
  // It writes up to 4 MB at once. A line is a little longer than its members.
  expect(written.shown().most).toBeLessThan(2 * bound);
  for (const name of Object.keys(seeds).map((one) => (one === 'v:' ? 'v:60' : one))) {
    const key = `{${workspace.id}}:${name}` as AnyKey;
    expect({name, is: await computeDigest(target, key)}).toEqual({
      name,
      is: await computeDigest(source, key),
    });
  }
});
