// The folder test/support/ holds helpers that several tests need: servers, builders of data, and waiting for
// a condition. It holds no tests, and no substitute for Redis: tests use a real one.
import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {sendToRedis} from '../../scripts/redis-protocol.mjs';
import {ensureRedisServer, type RedisProcess, startRedis} from '../../scripts/redis-server.mjs';

/**
 * Number of databases in the Redis of the test run (setup-redis.mjs). Database 0 holds the counter of used
 * databases.
 */
const databases = 4_096;

/** Returns the address of an unused database in the Redis of the test run, never the same one twice. */
export async function testRedisUrl(): Promise<string> {
  const url = process.env['TEST_REDIS_URL'];
  if (url === undefined) throw new Error('TEST_REDIS_URL is not set: run tests with `npm test -- FILE`.');
  const [taken] = await sendToRedis(url, [['INCR', 'test-databases']]);
  if (Number(taken) >= databases) throw new Error(`this run has taken all of its ${databases - 1} databases`);
  return `${url}/${Number(taken)}`;
}

export type TestRedisOptions = {
  appendfsync?: 'always' | 'everysec' | 'no';
  /**
   * True: the supervisor starts Redis again whenever Redis ends, as in `npm start`. False (default): Redis
   * stays down until `restart()` is called.
   */
  restart?: boolean;
  dataDir?: string;
  /** Password of Redis; default: a generated one. */
  password?: string;
  /** More lines of its configuration. */
  settings?: readonly string[];
  /** The program; default: the Redis server of all tests. */
  bin?: string;
};

export type TestRedis = {
  url: string;
  dataDir: string;
  pid: () => number | undefined;
  /** Ends Redis with `kill -9`; resolves when the process is gone. */
  kill: () => Promise<void>;
  /** Starts Redis again after `kill()`, with the same data and address; resolves when Redis answers. */
  restart: () => Promise<void>;
  freeze: () => void;
  thaw: () => void;
  /** Ends Redis and removes its data. */
  stop: () => Promise<void>;
};

/** Starts a separate Redis, for tests that kill, freeze or misconfigure it. */
export async function startTestRedis(options: TestRedisOptions = {}): Promise<TestRedis> {
  const bin = options.bin ?? (await ensureRedisServer(process.env));
  const dataDir = options.dataDir ?? (await mkdtemp(path.join(tmpdir(), 'standup-redis-')));
  const settings = {
    bin,
    dataDir,
    appendfsync: options.appendfsync ?? 'always',
    restart: options.restart ?? false,
    ...(options.password !== undefined && {password: options.password}),
    ...(options.settings !== undefined && {settings: options.settings}),
  };
  let server: RedisProcess = await startRedis(settings);
  const {url, port, password} = server;

  function signal(name: NodeJS.Signals): number {
    const pid = server.pid();
    if (pid === undefined) throw new Error('this Redis is not running');
    process.kill(pid, name);
    return pid;
  }

  return {
    url,
    dataDir,
    pid: () => server.pid(),
    kill: async () => {
      const killed = signal('SIGKILL');
      await waitUntil(() => server.pid() !== killed);
      if (settings.restart) return;
      await server.stop();
    },
    restart: async () => {
      if (settings.restart) return waitUntil(() => isAnswering(url));
      await server.stop();
      server = await startRedis({...settings, port, password});
    },
    freeze: () => void signal('SIGSTOP'),
    thaw: () => void signal('SIGCONT'),
    stop: async () => {
      if (server.pid() !== undefined) signal('SIGCONT');
      await server.stop();
      await rm(dataDir, {recursive: true, force: true});
    },
  };
}

async function isAnswering(url: string): Promise<boolean> {
  return sendToRedis(url, [['PING']], 1_000).then(
    () => true,
    () => false,
  );
}

async function waitUntil(condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 10_000;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error('the Redis of this test did not get there within 10 s');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
