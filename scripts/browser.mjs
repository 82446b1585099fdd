import {spawnSync} from 'node:child_process';
import path from 'node:path';
import {StopError, say} from './console.mjs';
import {findInPath} from './paths.mjs';
import {installProgram, listAptCommands} from './system-packages.mjs';

/** The program names of Chromium and related browsers. `chromium-headless-shell` starts fastest. */
const names = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
];

/** The paths of browsers on macOS, where these programs are not in PATH. */
const applications = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

const managers = [
  {name: 'apt-get', needsRoot: true, commands: listAptCommands('chromium-headless-shell')},
  {name: 'apk', needsRoot: true, commands: [['apk', 'add', '--no-cache', 'chromium']]},
  {name: 'dnf', needsRoot: true, commands: [['dnf', 'install', '-y', 'chromium']]},
  {name: 'brew', needsRoot: false, commands: [['brew', 'install', '--cask', 'chromium']]},
];

/**
 * Returns the path of a Chromium for the tests of pages: CHROMIUM_BIN, else one in PATH, else one that is
 * installed now. Throws a StopError with the command to run when none is available.
 */
export async function ensureBrowser(env = process.env) {
  const found = findBrowser(env);
  if (found !== undefined) return found;
  await installProgram(
    {
      program: 'Chromium',
      missing: 'No Chromium was found, which the tests of pages need',
      otherwise: 'Install Chromium or Chrome and run this again, or set CHROMIUM_BIN.',
      managers,
    },
    env,
  );
  const installed = findBrowser(env);
  if (installed === undefined) {
    throw new StopError('Chromium was installed and is not in PATH: name it in CHROMIUM_BIN.');
  }
  say(`Chromium: ${installed}`);
  return installed;
}

/**
 * Searches for a browser without installing one. It is an error if the program in CHROMIUM_BIN does not run.
 */
export function findBrowser(env = process.env) {
  if (env.CHROMIUM_BIN) {
    const bin = env.CHROMIUM_BIN.includes('/')
      ? path.resolve(env.CHROMIUM_BIN)
      : findInPath(env.CHROMIUM_BIN, env);
    if (bin !== undefined && isRunnable(bin)) return bin;
    throw new StopError(`CHROMIUM_BIN is "${env.CHROMIUM_BIN}", which is not a Chromium that runs here.`);
  }
  const inPath = names.map((name) => findInPath(name, env)).filter((bin) => bin !== undefined);
  return [...inPath, ...applications].find(isRunnable);
}

function isRunnable(bin) {
  const {stdout, status} = spawnSync(bin, ['--version'], {encoding: 'utf8', timeout: 20_000});
  return status === 0 && /chrom/i.test(stdout ?? '');
}
