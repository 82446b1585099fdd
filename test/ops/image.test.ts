// test/ops/: the files of an operator (Dockerfile, compose.yaml, ops/, docs/operating/). `npm run ops:check` tries
// them with other programs.
import {afterAll, beforeAll, expect, it} from '@jest/globals';
import {execFileSync} from 'node:child_process';
import {cp, mkdir, mkdtemp, readFile, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {holidayCalendarExamples} from '../../src/api/absences/holiday-calendar-examples.js';
import {findFreePort} from '../support/free-port.js';
import {testRedisUrl} from '../support/redis-server.js';
import {minimalEnv, root, startProcess, type TestProcess, testSecretKey} from '../support/service-process.js';
import {until} from '../support/until.js';

let folder: string;
let url: string;
let service: TestProcess;
let dockerfile: string;
let env: Record<string, string>;

/** Copies what the last stage of the Dockerfile copies, with the modes that an image has. */
async function copyRunStage(): Promise<void> {
  const stage = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '));
  const copies = [...stage.matchAll(/^COPY --from=build \/app\/(\S+) \.\/(\S*)$/gm)];
  expect(copies.map(([, from]) => from)).toEqual(['package.json', 'dist']);
  for (const [, from = '', to = ''] of copies)
    await cp(path.join(root, from), path.join(folder, to === '' ? from : to), {recursive: true});
  execFileSync('chmod', ['-R', 'a+rX', folder]);
}

/** Reads the arguments of Node in a command of the Dockerfile. */
function readCommand(pattern: RegExp): string[] {
  const [program, ...args] = JSON.parse(pattern.exec(dockerfile)?.[1] ?? '[]') as string[];
  expect(program).toBe('node');
  return args;
}

/** Runs Node in the folder as another user, if this is root. */
function run(args: readonly string[], more: Record<string, string> = {}): TestProcess {
  return startProcess(path.join(folder, 'bin/node'), args, {
    cwd: folder,
    env: minimalEnv({...env, ...more}),
    ...(process.getuid?.() === 0 && {uid: 1_000}),
  });
}

beforeAll(async () => {
  dockerfile = await readFile(path.join(root, 'Dockerfile'), 'utf8');
  folder = await mkdtemp(path.join(tmpdir(), 'standup-image-'));
  await copyRunStage();
  await mkdir(path.join(folder, 'bin'), {mode: 0o755});
  // The other user may not be allowed to enter the folder of this Node.
  await cp(process.execPath, path.join(folder, 'bin/node'));
  const port = await findFreePort();
  url = `http://127.0.0.1:${port}`;
  env = {
    NODE_ENV: 'production',
    PORT: String(port),
    REDIS_URL: await testRedisUrl(),
    SECRET_KEY: testSecretKey,
    PUBLIC_URL: 'https://standup.example.com',
  };
  service = run(readCommand(/^CMD (\[.*\])$/m));
  await until(
    async () =>
      fetch(`${url}/readyz`).then(
        ({ok}) => ok,
        () => false,
      ),
    {
      what: () => `the service is ready: ${service.stdout()}${service.stderr()}`,
      withinMs: 20_000,
    },
  );
});

afterAll(async () => {
  await service?.kill();
  await rm(folder, {recursive: true, force: true});
});

it('an image with dist/ and package.json alone serves every page', async () => {
  for (const page of [
    '/readyz',
    '/docs/',
    '/docs/assets/swagger-ui.css',
    '/docs/assets/swagger-ui-bundle.js',
    '/app',
  ])
    expect({page, status: (await fetch(`${url}${page}`)).status}).toEqual({page, status: 200});
});

it('the command works in an image, and the service reads a calendar file there on a thread of its own', async () => {
  const create = run(['dist/cli.js', 'workspace', 'create', 'Example']);
  expect(await create.exited).toEqual({code: 0, signal: null});
  const issue = run(['dist/cli.js', 'token', 'create', '--name', 'ci', '--scope', 'members:write']);
  expect(await issue.exited).toEqual({code: 0, signal: null});
  // A busy machine may answer the first request with 503.
  await until(
    async () => {
      const {status} = await fetch(`${url}/v1/holiday-calendars`, {
        method: 'POST',
        headers: {authorization: `Bearer ${issue.stdout().trim()}`, 'content-type': 'application/json'},
        body: JSON.stringify(holidayCalendarExamples.createHolidayCalendar?.body),
      });
      if (status !== 503) expect(status).toBe(201);
      return status === 201;
    },
    {what: 'the calendar is created', everyMs: 200},
  );
});

it('the health check of the image succeeds while the service answers, and fails otherwise', async () => {
  const check = readCommand(/^HEALTHCHECK [^[]*(\[.*\])$/m);
  expect(await run(check).exited).toMatchObject({code: 0});
  expect(await run(check, {PORT: String(await findFreePort())}).exited).toMatchObject({code: 1});
});

it('the stop signal of the image ends the service with 0', async () => {
  const [, signal] = /^STOPSIGNAL (SIG\w+)$/m.exec(dockerfile) ?? [];
  service.signal(signal as NodeJS.Signals);
  expect(await service.exited).toEqual({code: 0, signal: null});
});
