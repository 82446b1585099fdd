import {ErrorReply} from '@redis/client';
import type {MustConfirm} from './commit-channel.js';
import {callWhenFullScript, readTimeScript} from './compiled/lua.js';
import {createCallDeadlines, createUnavailableError} from './deadlines.js';
import {createScriptGuard} from './guarded-scripts.js';
import {type AnyKey, globalKeys} from './keys.js';
import {askServer} from './redis-client.js';
import {createRedisClock, type RedisClock} from './redis-clock.js';
import {createRenewalWithBackoff} from './renewal.js';
import type {Script} from './script.js';
import {explainStoreError, isBrokenScript, isStoreUnavailableError} from './start-causes.js';
import {openWire, type WireNode} from './wires.js';
import {AppError} from '../../domain/core/errors.js';
import {
  formatServerUrl,
  readRedisAddress,
  type RedisAddress,
  showHost,
} from '../../domain/core/redis-address.js';

export type RedisReply = string | number | null | RedisReply[];

/**
 * Runs a command that also works on a full store. It must use one key and need almost no memory. Scripts with
 * `flags=allow-oom` work on a full store too; test/rules/full-store.test.ts lists those that do not.
 */
export function callWhenFull<T extends RedisReply = RedisReply>(
  {run}: Pick<RedisConnection, 'run'>,
  deadline: number,
  [command, key, ...args]: RedisCommand,
): Promise<T> {
  return run<T>(deadline, callWhenFullScript, [key], [command, ...args]);
}

/** A command with its first key, by which a cluster finds the node. Those without a key are for `nodes`. */
export type RedisCommand = readonly [command: string, key: string, ...args: string[]];

/** Reads some values, all on one node. */
export async function readValues(
  {call}: Pick<RedisCommands, 'call'>,
  keys: readonly AnyKey[],
  deadline: number,
): Promise<(string | null)[]> {
  const [first, ...others] = keys;
  return first === undefined ? [] : call(deadline, ['MGET', first, ...others]);
}

/** Sends commands and scripts, each with a time limit (monotonic ms). Each failure is an `AppError` or a bug. */
export interface RedisCommands {
  call: <T extends RedisReply = RedisReply>(deadline: number, command: RedisCommand) => Promise<T>;
  /**
   * Runs a script on the node that has its first key. All keys must be on that node. With `mustConfirm` the
   * script is a commit: see `ConnectionOptions.confirmReplicas`. It must write before it gives such an answer.
   */
  run: <T extends RedisReply = RedisReply>(
    deadline: number,
    script: Script,
    keys: readonly string[],
    args: readonly string[],
    mustConfirm?: MustConfirm,
  ) => Promise<T>;
}

/** One server of the store, for commands without a key. */
export interface RedisNode {
  /** Host and port. */
  readonly name: string;
  readonly isMaster: boolean;
  readonly call: <T extends RedisReply = RedisReply>(deadline: number, args: readonly string[]) => Promise<T>;
}

/** The connection to Redis. */
export interface RedisConnection extends RedisCommands {
  readonly kind: RedisAddress['kind'];
  /** The number of replicas that must confirm a commit; 0 for none. */
  readonly confirmReplicas: number;
  /**
   * Lists the masters, the servers that must answer (`checked`), or all. `checked`: behind Sentinels and in a
   * cluster also replicas. Those of a plain address may be out of reach from here, since nothing else asks them.
   */
  readonly nodes: (which: 'masters' | 'checked' | 'all', deadline: number) => Promise<readonly RedisNode[]>;
  /** Records an error that a script has caught itself. An empty text means no error. */
  noteRefusal: (message: string) => void;
  /** The clock of the node that has the keys of no workspace. */
  readonly clock: RedisClock;
  /** Returns the host and port of the master that has a key. */
  readonly ownerOf: (key: string) => string;
  /** The clock of the node that has a key. Leases and deadlines of a workspace are read on its own. */
  readonly clockOf: (key: string) => RedisClock;
  close: () => Promise<void>;
}

export interface ConnectionOptions {
  readonly url: string;
  readonly tlsVerify: boolean;
  readonly sentinelPassword?: string | undefined;
  /** The number of replicas that must confirm a commit before it is answered. Default: 0. */
  readonly confirmReplicas?: number | undefined;
  readonly onError: (error: Error) => void;
  /** Hears of a script that has stopped half-way: part of its writes were made. */
  readonly onBrokenScript?: ((script: {readonly key: string; readonly sha: string}) => void) | undefined;
}

/** The pause (ms) between two questions who is a master. One that is frozen, or cut off, does not say so. */
const askEveryMs = 2_000;
/** The time (ms) for one of several servers to answer. */
export const nodeMs = 1_000;

/** Connects, and reads the time of Redis once. Errors: an `Error` with one sentence for the operator. */
export async function openConnection(given: ConnectionOptions): Promise<RedisConnection> {
  const address = readRedisAddress(given.url);
  if ('problem' in address) throw new Error(`REDIS_URL ${address.problem}.`);
  const bySentinels = address.kind === 'sentinel';
  let isOpen = false;
  const confirmReplicas = given.confirmReplicas ?? 0;
  const options = {
    ...given,
    address,
    confirmReplicas,
    connectWithin: 2_000,
    onError(error: Error) {
      given.onError(error);
      if (isOpen && bySentinels) renew();
    },
  };
  const guard = address.kind === 'cluster' ? createScriptGuard() : undefined;
  const deadlines = createCallDeadlines();
  const clocks = new Map<string, RedisClock>();
  const clock = createRedisClock({monotonic: () => performance.now(), wall: Date.now});
  const renew = createRenewalWithBackoff(async () => {
    const next = await openWire(options);
    const previous = wire;
    wire = next;
    await previous.close();
  });
  let wire = await openWire({...options, connectWithin: 5_000});
  isOpen = true;
  const timer = setInterval(() => void renewIfStale(), askEveryMs).unref();

  async function renewIfStale(): Promise<void> {
    if (await wire.isStale()) renew();
  }

  /** Converts a failure into an `AppError`. */
  async function throwAppError(error: unknown): Promise<never> {
    if (error instanceof ErrorReply) connection.noteRefusal(error.message);
    else if (bySentinels) renew();
    throw convertToAppError(error);
  }

  function createNode({name, send}: WireNode, isMaster: boolean): RedisNode {
    return {
      name,
      isMaster,
      call: (deadline, args) => deadlines.race(send(args), deadline, throwAppError) as never,
    };
  }

  /** Lists the replicas of a master, by the addresses under which it knows them. */
  async function listReplicas(master: RedisNode, deadline: number): Promise<RedisNode[]> {
    const until = Math.min(deadline, performance.now() + nodeMs);
    const info = await master.call<string>(until, ['INFO', 'replication']).catch(() => '');
    return [...info.matchAll(/^slave\d+:ip=([^,]+),port=(\d+)/gm)].map(([, host = '', port]) => {
      const replica = {host, port: Number(port)};
      const server = {...given, url: formatServerUrl({...options.address, database: 0}, replica)};
      return createNode({name: showHost(replica), send: (args) => askServer(server, args, nodeMs)}, false);
    });
  }

  const connection: RedisConnection = {
    kind: address.kind,
    confirmReplicas,
    call: (deadline, command) =>
      deadlines.race(wire.send(command[1], command, deadline), deadline, throwAppError) as never,
    run(deadline, script, givenKeys, args, mustConfirm) {
      const [{sha, source}, keys] = guard?.(script, givenKeys) ?? [script, givenKeys];
      const [key = ''] = keys;
      const rest = [String(keys.length), ...keys, ...args];
      const work = wire.send(key, ['EVALSHA', sha, ...rest], deadline, mustConfirm);
      return deadlines.race(work, deadline, async (error) => {
        if (isBrokenScript(error)) given.onBrokenScript?.({key, sha});
        const forgotten = error instanceof ErrorReply && error.message.startsWith('NOSCRIPT');
        if (!forgotten) return throwAppError(error);
        // Nothing was done. The wire of the first try may be closed by now, after another took its place.
        return wire.send(key, ['EVAL', source, ...rest], deadline, mustConfirm).catch(throwAppError);
      }) as never;
    },
    async nodes(which, deadline) {
      const masters = wire.masters().map((node) => createNode(node, true));
      if (which === 'masters' || (which === 'checked' && address.kind === 'single')) return masters;
      const replicas = await Promise.all(masters.map((master) => listReplicas(master, deadline)));
      return [...masters, ...replicas.flat()];
    },
    noteRefusal: (message) => {
      if (isReplicaError(message)) renew();
    },
    clock,
    ownerOf: (key) => wire.ownerOf(key),
    clockOf(key) {
      if (address.kind !== 'cluster') return clock;
      const owner = wire.ownerOf(key);
      if (owner === wire.ownerOf(globalKeys.generation())) return clock;
      const known = clocks.get(owner);
      if (known !== undefined) return known;
      const created = createRedisClock({monotonic: () => performance.now(), wall: Date.now});
      created.observe(clock.now());
      clocks.set(owner, created);
      return created;
    },
    async close() {
      clearInterval(timer);
      await renew.close();
      deadlines.close();
      await wire.close();
    },
  };
  try {
    const key = globalKeys.generation();
    const deadline = performance.now() + 2_000;
    const time = deadlines.race(wire.send(key, ['TIME'], deadline), deadline, throwAppError);
    clock.observe(parseTime((await time) as [string, string]));
  } catch (error) {
    const owner = wire.ownerOf(globalKeys.generation());
    await connection.close();
    if (address.kind !== 'cluster' || !(error instanceof AppError)) throw error;
    throw explainStoreError(error) === undefined ? new Error(`AWAY ${owner}`, {cause: error}) : error;
  }
  return connection;
}

/** Reads the time (ms) of the node that has a key. */
export async function readTimeAt(
  {run}: Pick<RedisCommands, 'run'>,
  key: string,
  deadline: number,
): Promise<number> {
  return parseTime(await run<[string, string]>(deadline, readTimeScript, [key], []));
}

/** Converts an answer to TIME into ms. */
export function parseTime([seconds, micros]: readonly [string, string]): number {
  return Number(seconds) * 1_000 + Math.floor(Number(micros) / 1_000);
}

/** True if the server became a replica. Only a new connection finds the server that took its address. */
function isReplicaError(message: string): boolean {
  return /^(READONLY|MASTERDOWN|UNBLOCKED)|WAIT cannot be used with replica/.test(message);
}

function convertToAppError(error: unknown): unknown {
  if (error instanceof AppError) return error;
  if (!(error instanceof ErrorReply)) return createUnavailableError('The store cannot be reached.', error);
  if (error.message.startsWith('OOM')) {
    return new AppError('storage_full', 'The store is full; reading and deleting still work.', {
      cause: error,
    });
  }
  if (isStoreUnavailableError(error))
    return createUnavailableError('The store cannot serve at the moment.', error);
  return error;
}
