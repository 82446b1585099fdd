import {existsSync} from 'node:fs';
import {mkdtemp, readFile, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {afterEach, beforeEach, expect, it} from '@jest/globals';
import {spawnKillable, spawnStandup} from '../cli/run-standup.js';
import {postStandups} from '../jobs/stage.js';
import {dumpRedis} from '../store/dump.js';
import {startTestRedis, type TestRedis} from '../support/redis-server.js';
import {startService, type TestService, type TestWorkspace} from '../support/service.js';

const otherKey = 'the secret key of the other installation, long';
const rounds = 10;

let folder: string;
let from: TestRedis;
let to: TestRedis;
let service: TestService;
let workspace: TestWorkspace;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'standup-move-'));
  await writeFile(path.join(folder, 'passphrase'), 'correct horse battery');
  [from, to] = await Promise.all([startTestRedis(), startTestRedis()]);
  service = await startService({redisUrl: from.url});
  workspace = await service.addWorkspace('Acme');
  for (let i = 0; i < 40; i++) await postStandups(workspace, 50);
});

afterEach(async () => {
  await service.close();
  await Promise.all([from.stop(), to.stop()]);
  await rm(folder, {recursive: true, force: true});
});

const file = () => path.join(folder, 'acme.ndjson');
const exportArgs = () => ['workspace', 'export', 'acme', '--out', file(), ...protect()];
const importArgs = () => ['workspace', 'import', file(), ...protect()];
const protect = () => ['--passphrase-file', path.join(folder, 'passphrase')];
const source = () => ({REDIS_URL: from.url});
const target = () => ({REDIS_URL: to.url, SECRET_KEY: otherKey});

/** Runs a command and kills it with -9 after a time. Returns whether it had already ended. */
async function killAfter(args: readonly string[], env: Record<string, string>, ms: number): Promise<boolean> {
  const {kill, ended} = spawnKillable(args, env);
  const timer = setTimeout(kill, ms);
  try {
    return await ended;
  } finally {
    clearTimeout(timer);
  }
}

async function runWhole(args: readonly string[], env: Record<string, string>) {
  const since = performance.now();
  const result = await spawnStandup(args, env);
  expect({code: result.code, stderr: result.stderr}).toEqual({code: 0, stderr: expect.any(String)});
  return {...result, ms: performance.now() - since};
}

/** The workspace's data, without what belongs to one installation or one moment. */
async function readData(url: string): Promise<string[]> {
  const {text} = await dumpRedis(url);
  return text
    .split('\n')
    .filter((line) => line.startsWith(`{${workspace.id}}:`))
    .filter((line) => !/^\{\w+\}:(?:a:|u |head |[si]:|w:\w+:headers )/.test(line))
    .map((line) => (/^\S+ (?:hash|set) /.test(line) ? [...line].toSorted().join('') : line));
}

async function expectWholeFile(): Promise<void> {
  expect((await readFile(file(), 'utf8')).trimEnd().split('\n').at(-1)).toMatch(/^\{"end":true/);
}

it('a workspace moves whole although the commands and Redis are killed at random again and again', async () => {
  await runWhole(['workspace', 'freeze', 'acme'], source());
  const scratch = path.join(folder, 'scratch.ndjson');
  const first = await runWhole(
    exportArgs().map((arg) => (arg === file() ? scratch : arg)),
    source(),
  );
  for (let i = 0; i < rounds; i++) {
    const ended = await killAfter(exportArgs(), source(), first.ms * (0.2 + (0.8 * i) / rounds));
    // A file appears only when it is complete. The command may be killed between that and its end.
    if (ended) expect(existsSync(file())).toBe(true);
    if (existsSync(file())) await expectWholeFile();
    await rm(file(), {force: true});
  }
  await runWhole(exportArgs(), source());
  await expectWholeFile();

  const measured = await runWhole(importArgs(), target());
  await sendRemoval();
  for (let i = 0; i < rounds; i++) {
    if (i % 4 === 3) {
      const running = killAfter(importArgs(), target(), 60_000);
      await new Promise((resolve) => setTimeout(resolve, measured.ms * (0.3 + (0.7 * i) / rounds)));
      await to.kill();
      await to.restart();
      await running;
    } else await killAfter(importArgs(), target(), measured.ms * (0.3 + (0.7 * i) / rounds));
  }
  const last = await spawnStandup(importArgs(), target());
  const isThere = /is here already/.test(last.stderr);
  expect(isThere || last.code === 0 ? '' : last.stderr).toBe('');
  expect(await readData(to.url)).toEqual(await readData(from.url));
  expect((await spawnStandup(['workspace', 'list'], target())).stdout).toMatch(/^acme /m);

  /** Empties the target, so that the kills begin with nothing. */
  async function sendRemoval(): Promise<void> {
    await to.stop();
    to = await startTestRedis();
  }
});

it('a moved workspace is removed whole although the command is killed again and again', async () => {
  await runWhole(['workspace', 'freeze', 'acme'], source());
  const {stderr} = await runWhole(exportArgs(), source());
  const digest = /Digest: (\w+)/.exec(stderr)?.[1] ?? '';
  const args = ['workspace', 'remove', '--moved', 'acme', '--digest', digest];
  for (let i = 0; i < rounds; i++) if (await killAfter(args, source(), 250 + 40 * i)) break;
  const last = await spawnStandup(args, source());
  // The last kill may have come after the end.
  expect(last.code === 0 || /There is no workspace/.test(last.stderr) ? '' : last.stderr).toBe('');
  const left = (await dumpRedis(from.url)).text.split('\n').filter((line) => line.includes(workspace.id));
  expect(left.filter((line) => !/^\{\w+\}:(?:a|u)/.test(line))).toEqual([]);
});
