import {afterAll, afterEach, beforeAll, expect, it} from '@jest/globals';
import {appendFile, cp, mkdir, readdir, readFile, rm, symlink, unlink} from 'node:fs/promises';
import path from 'node:path';
import {findFreePort} from '../support/free-port.js';
import {testRedisUrl} from '../support/redis-server.js';
import {minimalEnv, root, startProcess, type TestProcess, testSecretKey} from '../support/service-process.js';
import {until} from '../support/until.js';
import {copyTree} from './tree.js';

// Builds of the dashboard after an installation; each test continues from the one before.

let tree: Awaited<ReturnType<typeof copyTree>>;
const cleanUps: (() => Promise<unknown> | unknown)[] = [];

beforeAll(async () => {
  tree = await copyTree();
  await cp(path.join(root, 'dist'), path.join(tree.folder, 'dist'), {recursive: true});
});

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

afterAll(() => tree.remove());

/** Runs `npm run build` and returns its output. */
async function build(): Promise<string> {
  const building = startProcess(process.execPath, ['scripts/build.mjs'], {
    cwd: tree.folder,
    env: minimalEnv(),
  });
  cleanUps.push(() => building.kill());
  expect(await building.exited).toEqual({code: 0, signal: null});
  return building.stderr();
}

/** Starts the service, and returns its address once it is ready. */
async function start(env: Record<string, string> = {}): Promise<{url: string; started: TestProcess}> {
  const port = String(await findFreePort());
  const settings = {
    SECRET_KEY: testSecretKey,
    REDIS_URL: await testRedisUrl(),
    PORT: port,
    CI: 'true',
    ...env,
  };
  const started = startProcess(process.execPath, ['scripts/start.mjs'], {
    cwd: tree.folder,
    env: minimalEnv({LOG_LEVEL: 'silent', ...settings}),
  });
  cleanUps.push(() => started.kill());
  const url = `http://127.0.0.1:${port}`;
  await until(
    () =>
      fetch(`${url}/readyz`).then(
        ({ok}) => ok,
        () => false,
      ),
    {
      what: 'it is ready',
      withinMs: 30_000,
    },
  );
  return {url, started};
}

const pageOf = async (url: string): Promise<string> => (await fetch(`${url}/app`)).text();

it('a finished build of the dashboard is not repeated', async () => {
  expect(await build()).toBe('');
});

it('a change in web/ builds only the dashboard, and a change in src/ does not build it', async () => {
  await appendFile(path.join(tree.folder, 'web/main.tsx'), '\n// changed\n');
  const said = await build();
  expect(said).toContain('The dashboard was built');
  expect(said).not.toContain('Building …');
  await appendFile(path.join(tree.folder, 'src/main.ts'), '\n// changed\n');
  const then = await build();
  expect(then).toContain('Building …');
  expect(then).not.toContain('dashboard');
  expect(await readdir(path.join(tree.folder, 'dist/web'))).toEqual([
    '.source',
    '.vite',
    'assets',
    'worker.js',
  ]);
}, 120_000);

it('`npm run build` fails for a wrong type, which a start does not check', async () => {
  await appendFile(path.join(tree.folder, 'src/main.ts'), '\nexport const wrong: string = 1;\n');
  const building = startProcess(process.execPath, ['scripts/build.mjs'], {
    cwd: tree.folder,
    env: minimalEnv(),
  });
  cleanUps.push(() => building.kill());
  expect(await building.exited).toEqual({code: 1, signal: null});
  expect(building.stderr()).toContain('src/main.ts(');
  expect(await pageOf((await start()).url)).toContain('<div id="app">');
}, 120_000);

it('a start continues with the existing dashboard when the new one cannot be built', async () => {
  const main = path.join(tree.folder, 'web/main.tsx');
  const before = await readFile(main);
  await appendFile(main, "import './nowhere.ts';\n");
  const {url, started} = await start();
  expect(started.stderr()).toContain('could not be built, see above. The service starts all the same.');
  expect(await pageOf(url)).toContain('<div id="app">');
  await rm(main);
  await appendFile(main, before);
}, 120_000);

it('a production start needs neither the compiler nor Vite, and runs without a built dashboard', async () => {
  const modules = path.join(tree.folder, 'node_modules');
  const tools = new Set(['vite', 'typescript', '@typescript', 'react', 'react-dom', 'rolldown', '@rolldown']);
  await unlink(modules);
  await mkdir(modules);
  for (const name of await readdir(path.join(root, 'node_modules'))) {
    if (!tools.has(name)) await symlink(path.join(root, 'node_modules', name), path.join(modules, name));
  }
  const production = {NODE_ENV: 'production', PUBLIC_URL: 'https://standup.example.com'};
  const built = await start(production);
  expect(await pageOf(built.url)).toContain('<div id="app">');
  expect(built.started.stderr()).toBe('');

  await rm(path.join(tree.folder, 'dist/web'), {recursive: true});
  const bare = await start(production);
  expect(await pageOf(bare.url)).toContain('npm run build');
  expect(bare.started.stderr()).toBe('');
}, 120_000);
