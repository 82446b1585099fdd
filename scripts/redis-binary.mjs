import {spawnSync} from 'node:child_process';
import {mkdirSync, readlinkSync, renameSync, symlinkSync} from 'node:fs';
import path from 'node:path';
import {StopError, say} from './console.mjs';
import {cacheFolder, findInPath} from './paths.mjs';
import {installRedis} from './redis-install.mjs';

const oldestVersion = [7, 0];

/**
 * Returns the path of a redis-server (or valkey-server), version 7.0 or later: REDIS_SERVER_BIN, else one in
 * PATH, else one that is installed now. Throws a StopError with the command to run when none is available.
 */
export async function ensureRedisServer(env = process.env) {
  const found = findRedisServer(env);
  if (found.bin !== undefined) return found.bin;
  await installRedis(found.tooOld, env);
  const installed = findRedisServer(env);
  if (installed.bin !== undefined) {
    say(`Redis server: ${installed.bin}`);
    return installed.bin;
  }
  const seen = installed.tooOld === undefined ? 'none was found' : `only ${installed.tooOld} was found`;
  throw new StopError(
    `A Redis server of version 7.0 or newer is needed and ${seen} after the installation. ` +
      'Install one and name it in REDIS_SERVER_BIN, or set REDIS_URL to a running one.',
  );
}

/**
 * Searches for a Redis server without installing one. Returns the usable one as `bin`, else an older one as
 * `tooOld`.
 */
export function findRedisServer(env = process.env) {
  if (env.REDIS_SERVER_BIN) return findNamedServer(env.REDIS_SERVER_BIN, env);
  let tooOld;
  for (const name of ['redis-server', 'valkey-server']) {
    const bin = findInPath(name, env);
    const version = bin && readServerVersion(bin);
    if (!version) continue;
    if (isNewEnough(version)) return {bin};
    tooOld = `${bin} ${version.join('.')}`;
  }
  const bin = linkServerOfRedisTools(env);
  return bin === undefined ? {tooOld} : {bin};
}

function findNamedServer(name, env) {
  const bin = name.includes('/') ? path.resolve(name) : findInPath(name, env);
  const version = bin && readServerVersion(bin);
  if (!version)
    throw new StopError(`REDIS_SERVER_BIN is "${name}", which is not a Redis server that runs here.`);
  if (isNewEnough(version)) return {bin};
  throw new StopError(`REDIS_SERVER_BIN is Redis ${version.join('.')}; version 7.0 or newer is needed.`);
}

/**
 * Creates a link named `redis-server` to a program of Debian's package `redis-tools`. The program acts as a
 * server when it is started by that name. Debian's own package `redis-server` would also start a service on
 * port 6379.
 */
function linkServerOfRedisTools(env) {
  const program = findInPath('redis-check-rdb', env);
  if (program === undefined) return undefined;
  const link = path.join(cacheFolder, 'bin', 'redis-server');
  if (readLink(link) !== program) {
    mkdirSync(path.dirname(link), {recursive: true});
    // Several processes may create the link at once. A rename replaces an existing link, while `symlink()`
    // would fail.
    const fresh = `${link}.${process.pid}`;
    symlinkSync(program, fresh);
    renameSync(fresh, link);
  }
  const version = readServerVersion(link);
  return version && isNewEnough(version) ? link : undefined;
}

function readLink(link) {
  try {
    return readlinkSync(link);
  } catch {
    return undefined;
  }
}

function readServerVersion(bin) {
  const {stdout} = spawnSync(bin, ['--version'], {encoding: 'utf8', timeout: 10_000});
  const match = /(?:Redis|Valkey|Server) .*?v=(\d+)\.(\d+)\.(\d+)/i.exec(stdout ?? '');
  return match ? match.slice(1, 4).map(Number) : undefined;
}

function isNewEnough([major, minor]) {
  return major > oldestVersion[0] || (major === oldestVersion[0] && minor >= oldestVersion[1]);
}
