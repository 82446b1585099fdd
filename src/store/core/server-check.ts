import type {Durability} from '../../domain/core/durability.js';
import {nodeMs, type RedisConnection, type RedisNode} from './connection.js';
import {StartupError} from './installation.js';

/** The settings of the servers: of several, the oldest version, the weakest durability, the least memory. */
export interface ServerFacts {
  readonly version: string;
  readonly durability: Durability;
  /** The memory limit of a server in bytes; 0 if none has one. */
  readonly maxMemory: number;
  readonly masters: number;
  readonly replicas: number;
  /** The number of replicas of the master that has the fewest, as the masters say. */
  readonly fewestReplicas: number;
}

const fromWeakest: readonly Durability[] = ['none', 'unknown', 'everysec', 'always'];

/**
 * Checks the settings of every server, as far as it may read them (hosted servers forbid CONFIG). A server of
 * several that is away does not count. Errors: `StartupError` for a server that evicts keys or is too old,
 * since both lose data, and for a cluster node at a plain address, which refuses keys of other nodes.
 */
export async function checkServer(
  {kind, nodes}: Pick<RedisConnection, 'kind' | 'nodes'>,
  deadline: number,
): Promise<ServerFacts> {
  const all = await nodes('checked', deadline);
  const until = all.length > 1 ? Math.min(deadline, performance.now() + nodeMs) : deadline;
  const asked = await Promise.allSettled(all.map((node) => checkNode(node, kind, until)));
  const found = asked.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const refused = asked.flatMap((one): unknown[] => (one.status === 'rejected' ? [one.reason] : []));
  const broken = refused.find((error) => error instanceof StartupError);
  if (broken !== undefined) throw broken;
  const isAnyMaster = asked.some((one, i) => one.status === 'fulfilled' && all[i]?.isMaster);
  const [first] = found;
  if (first === undefined || !isAnyMaster) throw refused[0];
  const limits = found.map(({maxMemory}) => maxMemory).filter((limit) => limit > 0);
  return {
    version: found.map(({version}) => version).reduce((a, b) => (isOlder(b, a) ? b : a)),
    durability: fromWeakest.find((one) => found.some((node) => node.durability === one)) ?? 'unknown',
    maxMemory: limits.length === 0 ? 0 : Math.min(...limits),
    masters: all.filter(({isMaster}) => isMaster).length,
    replicas: all.filter(({isMaster}) => !isMaster).length,
    fewestReplicas: Math.min(
      ...asked.flatMap((one, i) =>
        one.status === 'fulfilled' && all[i]?.isMaster ? [one.value.replicas] : [],
      ),
    ),
  };
}

async function checkNode(
  {name, call}: RedisNode,
  kind: RedisConnection['kind'],
  deadline: number,
): Promise<Pick<ServerFacts, 'version' | 'durability' | 'maxMemory' | 'replicas'>> {
  const info = await call<string>(deadline, ['INFO']);
  const where = `Redis at ${name}`;
  const version = requireVersion(info, where);
  // Scripts need 64-bit integers, because list positions have up to 53 bits.
  if (readInfoField(info, 'arch_bits') === '32') {
    throw new StartupError(`${where} runs as a program of 32 bits: one of 64 is needed.`);
  }
  if (kind !== 'cluster' && readInfoField(info, 'cluster_enabled') === '1') {
    throw new StartupError(
      `${where} is a node of a cluster: write redis+cluster:// in place of redis:// in REDIS_URL.`,
    );
  }
  const policy =
    readInfoField(info, 'maxmemory_policy') ?? (await readServerSetting(call, 'maxmemory-policy', deadline));
  if (policy !== undefined && policy !== 'noeviction') {
    throw new StartupError(
      `${where} would delete data when memory is short (maxmemory-policy is "${policy}"): set it to "noeviction".`,
    );
  }
  const maxMemory = Number(readInfoField(info, 'maxmemory') ?? 0);
  const replicas = countOnlineReplicas(info);
  return {version, durability: await findDurability(call, info, deadline), maxMemory, replicas};
}

/** Returns the version of a server. Errors: `StartupError` for one that is too old. */
export function requireVersion(info: string, where: string): string {
  const version = readVersion(info);
  // Valkey names the version of Redis that it is compatible with there.
  if (Number.parseInt(readInfoField(info, 'redis_version') ?? '0', 10) >= 7) return version;
  throw new StartupError(`${where} has version ${version}: 7.0 or newer is needed.`);
}

/** Finds how durable a server is, by its settings. */
export async function findDurability(
  call: RedisNode['call'],
  info: string,
  deadline: number,
): Promise<Durability> {
  const enabled = readInfoField(info, 'aof_enabled');
  if (enabled === '0') return 'none';
  const fsync = await readServerSetting(call, 'appendfsync', deadline);
  if (fsync === 'always' || fsync === 'everysec') return fsync;
  return fsync === 'no' ? 'none' : 'unknown';
}

/** Counts the replicas of a server that have had its first copy, and so can confirm a change. */
export function countOnlineReplicas(info: string): number {
  return info.match(/^slave\d+:.*state=online/gm)?.length ?? 0;
}

function isOlder(a: string, b: string): boolean {
  return a.localeCompare(b, 'en', {numeric: true}) < 0;
}

/** Reads the version of a server. Valkey also gives a version of Redis, which it is compatible with. */
export function readVersion(info: string): string {
  const valkey = readInfoField(info, 'valkey_version');
  return valkey === undefined ? (readInfoField(info, 'redis_version') ?? '0') : `Valkey ${valkey}`;
}

export function readInfoField(info: string, name: string): string | undefined {
  return new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1];
}

/** Reads a setting of a server; undefined if it hides its settings. */
export async function readServerSetting(
  call: RedisNode['call'],
  name: string,
  deadline: number,
): Promise<string | undefined> {
  try {
    return (await call<string[]>(deadline, ['CONFIG', 'GET', name]))[1];
  } catch {
    return undefined;
  }
}
