import {afterAll, beforeAll, expect, it} from '@jest/globals';
import {readFile, writeFile} from 'node:fs/promises';
import path from 'node:path';
import {createTestBrowser} from '../dashboard/test-browser.js';
import {findFreePort} from '../support/free-port.js';
import {minimalEnv, startProcess, type TestProcess} from '../support/service-process.js';
import {until} from '../support/until.js';
import {copyTree} from './tree.js';

// `npm run dev`, in the order in which a contributor uses it.

let tree: Awaited<ReturnType<typeof copyTree>>;
let dev: TestProcess;
let web: string;

beforeAll(async () => {
  tree = await copyTree();
  const [port, webPort] = [await findFreePort(), await findFreePort()];
  web = `http://localhost:${webPort}`;
  dev = startProcess(process.execPath, ['scripts/dev.mjs'], {
    cwd: tree.folder,
    env: minimalEnv({PORT: String(port), WEB_PORT: String(webPort), CI: 'true'}),
  });
}, 120_000);

afterAll(async () => {
  dev.signal('SIGTERM');
  await dev.exited;
  await tree.remove();
});

const source = () => path.join(tree.folder, 'src/api/server/health.ts');
const healthOf = () =>
  fetch(`${web}/healthz`).then(
    (answer) => answer.text(),
    () => '',
  );

it('npm run dev serves dashboard and API at one address, and prints a link that signs the owner in there', async () => {
  await until(() => dev.stdout().includes('Stop with Ctrl-C'), {what: 'it has welcomed', withinMs: 60_000});
  const link = /http:\/\/\S+\/app\/sign-in#\S+/.exec(dev.stdout())?.[0] ?? '';
  expect(link.startsWith(`${web}/app/sign-in#`)).toBe(true);
  await until(async () => (await healthOf()) === '{"status":"ok"}', {
    what: 'the service answers by way of Vite',
  });
  const browser = createTestBrowser({url: web});
  const body = {link: link.slice(link.indexOf('#') + 1)};
  const signedIn = await browser.ask('POST', '/app/session', {body, headers: {origin: web}});
  expect(signedIn.status).toBe(201);
});

it('npm run dev applies a changed source by itself, and after an unreadable one waits for the next change', async () => {
  const text = await readFile(source(), 'utf8');
  await writeFile(source(), text.replace("'ok'", "'changed'"));
  await until(async () => (await healthOf()) === '{"status":"changed"}', {what: 'the change is there'});
  await writeFile(source(), `${text}\nconst {`);
  await until(() => dev.stdout().includes('SyntaxError'), {what: 'it says what is wrong'});
  await writeFile(source(), text);
  await until(async () => (await healthOf()) === '{"status":"ok"}', {what: 'it is mended'});
});

it.each([
  ['src/api/server/health.ts', "'ok'", "'ok' satisfies number"],
  ['web/parts/keys.ts', '', 'export const wrong: number = "text";\n'],
])(
  'npm run dev names a type error of %s',
  async (file, from, to) => {
    // The tree has no tests, which demo/ imports, so the first type check may find errors.
    const checks = () => dev.stdout().match(/Found \d+ errors?\. Watching/g)?.length ?? 0;
    await until(() => checks() >= 2, {what: 'both first checks are done', withinMs: 60_000});
    const text = await readFile(path.join(tree.folder, file), 'utf8');
    await writeFile(path.join(tree.folder, file), from === '' ? text + to : text.replace(from, to));
    const error = new RegExp(`types +\\| .*${file}.*TS\\d+`);
    await until(() => error.test(dev.stdout()), {what: 'the error is named', withinMs: 60_000});
    await writeFile(path.join(tree.folder, file), text);
    await until(async () => (await healthOf()) === '{"status":"ok"}', {what: 'the service is back'});
  },
  180_000,
);

it('the log of npm run dev has one short line for each request, and the welcome appears once', async () => {
  await until(async () => (await healthOf()) === '{"status":"ok"}', {what: 'the service is back'});
  expect((await fetch(`${web}/v1/me`)).status).toBe(401);
  await until(() => /service \| \d\d:\d\d:\d\d GET \w+ 401 /.test(dev.stdout()), {what: 'the line is there'});
  expect(dev.stdout().match(/Stop with Ctrl-C/g)).toHaveLength(1);
});

it('SIGTERM ends all processes of npm run dev', async () => {
  dev.signal('SIGTERM');
  expect(await dev.exited).toEqual({code: 0, signal: null});
  expect(await healthOf()).toBe('');
});
