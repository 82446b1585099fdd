import {afterEach, expect, it} from '@jest/globals';
import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {runStandup} from '../cli/run-standup.js';
import {findFreePort} from '../support/free-port.js';
import {startReceiver} from '../support/receiver.js';
import {testRedisUrl} from '../support/redis-server.js';
import {sendRequest, startService} from '../support/service.js';
import {minimalEnv, root, startProcess, type TestProcess, testSecretKey} from '../support/service-process.js';
import {until} from '../support/until.js';

const cleanUps: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

/** Runs the Procfile with foreman and production settings. */
async function runProcfile(formation: string, env: Record<string, string>): Promise<TestProcess> {
  const folder = await mkdtemp(path.join(tmpdir(), 'standup-procfile-'));
  cleanUps.push(() => rm(folder, {recursive: true, force: true}));
  const settings = path.join(folder, 'env');
  await writeFile(
    settings,
    Object.entries(env)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(''),
  );
  const foreman = path.join(root, 'node_modules/foreman/nf.js');
  const started = startProcess(
    process.execPath,
    [foreman, 'start', '--env', settings, '--port', env['PORT'] ?? '', formation],
    {env: minimalEnv(), group: true},
  );
  cleanUps.push(() => started.kill());
  return started;
}

async function isReady(url: string): Promise<boolean> {
  return fetch(`${url}/readyz`).then(
    ({ok}) => ok,
    () => false,
  );
}

async function listWorkers(redisUrl: string): Promise<string> {
  const {stdout} = await runStandup(['jobs'], {REDIS_URL: redisUrl});
  return `${stdout.split('\n\n')[0]}\n`;
}

it('the `web` process of the Procfile accepts requests and never delivers, and `worker` delivers', async () => {
  const redisUrl = await testRedisUrl();
  const receiver = await startReceiver();
  cleanUps.push(() => receiver.close());
  const setUp = await startService({redisUrl, env: {ROLES: 'web'}});
  cleanUps.push(() => setUp.close());
  const {token} = await setUp.addWorkspace();

  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const env = {
    NODE_ENV: 'production',
    PORT: String(port),
    REDIS_URL: redisUrl,
    SECRET_KEY: testSecretKey,
    PUBLIC_URL: 'https://standup.example.com',
    WEBHOOK_ALLOW_NETWORKS: '127.0.0.0/8',
    ROLES: 'web',
  };
  const web = await runProcfile('web=1', env);
  await until(() => isReady(url), {what: 'the web process is ready', withinMs: 20_000});
  const hook = await sendRequest(url, 'POST', '/v1/webhooks', {
    token,
    body: {url: receiver.url, events: ['standup.created']},
  });
  expect(hook.status).toBe(201);
  const posted = await sendRequest(url, 'POST', '/v1/standups', {
    token,
    body: {team: 'platform', update: 'By the web process'},
  });
  expect(posted.status).toBe(201);
  // A worker reports itself before it is ready.
  expect(await listWorkers(redisUrl)).toMatch(/^No process works here/);
  expect(receiver.received).toHaveLength(0);

  const worker = await runProcfile('worker=1', env);
  const [delivery] = await receiver.waitFor(1, 20_000);
  expect(JSON.parse(delivery?.body.toString() ?? '')).toMatchObject({
    type: 'standup.created',
    data: {id: posted.body.id, update: 'By the web process'},
  });
  expect(await listWorkers(redisUrl)).toMatch(/^PROCESS .*\n.*\n$/);
  for (const process of [web, worker]) {
    process.signal('SIGTERM');
    await process.exited;
  }
  await until(async () => !(await isReady(url)), {what: 'the web process has ended'});
}, 90_000);
