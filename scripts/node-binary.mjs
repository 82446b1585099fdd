import {execFileSync} from 'node:child_process';
import {existsSync, mkdirSync} from 'node:fs';
import path from 'node:path';
import {StopError, say} from './console.mjs';
import {cacheFolder} from './paths.mjs';
import {runCommand} from './run-command.mjs';

/**
 * The program of a Node by its first number: NODE_BIN, this one, or the npm package `node`, which is put into .cache
 * when it is not there.
 */
export async function ensureNode(major) {
  if (!/^\d+$/.test(major)) throw new StopError('Name a Node by its first number: `--node 24`.');
  const given = process.env.NODE_BIN;
  if (given !== undefined && majorOf(given) === major) return given;
  if (process.versions.node.split('.')[0] === major) return process.execPath;
  const folder = path.join(cacheFolder, `node-${major}`);
  const program = path.join(folder, 'node_modules', 'node', 'bin', 'node');
  if (!existsSync(program)) {
    say(`Installing Node ${major} into .cache …`);
    mkdirSync(folder, {recursive: true});
    // Its program comes with an install script.
    const args = ['install', '--prefix', folder, '--no-audit', '--no-fund', '--ignore-scripts=false'];
    const code = await runCommand('npm', [...args, `node@${major}`], {cwd: folder});
    if (code !== 0 || !existsSync(program)) throw new StopError(`Node ${major} could not be installed.`);
  }
  return program;
}

function majorOf(program) {
  return /^v(\d+)/.exec(execFileSync(program, ['--version'], {encoding: 'utf8'}))?.[1];
}
