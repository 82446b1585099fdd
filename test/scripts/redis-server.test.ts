import {afterEach, expect, test} from '@jest/globals';
import {spawn, type ChildProcess} from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {sendToRedis} from '../../scripts/redis-protocol.mjs';
import {ensureRedisServer, startRedis} from '../../scripts/redis-server.mjs';
import {startTestRedis, testRedisUrl} from '../support/redis-server.js';

const cleanUps: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

async function dataFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'standup-data-'));
  // A Redis that is shutting down may still write its last lines.
  cleanUps.push(() => rm(folder, {recursive: true, force: true, maxRetries: 20, retryDelay: 50}));
  return folder;
}

/** A process that starts a Redis on `dataDir` and owns it. Resolves with its first line once it answers. */
async function startOwner(dataDir: string): Promise<{owner: ChildProcess; url: string; redisPid: number}> {
  const module = path.resolve('scripts/redis-server.mjs');
  const bin = await ensureRedisServer(process.env);
  const source = `
    const {startRedis} = await import(${JSON.stringify(module)});
    const redis = await startRedis({bin: ${JSON.stringify(bin)}, dataDir: ${JSON.stringify(dataDir)}, appendfsync: 'always'});
    console.log(JSON.stringify({url: redis.url, redisPid: redis.pid()}));
    setInterval(() => {}, 1000);`;
  const owner = spawn(process.execPath, ['--input-type=module', '-e', source], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  cleanUps.push(() => owner.kill('SIGKILL'));
  const line = await new Promise<string>((resolve) =>
    owner.stdout.once('data', (data) => resolve(String(data))),
  );
  return {owner, ...(JSON.parse(line) as {url: string; redisPid: number})};
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 8_000;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error('not within 8 s');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

test('every test file gets an empty database of its own', async () => {
  const [one, two] = [await testRedisUrl(), await testRedisUrl()];
  expect(one).not.toBe(two);
  await sendToRedis(one, [['SET', 'mine', '1']]);
  expect(await sendToRedis(two, [['DBSIZE']])).toEqual([0]);
});

test('regression: only the owner of the data folder can read Redis data on disk, even in an existing folder', async () => {
  const dataDir = await dataFolder();
  mkdirSync(path.join(dataDir, 'appendonlydir'), {mode: 0o755});
  writeFileSync(path.join(dataDir, 'redis.log'), '');
  for (const [name, mode] of [
    ['', 0o755],
    ['appendonlydir', 0o755],
    ['redis.log', 0o644],
  ] as const)
    chmodSync(path.join(dataDir, name), mode);
  const redis = await startRedis({bin: await ensureRedisServer(process.env), dataDir, appendfsync: 'always'});
  cleanUps.push(() => redis.stop());
  await sendToRedis(redis.url, [['SET', 'words', 'of somebody']]);
  const open = readdirSync(dataDir, {recursive: true, encoding: 'utf8'})
    .concat('')
    .filter((name) => (statSync(path.join(dataDir, name)).mode & 0o077) !== 0);
  expect(open).toEqual([]);
});

test('the embedded Redis refuses a client without the password, has a private address and never evicts', async () => {
  const dataDir = await dataFolder();
  const redis = await startRedis({bin: await ensureRedisServer(process.env), dataDir, appendfsync: 'always'});
  cleanUps.push(() => redis.stop());
  await expect(sendToRedis(`redis://127.0.0.1:${redis.port}`, [['PING']])).rejects.toThrow('NOAUTH');
  const address = path.join(dataDir, 'redis.json');
  expect(JSON.parse(readFileSync(address, 'utf8'))).toEqual({url: redis.url, pid: process.pid});
  expect(statSync(address).mode & 0o777).toBe(0o600);
  expect(statSync(path.join(dataDir, `redis-${redis.port}.conf`)).mode & 0o777).toBe(0o600);
  const [info, durability] = await sendToRedis(redis.url, [
    ['INFO', 'memory'],
    ['INFO', 'persistence'],
  ]);
  expect(info).toContain('maxmemory_policy:noeviction');
  expect(durability).toContain('aof_enabled:1');
  await redis.stop();
  expect(existsSync(address)).toBe(false);
});

test('a killed Redis is back on its address within a second, with its acknowledged data', async () => {
  const redis = await startTestRedis({restart: true});
  cleanUps.push(() => redis.stop());
  await sendToRedis(redis.url, [['SET', 'kept', 'yes']]);
  const before = redis.pid();
  const killedAt = Date.now();
  await redis.kill();
  await redis.restart();
  expect(Date.now() - killedAt).toBeLessThan(1_000);
  expect(redis.pid()).not.toBe(before);
  expect(await sendToRedis(redis.url, [['GET', 'kept']])).toEqual(['yes']);
});

test.each(['in a command', 'between two commands'])(
  'regression: a transaction that a kill interrupted %s is never half applied, whatever follows it',
  async (where) => {
    const redis = await startTestRedis();
    cleanUps.push(() => redis.stop());
    const commit = (name: string): string[] => [
      'EVAL',
      `redis.call('SET', ARGV[1], 'made') redis.call('APPEND', 'made', ARGV[1] .. ';') redis.call('SET', 'key:' .. ARGV[1], 'kept')`,
      '0',
      name,
    ];
    const long = ['SET', 'long', '\r\n*1\r\n$5\r\nMULTI\r\n'.repeat(200_000)];
    await sendToRedis(redis.url, [long, commit('first'), commit('cut off')]);
    await redis.kill();
    const folder = path.join(redis.dataDir, 'appendonlydir');
    const file = path.join(folder, readdirSync(folder).find((name) => name.endsWith('.incr.aof')) ?? '');
    const text = readFileSync(file, 'latin1');
    const last = text.lastIndexOf('*3\r\n$3\r\nSET');
    truncateSync(file, where === 'in a command' ? last + 20 : last);

    await redis.restart();
    await sendToRedis(redis.url, [commit('after it')]);
    await redis.kill();
    await redis.restart();
    expect(await sendToRedis(redis.url, [['GET', 'made'], ['DBSIZE']])).toEqual(['first;after it;', 6]);
  },
);

test('a test can stop, restart and freeze Redis', async () => {
  const redis = await startTestRedis();
  cleanUps.push(() => redis.stop());
  await sendToRedis(redis.url, [['SET', 'kept', 'yes']]);
  await redis.kill();
  await expect(sendToRedis(redis.url, [['PING']])).rejects.toThrow('ECONNREFUSED');
  await redis.restart();
  expect(await sendToRedis(redis.url, [['GET', 'kept']])).toEqual(['yes']);
  redis.freeze();
  await expect(sendToRedis(redis.url, [['PING']], 200)).rejects.toThrow('no answer');
  redis.thaw();
  expect(await sendToRedis(redis.url, [['PING']])).toEqual(['PONG']);
});

test('the embedded Redis ends with its owner, even when the owner is killed with -9', async () => {
  const dataDir = await dataFolder();
  const {owner, redisPid} = await startOwner(dataDir);
  expect(isAlive(redisPid)).toBe(true);
  owner.kill('SIGKILL');
  await until(() => !isAlive(redisPid));
  await until(() => !existsSync(path.join(dataDir, 'redis.json')));
});

test('a second Redis on one data folder waits a while, names the process that uses it, and disturbs nothing', async () => {
  const dataDir = await dataFolder();
  const {owner, url, redisPid} = await startOwner(dataDir);
  const second = startRedis({bin: await ensureRedisServer(process.env), dataDir, lockWaitMs: 500});
  await expect(second).rejects.toThrow(`in use by process ${owner.pid} (its Redis is process ${redisPid})`);
  expect(await sendToRedis(url, [['PING']])).toEqual(['PONG']);
  expect(existsSync(path.join(dataDir, 'redis.json'))).toBe(true);
});

test('a Redis that waits for its data folder gets it as soon as the other process ends', async () => {
  const dataDir = await dataFolder();
  const {owner, url} = await startOwner(dataDir);
  await sendToRedis(url, [['SET', 'kept', 'yes']]);
  const second = startRedis({bin: await ensureRedisServer(process.env), dataDir});
  cleanUps.push(() => second.then((redis) => redis.stop()));
  owner.kill('SIGKILL');
  expect(await sendToRedis((await second).url, [['GET', 'kept']])).toEqual(['yes']);
});
