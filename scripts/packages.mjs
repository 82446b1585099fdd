import {createHash} from 'node:crypto';
import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {StopError, say} from './console.mjs';
import {root} from './paths.mjs';
import {runCommand} from './run-command.mjs';

/**
 * Installs the packages of the committed lock file unless they are installed. It uses `npm install` and not
 * `npm ci`: with a registry that lacks some optional platform builds, `npm ci` rejects the lock file
 * (npm/cli#9846). `withTools` false leaves out devDependencies, which a built production installation does
 * not have.
 */
export async function ensurePackages({withTools = true} = {}) {
  if (arePackagesThere(root, withTools)) return;
  const startedAt = Date.now();
  say('Installing packages (npm install) …');
  const args = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=warn'];
  args.push(withTools ? '--include=dev' : '--omit=dev');
  const npm = process.env.npm_execpath;
  const options = {cwd: root, waiting: '… still installing packages'};
  const code = npm?.endsWith('.js')
    ? await runCommand(process.execPath, [npm, ...args], options)
    : await runCommand('npm', args, options);
  if (code !== 0) {
    throw new StopError(
      'The packages could not be installed (npm install failed, see above). Run this again when it can.',
    );
  }
  writeStamp(root, withTools);
  say(`Packages installed in ${((Date.now() - startedAt) / 1000).toFixed(0)} s.`);
}

/**
 * True when all packages are installed. This is fast if node_modules has a stamp of the lock file; otherwise
 * versions are compared.
 */
export function arePackagesThere(folder, withTools = true) {
  const stamp = readText(locateStampFile(folder));
  if (stamp !== undefined && listAcceptedStamps(folder, withTools).includes(stamp)) return true;
  if (!isLockSatisfied(folder, withTools)) return false;
  writeStamp(folder, withTools);
  return true;
}

function isLockSatisfied(folder, withTools) {
  const installed = readJson(path.join(folder, 'node_modules', '.package-lock.json'))?.packages;
  if (installed === undefined) return false;
  const {packages} = readJson(path.join(folder, 'package-lock.json'));
  return Object.entries(packages).every(([location, wanted]) => {
    // Optional packages may be missing: npm installs only those for this platform.
    if (location === '' || wanted.optional || wanted.devOptional) return true;
    if (wanted.dev && !withTools) return true;
    return installed[location]?.version === wanted.version && existsSync(path.join(folder, location));
  });
}

function writeStamp(folder, withTools) {
  writeFileSync(locateStampFile(folder), computeStamp(folder, withTools));
}

/**
 * Returns the stamps that show that all needed packages are installed. If the development tools are not
 * needed, an installation that has them is accepted too.
 */
function listAcceptedStamps(folder, withTools) {
  return withTools ? [computeStamp(folder, true)] : [computeStamp(folder, true), computeStamp(folder, false)];
}

function computeStamp(folder, withTools) {
  const hash = createHash('sha256').update(readFileSync(path.join(folder, 'package-lock.json')));
  return `${hash.digest('hex')} ${process.platform} ${process.arch} ${withTools ? 'with' : 'without'} tools\n`;
}

function locateStampFile(folder) {
  return path.join(folder, 'node_modules', '.standup-packages');
}

function readText(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

function readJson(file) {
  const text = readText(file);
  return text === undefined ? undefined : JSON.parse(text);
}
