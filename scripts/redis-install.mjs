import {installProgram, listAptCommands} from './system-packages.mjs';

/**
 * The Redis package for each package manager. Debian's package `redis-server` would also start a service on
 * port 6379. Its package `redis-tools` has the same program without the service (see redis-binary.mjs).
 */
const managers = [
  {name: 'apt-get', needsRoot: true, commands: listAptCommands('redis-tools')},
  {name: 'apk', needsRoot: true, commands: [['apk', 'add', '--no-cache', 'redis']]},
  {name: 'dnf', needsRoot: true, commands: [['dnf', 'install', '-y', 'valkey']]},
  {name: 'brew', needsRoot: false, commands: [['brew', 'install', 'redis']]},
];

/** Installs a Redis server. Throws a StopError with the command to run if this script may not install it. */
export function installRedis(tooOld, env = process.env) {
  const missing =
    tooOld === undefined ? 'No Redis server was found' : `Redis 7.0 or newer is needed (${tooOld} is older)`;
  const otherwise =
    'Install redis-server 7.0 or newer and run this again, or set REDIS_SERVER_BIN or REDIS_URL.';
  const note = 'no service is started, port 6379 is not used';
  return installProgram({program: 'a Redis server', missing, otherwise, note, managers}, env);
}
