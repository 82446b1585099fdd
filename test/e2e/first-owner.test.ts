import {afterEach, beforeAll, describe, expect, it} from '@jest/globals';
import {readFileSync} from 'node:fs';
import type {Browser} from 'playwright-core';
import {createTestBrowser} from '../dashboard/test-browser.js';
import {getSharedBrowser} from '../support/browser.js';
import {findFreePort} from '../support/free-port.js';
import {testRedisUrl} from '../support/redis-server.js';
import {startTlsFront} from '../support/tls-front.js';
import {minimalEnv, startProcess, testSecretKey} from '../support/service-process.js';
import {until} from '../support/until.js';

// A production installation, from an empty store to a browser with the first owner signed in, by the commands
// in docs/operating.md and app.json.

interface AppJson {
  readonly env: Record<string, {readonly value?: string; readonly generator?: string}>;
  readonly scripts: {readonly postdeploy: string};
}

let browser: Browser;
const cleanUps: (() => Promise<unknown> | unknown)[] = [];

beforeAll(async () => {
  browser = await getSharedBrowser();
});

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

/** Runs shell commands to their end. `npm test` has already built what they would build. */
async function run(lines: string, env: Record<string, string>) {
  const shell = startProcess('sh', ['-ec', lines], {env: minimalEnv(env)});
  cleanUps.push(() => shell.kill());
  const {code} = await shell.exited;
  return {code, stdout: shell.stdout(), stderr: shell.stderr()};
}

/** Starts a serving process and waits until it is ready. */
async function serve(line: string, url: string, env: Record<string, string>): Promise<void> {
  const service = startProcess('sh', ['-ec', `exec ${line}`], {env: minimalEnv(env), group: true});
  cleanUps.push(() => service.kill());
  const isReady = () =>
    fetch(`${url}/readyz`).then(
      ({ok}) => ok,
      () => false,
    );
  await until(isReady, {what: 'the service is ready', withinMs: 30_000});
}

/** The same Redis over TLS with a self-signed certificate, like a platform's add-on. */
async function selfSigned(redisUrl: string): Promise<string> {
  const url = new URL(redisUrl);
  const front = await startTlsFront(Number(url.port));
  cleanUps.push(() => front.close());
  return redisUrl.replace('redis:', 'rediss:').replace(`:${url.port}`, `:${front.port}`);
}

/** Opens a printed link in a browser and presses its button. Returns the name of the signed-in person. */
async function signIn(link: string, url: string) {
  const context = await browser.newContext();
  cleanUps.push(() => context.close());
  const page = await context.newPage();
  await page.goto(link);
  await page.getByRole('button', {name: 'Continue as ada'}).click();
  await page.waitForURL((at) => !at.pathname.endsWith('/sign-in'));
  return page.evaluate(async (base) => {
    const own = {'x-standup-dashboard': '1'};
    const session = await fetch(`${base}/app/session/token`, {method: 'POST', headers: own});
    const {token} = (await session.json()) as {token: string};
    const me = await fetch(`${base}/v1/me`, {headers: {authorization: `Bearer ${token}`}});
    return (await me.json()) as Record<string, unknown>;
  }, url);
}

const owner = {principal: {type: 'member', name: 'ada'}, role: 'owner'};

describe('a production installation', () => {
  it('signs its owner in with the commands that docs/operating.md shows for an installation', async () => {
    const [, block = ''] =
      /\n## Install\n\n```sh\n([^]*?)```/.exec(readFileSync('docs/operating.md', 'utf8')) ?? [];
    const port = await findFreePort();
    const url = `http://localhost:${port}`;
    const lines = block
      .replace('REDIS_URL=…', `REDIS_URL=${await testRedisUrl()}`)
      .replace('SECRET_KEY=…', `SECRET_KEY='${testSecretKey}'`)
      .replace('https://standup.example.com', url)
      .trimEnd()
      .split('\n');
    expect(lines.shift()).toBe('npm install && npm run build');
    const settings = lines.find((line) => line.startsWith('export ')) ?? '';
    const service = lines.pop() ?? '';
    expect(service).toMatch(/^node .*dist\/main\.js$/);

    const said = await run(lines.join('\n'), {});
    expect({code: said.code, stderr: said.stderr}).toEqual({
      code: 0,
      stderr: expect.stringMatching(/^Open the link within 10 minutes: it signs ada@example\.com in/),
    });
    const [slug, link = '', team, token] = said.stdout.split('\n');
    expect([slug, team, token]).toEqual(['example-inc', 'platform', expect.stringMatching(/^ey/)]);

    const env = {PORT: String(port), HOST: '127.0.0.1', LOG_LEVEL: 'warn'};
    await serve(`sh -ec '${settings.replaceAll("'", '"')}; exec ${service}'`, url, env);
    expect(await signIn(link, url)).toMatchObject(owner);
  }, 120_000);

  it('signs its owner in with the settings and last step of app.json, on a Redis add-on with a self-signed certificate', async () => {
    const {env: asked, scripts} = JSON.parse(readFileSync('app.json', 'utf8')) as AppJson;
    const port = await findFreePort();
    const url = `http://localhost:${port}`;
    const set = Object.entries(asked).flatMap(([name, {value, generator}]) =>
      value === undefined && generator === undefined ? [] : [[name, value ?? testSecretKey]],
    );
    const env = {
      ...(Object.fromEntries(set) as Record<string, string>),
      OWNER_EMAIL: 'ada@example.com',
      REDIS_URL: await selfSigned(await testRedisUrl()),
      PUBLIC_URL: url,
      PORT: String(port),
      LOG_LEVEL: 'warn',
    };
    const said = await run(scripts.postdeploy, env);
    expect(said.code).toBe(0);
    const [slug, link = ''] = said.stdout.split('\n');
    expect(slug).toBe('default');
    const [web = ''] = readFileSync('Procfile', 'utf8').split('\n');
    await serve(web.replace('web: ', ''), url, env);
    const {status, body} = await createTestBrowser({url}).signIn(link);
    expect({status, holder: body.holder.name}).toEqual({status: 201, holder: 'ada'});
  }, 120_000);
});
