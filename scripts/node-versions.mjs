import {spawnSync} from 'node:child_process';
import {existsSync} from 'node:fs';
import path from 'node:path';
import {StopError, say} from './console.mjs';
import {cacheFolder} from './paths.mjs';
import {runCommand} from './run-command.mjs';

/** The oldest Node that is supported, the line between, and the standard. */
export const nodeVersions = ['20.19.0', '22.23.3', '24.21.0'];

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
  const name = `node-${process.platform.replace('win32', 'win')}-${process.arch}`;
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
