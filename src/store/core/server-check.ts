import type {Durability} from '../../domain/core/durability.js';
import type {RedisCommands, RedisConnection} from './connection.js';
import {StartupError} from './installation.js';

export interface ServerFacts {
  readonly version: string;
  readonly durability: Durability;
  /** The memory limit of the server in bytes; 0 if it has none. */
  readonly maxMemory: number;
}

/**
 * Checks the server's settings, as far as it may read them (hosted servers forbid CONFIG). Errors:
 * `StartupError` for a server that evicts keys or is too old, since both lose data, and for a cluster node,
 * which refuses keys of other nodes.
 */
export async function checkServer({call}: RedisCommands, deadline: number): Promise<ServerFacts> {
  const info = await call<string>(deadline, ['INFO']);
  const version = readInfoField(info, 'redis_version') ?? '0';
  if (Number.parseInt(version, 10) < 7) {
    throw new StartupError(`Redis ${version} is too old: version 7.0 or newer is needed.`);
  }
  // Scripts need 64-bit integers, because list positions have up to 53 bits.
  if (readInfoField(info, 'arch_bits') === '32') {
    throw new StartupError('Redis runs as a program of 32 bits: one of 64 is needed.');
  }
  if (readInfoField(info, 'cluster_enabled') === '1') {
    throw new StartupError('Redis is a node of a cluster: set REDIS_URL to a single Redis.');
  }
  const policy =
    readInfoField(info, 'maxmemory_policy') ?? (await readServerSetting(call, 'maxmemory-policy', deadline));
  if (policy !== undefined && policy !== 'noeviction') {
    throw new StartupError(
      `Redis would delete data when memory is short (maxmemory-policy is "${policy}"): set it to "noeviction".`,
    );
  }
  const maxMemory = Number(readInfoField(info, 'maxmemory') ?? 0);
  return {version, durability: await findDurability(call, info, deadline), maxMemory};
}

async function findDurability(
  call: RedisConnection['call'],
  info: string,
  deadline: number,
): Promise<Durability> {
  const enabled = readInfoField(info, 'aof_enabled');
  if (enabled === '0') return 'none';
  const fsync = await readServerSetting(call, 'appendfsync', deadline);
  if (fsync === 'always' || fsync === 'everysec') return fsync;
  return fsync === 'no' ? 'none' : 'unknown';
}

function readInfoField(info: string, name: string): string | undefined {
  return new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1];
}

async function readServerSetting(
  call: RedisConnection['call'],
  name: string,
  deadline: number,
): Promise<string | undefined> {
  try {
    return (await call<string[]>(deadline, ['CONFIG', 'GET', name]))[1];
  } catch {
    return undefined;
  }
}
