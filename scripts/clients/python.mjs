import {execFile} from 'node:child_process';
import {cp, readFile, readdir, rm, writeFile} from 'node:fs/promises';
import path from 'node:path';
import {promisify} from 'node:util';
import {StopError} from '../console.mjs';
import {cacheFolder, root} from '../paths.mjs';

const source = path.join(root, 'clients', 'python');
const output = path.join(cacheFolder, 'clients', 'python-package');
const build = path.join(cacheFolder, 'clients', 'python-build');
const buildPackages = ['hatchling==1.33.0'];

export const needs = ['python3'];
export const tests = ['test/clients/python'];

/** Builds a wheel from the handwritten files and the generated ones. */
export async function buildClient() {
  const python = await ensureEnvironment(build, buildPackages);
  const {version} = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'));
  await rm(output, {recursive: true, force: true});
  await cp(source, output, {recursive: true, filter: (file) => !/__pycache__|\.mypy_cache/.test(file)});
  await cp(path.join(root, 'LICENSE'), path.join(output, 'LICENSE'));
  const document = path.join(root, 'docs', 'openapi.json');
  const written = path.join(output, 'src', 'team_standup');
  await run(python, [path.join(source, 'generate.py'), document, version, written]);
  const folder = path.join(output, 'dist');
  const wheel = ['-m', 'pip', 'wheel', '-q', '--no-deps', '--no-build-isolation', '-w', folder, output];
  await run(python, wheel);
  const [file] = await readdir(folder);
  const install = path.relative(process.cwd(), path.join(folder, file));
  return {folder, install: `pip install ./${install}`};
}

/** Creates an environment with exactly these packages, unless it is there. Resolves to its Python. */
export async function ensureEnvironment(folder, packages) {
  const python = path.join(folder, 'bin', 'python');
  const stamp = path.join(folder, '.packages');
  if ((await readFile(stamp, 'utf8').catch(() => '')) === packages.join()) return python;
  const version = 'import sys; sys.exit(sys.version_info < (3, 11) and sys.version.split()[0])';
  await run('python3', ['-c', version]).catch((error) => {
    throw new StopError(`The Python client needs Python 3.11 or later, and this machine has ${error.stderr}`);
  });
  await rm(folder, {recursive: true, force: true});
  await run('python3', ['-m', 'venv', folder]);
  await run(python, ['-m', 'pip', 'install', '-q', '--disable-pip-version-check', ...packages]);
  await writeFile(stamp, packages.join());
  return python;
}

/** Runs a program. Its error has what the program printed. */
async function run(program, args) {
  return promisify(execFile)(program, args, {maxBuffer: 2 ** 26});
}
