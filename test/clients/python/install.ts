import {execFile, spawnSync} from 'node:child_process';
import {readdir, rm} from 'node:fs/promises';
import path from 'node:path';
import {promisify} from 'node:util';
import {cacheFolder} from '../../../scripts/paths.mjs';

const environment = path.join(cacheFolder, 'clients', 'python-user');

/** Python of an environment that has the client, its dependencies and mypy. */
export const python = path.join(environment, 'bin', 'python');

/** The built package with its sources. */
export const packageFolder = path.join(cacheFolder, 'clients', 'python-package');

const mypy = 'mypy==2.4.1';

/** Builds the wheel and installs it. Returns why that is impossible here; undefined after success. */
export async function installClient(): Promise<string | undefined> {
  const needed = 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))';
  if (spawnSync('python3', ['-c', needed], {stdio: 'ignore'}).status !== 0)
    return 'this machine has no Python 3.11 or later with venv';
  try {
    await run(process.execPath, ['scripts/clients.mjs', 'python']);
    const dist = path.join(packageFolder, 'dist');
    const [wheel = ''] = await readdir(dist);
    await rm(environment, {recursive: true, force: true});
    await run('python3', ['-m', 'venv', environment]);
    const install = ['-m', 'pip', 'install', '-q', '--disable-pip-version-check', '--retries', '1'];
    await run(python, [...install, `${path.join(dist, wheel)}[ed25519]`, mypy]);
    return undefined;
  } catch (error) {
    if (/No matching distribution found/.test(String(error))) return 'pip could not install its packages';
    throw error;
  }
}

/** Runs a program. Its error has all that the program printed. */
export async function run(
  program: string,
  args: readonly string[],
  options: {readonly cwd?: string; readonly env?: NodeJS.ProcessEnv} = {},
): Promise<string> {
  try {
    return (await promisify(execFile)(program, args, {maxBuffer: 2 ** 26, ...options})).stdout;
  } catch (error) {
    const {message, stdout} = error as Error & {stdout: string};
    throw new Error(`${message}\n${stdout}`, {cause: error});
  }
}
