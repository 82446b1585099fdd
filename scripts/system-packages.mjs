import {StopError, say} from './console.mjs';
import {findInPath} from './paths.mjs';
import {runCommand} from './run-command.mjs';

/**
 * Installs a program with the first of `managers` that this system has. As root it installs at once; in a
 * terminal it asks first. Otherwise it throws a StopError with the command to run. It never asks when CI is
 * set.
 * `missing`: the problem, as a sentence without its period. `otherwise`: advice when no package manager is
 * known. `note`: what the installation leaves unchanged.
 */
export async function installProgram({program, missing, otherwise, note, managers}, env = process.env) {
  const manager = managers.find(({name}) => findInPath(name, env) !== undefined);
  if (manager === undefined) throw new StopError(`${missing}. ${otherwise}`);
  const isRoot = process.getuid?.() === 0;
  const withSudo = manager.needsRoot && !isRoot;
  const commands = manager.commands.map((command) => (withSudo ? ['sudo', ...command] : command));
  const shown = commands.map((command) => command.join(' ')).join(' && ');
  if (!(manager.needsRoot && isRoot) && !(await isAgreed(`${missing}. Run \`${shown}\` now? [y/N] `, env))) {
    throw new StopError(`${missing}. Install one with this command, then run this again:\n  ${shown}`);
  }
  say(`${missing}: installing it with ${manager.name}${note === undefined ? '' : ` (${note})`}.`);
  for (const [command, ...args] of commands) {
    say(`> ${[command, ...args].join(' ')}`);
    const code = await runCommand(command, args, {
      env: {...env, DEBIAN_FRONTEND: 'noninteractive', HOMEBREW_NO_AUTO_UPDATE: '1'},
      stdin: withSudo ? 'inherit' : 'ignore',
    });
    // The update of the package lists may fail, because the package may be in the old lists.
    if (code !== 0 && !args.includes('update')) {
      throw new StopError(`The installation of ${program} failed. The command was:\n  ${shown}`);
    }
  }
}

/**
 * Returns the apt-get commands that install packages on Debian and its derivatives, without recommended
 * packages.
 */
export function listAptCommands(...packages) {
  const apt = ['apt-get', '-o', 'DPkg::Lock::Timeout=120'];
  return [
    [...apt, 'update'],
    [...apt, 'install', '-y', '--no-install-recommends', ...packages],
  ];
}

async function isAgreed(question, env) {
  if (env.CI || !process.stdin.isTTY || !process.stderr.isTTY) return false;
  // A dynamic import, because older versions of Node lack this module. A static import would fail before the
  // message about the Node version.
  const {createInterface} = await import('node:readline/promises');
  const terminal = createInterface({input: process.stdin, output: process.stderr});
  try {
    return /^y(es)?$/i.test((await terminal.question(question)).trim());
  } finally {
    terminal.close();
  }
}
