import {AppError} from '../../domain/core/errors.js';
import {findDeniedCommandScript} from './compiled/lua.js';
import {nodeMs, type RedisCommands} from './connection.js';
import {StartupError} from './installation.js';
import {explainStoreError, isClusterDown, isLoading} from './start-causes.js';

/** The commands without which some request or work fails. test/ops/redis-acl.test.ts compares them with the code. */
export const storeCommands = [
  'del',
  'exists',
  'expire',
  'get',
  'getdel',
  'getrange',
  'hdel',
  'hexists',
  'hget',
  'hgetall',
  'hincrby',
  'hkeys',
  'hmget',
  'hscan',
  'hset',
  'hsetnx',
  'hvals',
  'incr',
  'lpush',
  'lrange',
  'ltrim',
  'mget',
  'pexpire',
  'pexpireat',
  'pexpiretime',
  'pttl',
  'rpush',
  'sadd',
  'scard',
  'set',
  'smembers',
  'srem',
  'sscan',
  'time',
  'type',
  'unlink',
  'xadd',
  'xdel',
  'xrange',
  'xrevrange',
  'xtrim',
  'zadd',
  'zcard',
  'zcount',
  'zincrby',
  'zmscore',
  'zrange',
  'zrank',
  'zrem',
  'zremrangebyrank',
  'zremrangebyscore',
  'zscan',
  'zscore',
] as const;

/** The command that is needed only where replicas confirm changes. */
export const commandOfConfirmation = 'wait';

/** The keys of the store by their beginnings, as an access rule names them, each with a key that never exists. */
const keyPatterns = [
  ['{ws_*', '{ws_}:absent'],
  ['{global}:*', '{global}:absent'],
  ['{code:*', '{code:}:absent'],
] as const;

/**
 * Checks that the user of the store may run each command on each kind of key. Errors: `StartupError`. Without
 * this a service would start, and fail at the first request that needs the command. A node of a cluster that
 * is away, or loads its file, is not asked: the others must be served meanwhile.
 */
export async function requireRights(
  {run, confirmReplicas}: Pick<RedisCommands, 'run'> & {readonly confirmReplicas: number},
  where: string,
  deadline: number,
): Promise<void> {
  const commands = [...storeCommands, ...(confirmReplicas > 0 ? [commandOfConfirmation] : [])];
  const until = Math.min(deadline, performance.now() + nodeMs);
  const denied = await Promise.all(
    keyPatterns.map(([, key]) =>
      run<string>(until, findDeniedCommandScript, [key], commands).catch((error: unknown) => {
        const isAway =
          error instanceof AppError &&
          (explainStoreError(error) === undefined || isLoading(error) || isClusterDown(error));
        if (isAway) return '';
        throw error;
      }),
    ),
  );
  const at = denied.findIndex((command) => command !== '');
  if (at === -1) return;
  throw new StartupError(
    `${where} does not let the user in REDIS_URL run ${denied[at]?.toUpperCase()} on ${keyPatterns[at]?.[0]}: give it the rules of ops/redis/users.acl.`,
  );
}
