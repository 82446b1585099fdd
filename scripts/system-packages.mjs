import {StopError, say} from './console.mjs';
import {findInPath} from './paths.mjs';
import {runCommand} from './run-command.mjs';

/**
 * Installs a program with the first of `managers` that this system has: at once as root, with a message, or
 * with a terminal after asking. Throws a StopError that names the command to run when neither is possible.
 * Never asks when CI is set. `missing`: the problem, as a sentence without its period; `otherwise`: the
 * advice when no manager is known; `note`: what the installation leaves unchanged.
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
    // A failed update of the lists may not matter: the package may be in the old ones.
    if (code !== 0 && !args.includes('update')) {
      throw new StopError(`The installation of ${program} failed. The command was:\n  ${shown}`);
    }
  }
}

/** Commands of apt-get for packages of Debian and its derivatives: without recommended packages. */
export function aptCommands(...packages) {
  const apt = ['apt-get', '-o', 'DPkg::Lock::Timeout=120'];
  return [
    [...apt, 'update'],
    [...apt, 'install', '-y', '--no-install-recommends', ...packages],
  ];
}

async function isAgreed(question, env) {
  if (env.CI || !process.stdin.isTTY || !process.stderr.isTTY) return false;
  // Not a static import: older versions of Node lack the module and would fail before the message about their
  // age.
  const {createInterface} = await import('node:readline/promises');
  const terminal = createInterface({input: process.stdin, output: process.stderr});
  try {
    return /^y(es)?$/i.test((await terminal.question(question)).trim());
  } finally {
    terminal.close();
  }
}
