import {spawnSync} from 'node:child_process';
import {afterAll, afterEach, beforeAll, expect, it} from '@jest/globals';
import {copyFile, chmod, mkdir, readFile} from 'node:fs/promises';
import path from 'node:path';
import {sendToRedis} from '../../scripts/redis-protocol.mjs';
import {rowsOf, runStandup} from '../cli/run-standup.js';
import {createTestBrowser} from '../dashboard/test-browser.js';
import {deep} from '../support/deep.js';
import {findFreePort} from '../support/free-port.js';
import {startTestRedis} from '../support/redis-server.js';
import {sendRequest} from '../support/service.js';
import {minimalEnv, root, startProcess, type TestProcess, testSecretKey} from '../support/service-process.js';
import {until} from '../support/until.js';
import {copyInto, copyTree} from './tree.js';

// `npm start`, in the order in which a newcomer uses it; each test continues from the one before.

let tree: Awaited<ReturnType<typeof copyTree>>;
let port: number;
let first: TestProcess;
let token: string;
const cleanUps: (() => Promise<unknown> | unknown)[] = [];

beforeAll(async () => {
  tree = await copyTree();
  // `npm run test:deep` starts without a build, like a newcomer.
  if (!deep) copyInto(tree.folder, ['dist']);
  port = await findFreePort();
});

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

afterAll(async () => {
  await first?.kill();
  await until(async () => !(await isRedisAlive()) || undefined);
  await tree.remove();
});

function start(env: Record<string, string> = {}): TestProcess {
  return startProcess(process.execPath, ['scripts/start.mjs'], {
    cwd: tree.folder,
    env: minimalEnv({PORT: String(port), LOG_LEVEL: 'silent', CI: 'true', ...env}),
  });
}

async function untilWelcome(started: TestProcess): Promise<string> {
  let ended = false;
  void started.exited.then(() => (ended = true));
  await until(
    () => {
      if (ended) throw new Error(`it ended: ${started.stderr()}`);
      return started.stdout().includes('Stop with Ctrl-C');
    },
    {what: 'npm start has welcomed', withinMs: 60_000, everyMs: 50},
  );
  return started.stdout();
}

/** The process id of the embedded Redis, from its lock. */
async function redisPid(): Promise<number> {
  const lock = await readFile(path.join(tree.folder, '.data', 'lock'), 'utf8');
  return Number(lock.trim().split(' ')[1]);
}

async function isRedisAlive(): Promise<boolean> {
  try {
    return process.kill(await redisPid(), 0);
  } catch {
    return false;
  }
}

/** A PATH with `curl`, with the test's own one if the machine has none. */
async function pathWithCurl(): Promise<string> {
  const own = process.env['PATH'] ?? '';
  if (spawnSync('curl', ['--version']).error === undefined) return own;
  const bin = path.join(tree.folder, '.cache', 'curl');
  await mkdir(bin, {recursive: true});
  await copyFile(path.join(root, 'test/support/curl.mjs'), path.join(bin, 'curl'));
  await chmod(path.join(bin, 'curl'), 0o755);
  return `${bin}${path.delimiter}${own}`;
}

async function runShell(command: string): Promise<string> {
  const shell = startProcess('sh', ['-c', command], {env: {PATH: await pathWithCurl()}});
  expect((await shell.exited).code).toBe(0);
  return shell.stdout();
}

it('the first start builds the service, runs it, and prints a sign-in link, an address, the documentation, a token and a working request', async () => {
  first = start();
  const welcome = await untilWelcome(first);
  for (const building of ['Building …', 'Building the dashboard …']) {
    expect([building, first.stderr().includes(building)]).toEqual([building, deep]);
  }
  const base = `http://localhost:${port}`;
  const link = /^ +(http\S+)$/m.exec(welcome)?.[1] ?? '';
  expect(link).toContain(`${base}/app/sign-in#`);
  expect((await createTestBrowser({url: base}).signIn(link)).body.holder.name).toBe('Owner');
  expect(welcome).toContain(`API        ${base}/v1\n`);
  const docs = /Docs +(\S+)/.exec(welcome)?.[1] ?? '';
  expect(await fetch(docs)).toMatchObject({status: 200});
  token = /Token +(\S+)/.exec(welcome)?.[1] ?? '';
  expect(token).toMatch(/^eyJ[\w-]+\.[\w-]+\.[\w-]+$/);

  const command = /^ +(curl [\s\S]+?)\n\n/m.exec(welcome)?.[1] ?? '';
  expect(JSON.parse(await runShell(command))).toMatchObject({object: 'standup', team: 'platform'});
  expect(await runShell(`${command} -o /dev/null -w '%{http_code}'`)).toBe('201');
}, 120_000);

it('standup-admin token create finds the running service and prints only a token, which works', async () => {
  const command = startProcess(
    process.execPath,
    ['scripts/admin.mjs', 'token', 'create', '--name', 'ci', '--scope', 'standups:read'],
    {cwd: tree.folder},
  );
  expect(await command.exited).toEqual({code: 0, signal: null});
  expect(command.stdout()).toMatch(/^eyJ[\w-]+\.[\w-]+\.[\w-]+\n$/);
  const reply = await sendRequest(`http://127.0.0.1:${port}`, 'GET', '/v1/standups', {
    token: command.stdout().trim(),
  });
  expect(reply.status).toBe(200);
  expect(reply.body.data).toHaveLength(2);
});

it('regression: the link of standup-admin login leads to the running service, whatever its port', async () => {
  const command = startProcess(process.execPath, ['scripts/admin.mjs', 'login'], {cwd: tree.folder});
  expect(await command.exited).toEqual({code: 0, signal: null});
  expect(command.stdout()).toContain(`http://localhost:${port}/app/sign-in#`);
});

it('regression: a standup-admin command finds the Redis and the address of a start with its own Redis', async () => {
  const redis = await startTestRedis();
  cleanUps.push(() => redis.stop());
  const dataDir = path.join(tree.folder, '.data-own');
  const serve = async (env: Record<string, string> = {}) => {
    const ownPort = await findFreePort();
    const settings = {REDIS_URL: redis.url, DATA_DIR: dataDir, PORT: String(ownPort), LOG_LEVEL: 'info'};
    const own = start({...settings, ...env});
    cleanUps.push(() => own.kill());
    // The service answers a moment before it writes the address of its Redis for the command.
    await until(() => own.stdout().includes('"started"'), {what: 'it has started', withinMs: 20_000});
    return {own, origin: `http://localhost:${ownPort}`};
  };
  const standup = (args: string[], env: Record<string, string> = {}) =>
    runStandup(args, {SECRET_KEY: '', DATA_DIR: dataDir, ...env});
  const {own, origin} = await serve();
  const made = await standup(['workspace', 'create', 'Own', '--owner', 'ada@example.com']);
  expect(made).toMatchObject({code: 0, stdout: expect.stringContaining(`${origin}/app/sign-in#`)});
  const later = await serve();
  for (const env of [{}, {REDIS_URL: redis.url}]) {
    expect((await standup(['login'], env)).stdout).toContain(`${later.origin}/app/sign-in#`);
    expect(rowsOf((await standup(['doctor'], env)).stdout)).toContainEqual(['Public URL', later.origin]);
  }
  for (const {signal, exited} of [own, later.own]) {
    signal('SIGTERM');
    await exited;
  }
  expect(await standup(['login'])).toEqual({
    code: 1,
    stdout: '',
    stderr: 'No running service was found: start one with `npm start`, or set REDIS_URL.\n',
  });
}, 90_000);

it('a port in use is reported in one sentence', async () => {
  const second = start({DATA_DIR: path.join(tree.folder, '.data-2')});
  cleanUps.push(() => second.kill());
  expect(await second.exited).toEqual({code: 1, signal: null});
  // A busy machine waits for Redis and prints that.
  const said = second.stderr().replace('Waiting for Redis …', '').trim();
  expect(said).toBe(`Port ${port} is taken: stop what listens there, or set PORT.`);
  expect(second.stdout()).toBe('');
});

// test/scripts/redis-server.test.ts covers the ways of waiting.
if (deep) {
  it('a second start on the same data folder waits 10 s, names the process that uses it, and ends', async () => {
    const second = start({PORT: String(await findFreePort())});
    cleanUps.push(() => second.kill());
    const startedAt = performance.now();
    expect(await second.exited).toEqual({code: 1, signal: null});
    expect(performance.now() - startedAt).toBeGreaterThan(10_000);
    const said = second.stderr().trim().split('\n').at(-1);
    expect(said).toContain(`is in use by process ${first.pid}`);
    expect(said).toContain('or choose another folder with DATA_DIR.');
    expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200);
  }, 30_000);
}

it('SIGTERM ends the service with exit 0, and its Redis too', async () => {
  first.signal('SIGTERM');
  expect(await first.exited).toEqual({code: 0, signal: null});
  expect(await isRedisAlive()).toBe(false);
});

it('a second start builds nothing, and has the same data and no second token', async () => {
  first = start();
  const welcome = await untilWelcome(first);
  expect(first.stderr()).not.toContain('Building');
  expect(welcome).not.toMatch(/eyJ/);
  expect(welcome).toContain('2 tokens are live');
  expect(welcome).toContain('$STANDUP_TOKEN');
  const {status, body} = await sendRequest(`http://127.0.0.1:${port}`, 'GET', '/v1/standups', {token});
  expect(status).toBe(200);
  expect(body.data).toHaveLength(2);
}, 60_000);

if (deep) {
  it('a second start answers within 3 s', async () => {
    const tookMs: number[] = [];
    // The best of five, because other programs may use the processor for a moment.
    for (let round = 0; round < 5 && !tookMs.some((ms) => ms < 3_000); round++) {
      first.signal('SIGTERM');
      await first.exited;
      const startedAt = performance.now();
      first = start();
      await until(
        () =>
          fetch(`http://127.0.0.1:${port}/readyz`).then(
            ({ok}) => ok,
            () => false,
          ),
        {what: 'it answers', withinMs: 20_000, everyMs: 50},
      );
      tookMs.push(performance.now() - startedAt);
    }
    expect(Math.min(...tookMs)).toBeLessThan(3_000);
  }, 90_000);
}

it('kill -9 leaves no Redis behind, and acknowledged data is there at the next start', async () => {
  const posted = await sendRequest(`http://127.0.0.1:${port}`, 'POST', '/v1/standups', {
    token,
    body: {team: 'platform', update: 'The last words'},
  });
  expect(posted.status).toBe(201);
  expect(await isRedisAlive()).toBe(true);
  await first.kill();
  await until(async () => !(await isRedisAlive()), {what: 'its Redis has ended'});
  first = start();
  await untilWelcome(first);
  const {body} = await sendRequest(`http://127.0.0.1:${port}`, 'GET', `/v1/standups/${posted.body.id}`, {
    token,
  });
  expect(body).toEqual(posted.body);
}, 60_000);

it('the stack trace of a bug names files and lines of src/', async () => {
  const service = startProcess(process.execPath, ['dist/main.js', '--local'], {
    cwd: tree.folder,
    env: minimalEnv({REDIS_URL: 'redis://127.0.0.1:1', DATA_DIR: '/dev/null'}),
  });
  expect(await service.exited).toEqual({code: 1, signal: null});
  const lines = (await readFile('src/serve.ts', 'utf8')).split('\n');
  const called = lines.findIndex((line) => line.includes('await readOrCreateSecretKey(')) + 1;
  expect(service.stderr()).toContain('Error: EEXIST');
  expect(service.stderr()).toContain(`${path.join(tree.folder, 'src/serve.ts')}:${called}:`);
});

it('all problems of the configuration are listed in one message', async () => {
  const production = startProcess(process.execPath, ['dist/main.js'], {
    cwd: tree.folder,
    env: minimalEnv({NODE_ENV: 'production', PORT: 'eighty', ROLES: 'cook', LOG_LEVEL: 'loud'}),
  });
  expect(await production.exited).toEqual({code: 1, signal: null});
  const [title, ...problems] = production.stderr().trim().split('\n');
  expect(title).toBe('The configuration has 6 problems:');
  expect(problems.map((problem) => problem.trim().split(':')[0]).sort()).toEqual([
    'LOG_LEVEL',
    'PORT',
    'PUBLIC_URL',
    'REDIS_URL',
    'ROLES',
    'SECRET_KEY',
  ]);
  expect(production.stdout()).toBe('');
});

it('a wrong password and an evicting Redis are reported in a sentence each, and a Redis without persistence causes a warning', async () => {
  const redis = await startTestRedis();
  cleanUps.push(() => redis.stop());
  const startMain = async (redisUrl: string): Promise<TestProcess> => {
    const service = startProcess(process.execPath, ['dist/main.js'], {
      cwd: tree.folder,
      env: minimalEnv({REDIS_URL: redisUrl, SECRET_KEY: testSecretKey, PORT: String(await findFreePort())}),
    });
    cleanUps.push(() => service.kill());
    return service;
  };
  const sayOf = async (redisUrl: string): Promise<string> => {
    const service = await startMain(redisUrl);
    expect(await service.exited).toEqual({code: 1, signal: null});
    return service.stderr();
  };
  const {host} = new URL(redis.url);
  expect(await sayOf(`redis://default:wrong@${host}`)).toBe(
    `Redis at ${host} refuses the user name or password in REDIS_URL: correct them.\n`,
  );
  await sendToRedis(redis.url, [['CONFIG', 'SET', 'maxmemory-policy', 'allkeys-lru']]);
  expect(await sayOf(redis.url)).toBe(
    `Redis at ${host} would delete data when memory is short (maxmemory-policy is "allkeys-lru"): set it to "noeviction".\n`,
  );
  await sendToRedis(redis.url, [
    ['CONFIG', 'SET', 'maxmemory-policy', 'noeviction'],
    ['CONFIG', 'SET', 'appendonly', 'no'],
  ]);
  const service = await startMain(redis.url);
  await until(() => service.stdout().includes('a restart of Redis loses data: set appendonly yes'));
  const started = service
    .stdout()
    .split('\n')
    .find((line) => line.includes('"started"'));
  expect(JSON.parse(started ?? '{}')).toMatchObject({
    port: expect.any(Number),
    roles: 'web,worker',
    node: process.versions.node,
    store: 'single',
    masters: 1,
    replicas: 0,
    queue: 'in the store',
    slack: 'off',
    mail: 'off',
    webhooks: 'direct',
  });
}, 60_000);

if (deep) {
  it('an unreachable Redis is reported in one sentence without the password', async () => {
    const gone = await startTestRedis();
    cleanUps.push(() => gone.stop());
    await gone.kill();
    const service = startProcess(process.execPath, ['dist/main.js'], {
      cwd: tree.folder,
      env: minimalEnv({REDIS_URL: gone.url, SECRET_KEY: testSecretKey, PORT: String(await findFreePort())}),
    });
    cleanUps.push(() => service.kill());
    expect(await service.exited).toEqual({code: 1, signal: null});
    const said = service.stderr();
    expect(said).toContain(`Redis at 127.0.0.1:${new URL(gone.url).port} cannot be reached`);
    expect(said.trim().split('\n')).toHaveLength(1);
    expect(said).not.toContain(new URL(gone.url).password);
  }, 60_000);
}
