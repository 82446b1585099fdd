import {afterAll, beforeAll, describe, expect, it} from '@jest/globals';
import {sendToRedis} from '../../../scripts/redis-protocol.mjs';
import {StartupError} from '../../../src/store/core/installation.js';
import {checkServer} from '../../../src/store/core/server-check.js';
import {startTestRedis, type TestRedis} from '../../support/redis-server.js';
import {startStopwatch} from '../../support/stopwatch.js';
import {openTestStore, newDeadline, testSecretKey} from '../open-test-store.js';

let redis: TestRedis;

beforeAll(async () => {
  redis = await startTestRedis({appendfsync: 'everysec'});
});

afterAll(() => redis.stop());

/** Returns the message if the store cannot be opened: one sentence, the only one that the operator sees. */
async function refusal(options: Parameters<typeof openTestStore>[0] = {}): Promise<string> {
  const opened = await openTestStore({url: redis.url, ...options}).catch((error: unknown) => error);
  if (!(opened instanceof StartupError)) throw new Error('it was opened');
  expect(opened.message).not.toMatch(/\n| {4}at |undefined/);
  for (const secret of [new URL(redis.url).password, options.secretKey ?? testSecretKey]) {
    expect(opened.message).not.toContain(secret);
  }
  return opened.message;
}

const set = (name: string, value: string) => sendToRedis(redis.url, [['CONFIG', 'SET', name, value]]);

describe('opening the store', () => {
  it.each(['allkeys-lru', 'volatile-ttl', 'allkeys-random'])(
    'fails on a server with the eviction policy %s',
    async (policy) => {
      await set('maxmemory-policy', policy);
      try {
        const sentence =
          'Redis at HOST would delete data when memory is short (maxmemory-policy is "%"): set it to "noeviction".';
        expect(await refusal()).toBe(sentence.replace('HOST', new URL(redis.url).host).replace('%', policy));
      } finally {
        await set('maxmemory-policy', 'noeviction');
      }
    },
  );

  it('fails at once with a wrong password, with a message', async () => {
    const watch = startStopwatch();
    const url = new URL(redis.url);
    url.password = 'not-the-password';
    expect(await refusal({url: url.href})).toBe(
      `Redis at ${url.host} refuses the user name or password in REDIS_URL: correct them.`,
    );
    url.password = '';
    expect(await refusal({url: url.href})).toContain('refuses the user name or password');
    watch.stop();
    expect(watch.ms()).toBeLessThan(4_000);
  });

  it('fails with a SECRET_KEY other than the one that encrypted the data', async () => {
    const {store} = await openTestStore({url: redis.url});
    await store.close();
    expect(await refusal({secretKey: 'another secret key, also with 32 characters'})).toMatch(
      /^SECRET_KEY is not the one this data was encrypted with: .*SECRET_KEY_PREVIOUS/,
    );
  });

  it('regression: fails on data of another format, and changes nothing in it', async () => {
    const {store} = await openTestStore({url: redis.url});
    const key = '{global}:installation';
    const format = async () => (await sendToRedis(redis.url, [['HGET', key, 'format']]))[0];
    await store.close();
    expect(await format()).toBe('6');
    await sendToRedis(redis.url, [['HSET', key, 'format', '7']]);
    expect(await refusal()).toBe(
      'The data in Redis has format 7, and this version knows only 6: start the newer version again, or restore a backup that was made before it ran.',
    );
    expect(await format()).toBe('7');
    await sendToRedis(redis.url, [['HSET', key, 'format', '4']]);
    expect(await refusal()).toBe(
      'The data in Redis has format 4, and this version knows only 6: start the earlier version again, or begin with an empty Redis.',
    );
    await sendToRedis(redis.url, [['HDEL', key, 'format']]);
    expect(await refusal()).toContain('has format 1,');
    expect(await format()).toBeNull();
    await sendToRedis(redis.url, [['HSET', key, 'format', '5']]);
  });

  it('fails on a 32-bit server, whose scripts cannot write list positions', async () => {
    const call = async <T>() => 'redis_version:7.0.15\r\narch_bits:32\r\n' as T;
    const refused: unknown = await checkServer(
      {kind: 'single', nodes: async () => [{name: 'one', isMaster: true, call}]},
      newDeadline(),
    ).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(StartupError);
    expect(refused).toMatchObject({
      message: 'Redis at one runs as a program of 32 bits: one of 64 is needed.',
    });
  });

  it('fails on a server that is too old', async () => {
    const call = async <T>() => 'redis_version:6.2.14\r\narch_bits:64\r\n' as T;
    const nodes = async () => [{name: 'one:6379', isMaster: true, call}];
    await expect(checkServer({kind: 'single', nodes}, newDeadline())).rejects.toThrow(
      'Redis at one:6379 has version 6.2.14: 7.0 or newer is needed.',
    );
  });

  it('names Valkey with its own version, not the one of Redis that it is compatible with', async () => {
    const call = async <T>() =>
      'redis_version:7.2.4\r\nvalkey_version:9.1.2\r\nmaxmemory_policy:noeviction\r\n' as T;
    const facts = await checkServer(
      {kind: 'single', nodes: async () => [{name: 'one', isMaster: true, call}]},
      newDeadline(),
    );
    expect(facts.version).toBe('Valkey 9.1.2');
  });

  it('fails on an empty server that accepts no writes', async () => {
    await sendToRedis(redis.url, [['FLUSHALL'], ['REPLICAOF', '127.0.0.1', '1']]);
    try {
      expect(await refusal()).toMatch(/is a replica and takes no writes: set REDIS_URL to its master\.$/);
    } finally {
      await sendToRedis(redis.url, [['REPLICAOF', 'NO', 'ONE']]);
    }
  });

  it('fails if no server answers', async () => {
    const url = 'redis://default:a-password-nobody-sees@127.0.0.1:1';
    expect(await refusal({url})).toMatch(/^Redis at 127\.0\.0\.1:1 cannot be reached \(.*\)\. Is it running/);
  });
});

it('regression: the store opens on a server that accepts no writes at the moment, and reports that', async () => {
  await (await openTestStore({url: redis.url})).store.close();
  await sendToRedis(redis.url, [['REPLICAOF', '127.0.0.1', '1']]);
  try {
    const {store} = await openTestStore({url: redis.url});
    expect(await store.probe(newDeadline())).toMatchObject({state: 'read-only'});
    await store.close();
  } finally {
    await sendToRedis(redis.url, [['REPLICAOF', 'NO', 'ONE']]);
  }
});

it('a store opens with a new SECRET_KEY and the earlier one as SECRET_KEY_PREVIOUS', async () => {
  const old = await openTestStore({url: redis.url});
  await old.store.signingKeys.ensure(async () => 'the key', newDeadline());
  const keys = await old.store.signingKeys.list(newDeadline());
  await old.store.close();
  const secretKey = 'a new secret key, also with 32 characters';
  const {store} = await openTestStore({url: redis.url, secretKey, secretKeyPrevious: testSecretKey});
  await store.signingKeys.ensure(async () => 'another key', newDeadline());
  expect(await store.signingKeys.list(newDeadline())).toEqual(keys);
  expect(keys).toHaveLength(1);
  await store.close();
});

describe('the durability of acknowledged writes', () => {
  it.each([
    ['always', 'always'],
    ['everysec', 'everysec'],
    ['no', 'none'],
  ])('is read from appendfsync: %s is %s', async (setting, durability) => {
    await set('appendfsync', setting);
    const {store} = await openTestStore({url: redis.url});
    expect(store.facts).toMatchObject({durability, version: expect.stringMatching(/^\d+\.\d+/)});
    await store.close();
  });

  it('is unknown if the host forbids CONFIG', async () => {
    const url = new URL(redis.url);
    url.username = 'hosted';
    url.password = 'hosted-password';
    await sendToRedis(redis.url, [
      ['ACL', 'SETUSER', 'hosted', 'on', '>hosted-password', '~*', '+@all', '-config'],
    ]);
    const {store} = await openTestStore({url: url.href});
    expect(store.facts.durability).toBe('unknown');
    await store.close();
  });

  it('is none without an append-only file', async () => {
    await set('appendonly', 'no');
    try {
      const {store} = await openTestStore({url: redis.url});
      expect(store.facts.durability).toBe('none');
      await store.close();
    } finally {
      await set('appendonly', 'yes');
    }
  });
});

it('processes that start at the same time on an empty server use one installation id and one signing key', async () => {
  await sendToRedis(redis.url, [['FLUSHALL']]);
  const opened = await Promise.all(Array.from({length: 6}, () => openTestStore({url: redis.url})));
  const keys = await Promise.all(
    opened.map(async ({store}, i) => {
      await store.signingKeys.ensure(async () => `key ${i}`, newDeadline());
      return store.signingKeys.list(newDeadline());
    }),
  );
  expect(new Set(keys.map(([key]) => key?.privateKey)).size).toBe(1);
  expect(new Set(opened.map(({store}) => store.installation.id)).size).toBe(1);
  expect(new Set(opened.map(({store}) => store.installation.generation)).size).toBe(1);
  expect(opened.filter(({store}) => store.installation.isNew)).toHaveLength(1);
  const again = await openTestStore({url: redis.url});
  expect(again.store.installation).toMatchObject({id: opened[0]?.store.installation.id, isNew: false});
  for (const {store} of [...opened, again]) await store.close();
});
