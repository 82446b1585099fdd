import {findDeniedCommandScript} from './compiled/lua.js';
import {StartupError} from './installation.js';
import {openClient, within} from './redis-client.js';
import {readInfoField, requireVersion} from './server-check.js';
import {explainOpeningError, type NamedServer, nameServers, needsOperatorAction} from './start-causes.js';

/** The commands that BullMQ runs, in its scripts and alone. The user of the queue needs INFO besides. */
export const queueCommands = [
  'bzpopmin',
  'client|setname',
  'del',
  'exists',
  'get',
  'hdel',
  'hexists',
  'hget',
  'hgetall',
  'hincrby',
  'hmget',
  'hmset',
  'hset',
  'incr',
  'lindex',
  'llen',
  'lpos',
  'lpush',
  'lrange',
  'lrem',
  'ltrim',
  'persist',
  'pexpire',
  'pttl',
  'rpop',
  'rpoplpush',
  'sadd',
  'scard',
  'set',
  'smembers',
  'srem',
  'xadd',
  'xtrim',
  'zadd',
  'zcard',
  'zcount',
  'zpopmin',
  'zrange',
  'zrangebyscore',
  'zrem',
  'zremrangebyrank',
  'zremrangebyscore',
  'zrevrange',
  'zrevrangebyscore',
  'zscore',
] as const;

const checkedKey = '{standup-queue}:check';
const connectMs = 2_000;
const answerMs = 1_000;

/**
 * Checks the Redis of the queue before BullMQ uses it, which repeats a denied command without a pause.
 * Returns a sentence about a server that cannot serve now, since the service works without its queue. Errors:
 * `StartupError` for what the operator must change.
 */
export async function checkQueue(options: {
  readonly url: string;
  readonly tlsVerify: boolean;
  /** The setting that has the address. */
  readonly setting: string;
}): Promise<string | undefined> {
  const {url, setting} = options;
  const server = {where: nameServers(url), setting};
  try {
    const client = await openClient({...options, onError: () => undefined}, connectMs);
    try {
      return await checkServerOfQueue((args) => within(client.sendCommand(args), answerMs), server);
    } finally {
      // After its answer the server has closed the connection; ours may be open a moment longer.
      await within(client.sendCommand(['QUIT']), answerMs).catch(() => undefined);
      client.destroy();
    }
  } catch (error) {
    if (error instanceof StartupError) throw error;
    const sentence = explainOpeningError(error, url, setting);
    if (needsOperatorAction(error)) throw new StartupError(sentence, {cause: error});
    return sentence;
  }
}

async function checkServerOfQueue(
  send: (args: readonly string[]) => Promise<unknown>,
  {where, setting}: NamedServer,
): Promise<string | undefined> {
  const info = String(await send(['INFO']));
  const mode = readInfoField(info, 'redis_mode');
  if (mode === 'cluster' || mode === 'sentinel') {
    const what = mode === 'cluster' ? 'a node of a cluster' : 'a Sentinel';
    throw new StartupError(
      `${where} is ${what}, and the queue needs one plain Redis: set QUEUE_REDIS_URL to one.`,
    );
  }
  requireVersion(info, where);
  const {source, sha} = findDeniedCommandScript;
  await send(['SCRIPT', 'LOAD', source]);
  const denied = String(await send(['EVALSHA', sha, '1', checkedKey, ...queueCommands]));
  if (denied !== '') {
    throw new StartupError(
      `${where} does not let the user in ${setting} run ${denied.replace('|', ' ').toUpperCase()} on {standup-queue}:*: give it the rules of the queue in ops/redis/users.acl.`,
    );
  }
  const policy = readInfoField(info, 'maxmemory_policy') ?? 'noeviction';
  if (policy === 'noeviction') return undefined;
  return `${where} would delete jobs when memory is short (maxmemory-policy is "${policy}"): set it to "noeviction".`;
}
