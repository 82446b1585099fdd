import {spawnSync} from 'node:child_process';
import {existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync} from 'node:fs';
import path from 'node:path';
import {StopError, runLauncher, say} from './console.mjs';
import {cacheFolder, root} from './paths.mjs';

// Downloads Node 24 into .cache/node24/bin for with-node.sh. This script runs on Node 18 and later.

/** The npm package with the program `node` for each platform, with its version and integrity hash. */
const pins = JSON.parse(readFileSync(path.join(root, 'scripts', 'node-pins.json'), 'utf8'));
const needed = `Node 24 is needed; this is Node ${process.versions.node}`;
const wayOut = 'Install Node 24 (https://nodejs.org, or `nvm install`), then run this again.';

await runLauncher(() => {
  const pin = pins[`${process.platform}-${process.arch}`];
  // In production the operator chooses the Node version, not a download.
  if (pin === undefined || process.env.NODE_ENV === 'production') throw new StopError(`${needed}. ${wayOut}`);
  say(
    `This is Node ${process.versions.node}; bringing Node ${pin.version} into .cache, and going on with it.`,
  );
  mkdirSync(path.join(cacheFolder, 'node24', 'bin'), {recursive: true});
  const folder = mkdtempSync(path.join(cacheFolder, 'node24-'));
  try {
    const failure = downloadPackage(pin, folder);
    if (failure !== undefined) throw new StopError(`${needed}, and ${pin.version} ${failure}. ${wayOut}`);
    // Two processes may do this at once, because each moves a complete program into place.
    renameSync(locateProgram(pin, folder), path.join(cacheFolder, 'node24', 'bin', 'node'));
  } finally {
    rmSync(folder, {recursive: true, force: true});
  }
});

/** Downloads the package. Returns an error message, or undefined on success. */
function downloadPackage({name, version, integrity}, folder) {
  const flags = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
  const npm = spawnSync('npm', ['install', '--prefix', folder, ...flags, `${name}@${version}`], {
    cwd: folder,
    encoding: 'utf8',
  });
  if (npm.status !== 0) {
    const [, code = npm.error?.code ?? `exit code ${npm.status}`] =
      /^npm \S+ code (\S+)/m.exec(npm.stderr ?? '') ?? [];
    return `could not be had from the package registry (${code})`;
  }
  const lock = JSON.parse(readFileSync(path.join(folder, 'node_modules', '.package-lock.json'), 'utf8'));
  if (lock.packages[`node_modules/${name}`]?.integrity !== integrity) {
    return `of the package registry is not the one that scripts/node-pins.json names`;
  }
  const program = locateProgram({name}, folder);
  const runs = existsSync(program) && spawnSync(program, ['--version']).status === 0;
  return runs ? undefined : 'does not run on this system';
}

function locateProgram({name}, folder) {
  return path.join(folder, 'node_modules', name, 'bin', 'node');
}
