import {afterEach, beforeEach, expect, test} from '@jest/globals';
import {execFile} from 'node:child_process';
import {mkdir, mkdtemp, readFile, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {promisify} from 'node:util';
import {arePackagesThere} from '../../scripts/packages.mjs';

type Packages = Record<string, {version: string; optional?: boolean; dev?: boolean}>;

const wanted: Packages = {
  'node_modules/one': {version: '1.0.0'},
  'node_modules/tool': {version: '2.0.0', dev: true},
  'node_modules/for-another-platform': {version: '3.0.0', optional: true},
};

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'standup-packages-'));
});
afterEach(() => rm(folder, {recursive: true, force: true}));

async function lock(packages: Packages): Promise<void> {
  await writeFile(path.join(folder, 'package-lock.json'), JSON.stringify({packages: {'': {}, ...packages}}));
}

async function install(packages: Packages): Promise<void> {
  for (const location of Object.keys(packages)) await mkdir(path.join(folder, location), {recursive: true});
  await mkdir(path.join(folder, 'node_modules'), {recursive: true});
  await writeFile(path.join(folder, 'node_modules/.package-lock.json'), JSON.stringify({packages}));
}

test('the packages count as missing without node_modules', async () => {
  await lock(wanted);
  expect(arePackagesThere(folder)).toBe(false);
});

test('an optional package for another platform may be missing', async () => {
  await lock(wanted);
  const {'node_modules/for-another-platform': _, ...here} = wanted;
  await install(here);
  expect(arePackagesThere(folder)).toBe(true);
});

test('a package with another version, or without its folder, leads to a new installation', async () => {
  await lock(wanted);
  await install({...wanted, 'node_modules/one': {version: '0.9.0'}});
  expect(arePackagesThere(folder)).toBe(false);
  await install(wanted);
  await rm(path.join(folder, 'node_modules/one'), {recursive: true});
  expect(arePackagesThere(folder)).toBe(false);
});

test('a changed lock file leads to a new comparison of the packages', async () => {
  await lock(wanted);
  await install(wanted);
  expect(arePackagesThere(folder)).toBe(true);
  await lock({...wanted, 'node_modules/new': {version: '1.0.0'}});
  expect(arePackagesThere(folder)).toBe(false);
});

test('a production installation needs no development tools, and does not count as an installation with them', async () => {
  await lock(wanted);
  const {'node_modules/tool': _, ...here} = wanted;
  await install(here);
  expect(arePackagesThere(folder, false)).toBe(true);
  expect(arePackagesThere(folder, true)).toBe(false);
});

const npm = async (...args: string[]) =>
  (await promisify(execFile)('npm', args, {maxBuffer: 64 * 1024 * 1024, encoding: 'utf8'})).stdout;
const ours = async () =>
  JSON.parse(await readFile('package.json', 'utf8')) as Record<
    'scripts' | 'dependencies',
    Record<string, string>
  >;

test('regression: npm runs no script of a package that it installs', async () => {
  expect((await npm('config', 'get', 'ignore-scripts')).trim()).toBe('true');
  // The project's own scripts before and after others would be ignored, too.
  const {scripts} = await ours();
  expect(Object.keys(scripts).filter((name) => /^(?:pre|post)|install/.test(name))).toEqual([]);
});

test('the bill of materials names every package that runs', async () => {
  const bill = JSON.parse(await npm('sbom', '--package-lock-only', '--sbom-format', 'cyclonedx')) as {
    components: {name: string; version: string; hashes?: unknown[]}[];
  };
  const listed = new Set(bill.components.map(({name, version}) => `${name}@${version}`));
  const wanted = Object.entries((await ours()).dependencies).map(([name, version]) => `${name}@${version}`);
  expect(wanted.filter((one) => !listed.has(one))).toEqual([]);
});
