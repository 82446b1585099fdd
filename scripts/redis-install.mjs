import {StopError, say} from './console.mjs';
import {findInPath} from './paths.mjs';
import {runCommand} from './run-command.mjs';

/**
 * How each package manager brings a Redis server. On Debian the package `redis-server` would also start a service
 * on port 6379; `redis-tools` holds the same program without it (see redis-binary.mjs).
 */
const managers = [
  {
    name: 'apt-get',
    needsRoot: true,
    commands: [
      ['apt-get', '-o', 'DPkg::Lock::Timeout=120', 'update'],
      ['apt-get', '-o', 'DPkg::Lock::Timeout=120', 'install', '-y', '--no-install-recommends', 'redis-tools'],
    ],
  },
  {name: 'apk', needsRoot: true, commands: [['apk', 'add', '--no-cache', 'redis']]},
  {name: 'dnf', needsRoot: true, commands: [['dnf', 'install', '-y', 'valkey']]},
  {name: 'brew', needsRoot: false, commands: [['brew', 'install', 'redis']]},
];

/**
 * Installs a Redis server: as root at once and saying so, with a terminal after asking. Throws a StopError that
 * names the command to run when neither holds. Never asks when CI is set.
 */
export async function installRedis(tooOld, env = process.env) {
  const missing =
    tooOld === undefined ? 'No Redis server was found' : `Redis 7.0 or newer is needed (${tooOld} is older)`;
  const manager = managers.find(({name}) => findInPath(name, env) !== undefined);
  if (manager === undefined) {
    throw new StopError(
      `${missing}. Install redis-server 7.0 or newer and run this again, or set REDIS_SERVER_BIN or REDIS_URL.`,
    );
  }
  const isRoot = process.getuid?.() === 0;
  const withSudo = manager.needsRoot && !isRoot;
  const commands = manager.commands.map((command) => (withSudo ? ['sudo', ...command] : command));
  const shown = commands.map((command) => command.join(' ')).join(' && ');
  if (!(manager.needsRoot && isRoot) && !(await isAgreed(`${missing}. Run \`${shown}\` now? [y/N] `, env))) {
    throw new StopError(`${missing}. Install one with this command, then run this again:\n  ${shown}`);
  }
  say(`${missing}: installing it with ${manager.name} (no service is started, port 6379 is not used).`);
  for (const [command, ...args] of commands) {
    say(`> ${[command, ...args].join(' ')}`);
    const code = await runCommand(command, args, {
      env: {...env, DEBIAN_FRONTEND: 'noninteractive', HOMEBREW_NO_AUTO_UPDATE: '1'},
      stdin: withSudo ? 'inherit' : 'ignore',
    });
    // A failed update of the lists need not matter: the package may be in the old ones.
    if (code !== 0 && !args.includes('update')) {
      throw new StopError(`The installation of a Redis server failed. The command was:\n  ${shown}`);
    }
  }
}

async function isAgreed(question, env) {
  if (env.CI || !process.stdin.isTTY || !process.stderr.isTTY) return false;
  // Not a static import: older versions of Node lack the module and would fail before they are told their age.
  const {createInterface} = await import('node:readline/promises');
  const terminal = createInterface({input: process.stdin, output: process.stderr});
  try {
    return /^y(es)?$/i.test((await terminal.question(question)).trim());
  } finally {
    terminal.close();
  }
}
