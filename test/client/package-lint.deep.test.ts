import {execFile} from 'node:child_process';
import {existsSync} from 'node:fs';
import {mkdir, mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {promisify} from 'node:util';
import {afterAll, beforeAll, expect, it} from '@jest/globals';
import {cacheFolder} from '../../scripts/paths.mjs';
import {packClient} from './pack-client.js';

const run = promisify(execFile);
const tools = {publint: '0.3.25', '@arethetypeswrong/cli': '0.18.5'};
/** The tools are installed into the cache, because only this test needs them. */
const folder = path.join(cacheFolder, 'package-lint', Object.values(tools).join('-'));

const lack = await installTools();
const runOrSkip = lack === undefined ? it : it.skip;
const reason = lack === undefined ? '' : ` (skipped: ${lack})`;
let packed: string;
let client: string;

/** Installs the tools, if they are not there. Returns why that is impossible; undefined after success. */
async function installTools(): Promise<string | undefined> {
  const stamp = path.join(folder, '.installed');
  if (existsSync(stamp)) return undefined;
  await mkdir(folder, {recursive: true});
  await writeFile(path.join(folder, 'package.json'), '{"private": true}');
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--fetch-retries=1'];
  const names = Object.entries(tools).map(([name, version]) => `${name}@${version}`);
  try {
    await run('npm', ['install', ...options, ...names], {cwd: folder});
    await writeFile(stamp, '');
    return undefined;
  } catch {
    return 'npm could not install them';
  }
}

beforeAll(async () => {
  packed = await mkdtemp(path.join(tmpdir(), 'standup-client-'));
  [client = ''] = await packClient(packed);
});

afterAll(() => rm(packed, {recursive: true}));

/** Runs a tool to its end. Returns what it prints, also if it finds a fault. */
async function runTool(name: string, ...args: readonly string[]) {
  const program = path.join(folder, 'node_modules/.bin', name);
  return run(program, args, {cwd: packed}).then(
    ({stdout}) => ({code: 0, stdout}),
    (error: {code: number; stdout: string}) => ({code: error.code, stdout: error.stdout}),
  );
}

runOrSkip(`publint finds nothing in the packed client${reason}`, async () => {
  const {code, stdout} = await runTool('publint', 'run', client, '--strict');
  expect(stdout).toContain('All good!');
  expect(code).toBe(0);
});

runOrSkip(
  `are-the-types-wrong finds nothing in the packed client, as a package of ES modules${reason}`,
  async () => {
    const {code, stdout} = await runTool('attw', client, '--profile', 'esm-only', '--no-color', '--no-emoji');
    expect(stdout).toMatch(/node16 \(from ESM\) *│ OK/);
    expect(stdout).toMatch(/bundler *│ OK/);
    expect(code).toBe(0);
    // Without the profile it reports that `require` gets an ES module.
    expect((await runTool('attw', client)).code).toBe(1);
  },
);
