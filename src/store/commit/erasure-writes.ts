import type {ErasureWrite} from '../../domain/commit/writes.js';
import {suffixOf} from '../../domain/core/ids.js';
import {lifetimes, limits} from '../../domain/core/limits.js';
import {lists} from '../../domain/core/lists.js';
import {createWriteOnlyStep, type StepsOf} from './step.js';

export const erasureSteps: StepsOf<ErasureWrite> = {
  /** Creates the record that shows the progress of an erasure. Its position in the list is unique. */
  'start-erasure': ({suffix, member, revoked}, {keys}) =>
    createWriteOnlyStep(
      'start-erasure',
      [keys.erasure(suffix), keys.list(lists.erasures())],
      [suffix, suffixOf(member), String(revoked)],
      (key, arg) => `
do
  local newest = redis.call('ZRANGE', ${key(1)}, -1, -1, 'WITHSCORES')[2]
  redis.call('HSET', ${key(0)}, 'at', now, 'state', 'queued', 'member', ${arg(1)}, 'access_tokens', ${arg(2)})
  redis.call('EXPIRE', ${key(0)}, ${lifetimes.erasure})
  redis.call('ZADD', ${key(1)}, math.max(now, tonumber(newest or '0') + 1), ${arg(0)})
  redis.call('ZREMRANGEBYSCORE', ${key(1)}, '-inf', now - ${lifetimes.erasure * 1_000})
  redis.call('ZREMRANGEBYRANK', ${key(1)}, 0, ${-1 - limits.erasures})
  redis.call('EXPIRE', ${key(1)}, ${lifetimes.erasure})
end`,
    ),
  /**
   * Adds what the same commit deletes to the counts of an erasure. A finished erasure stays finished, even if
   * its job runs again.
   */
  'note-erasure': ({erasure, state, erased}, {keys}) => {
    const counts = Object.entries(erased);
    return createWriteOnlyStep(
      `note-erasure:${state}:${counts.length}`,
      [keys.erasure(erasure)],
      [state, ...counts.flatMap(([kind, count]) => [kind, String(count)])],
      (key, arg) => `
if (redis.call('HGET', ${key(0)}, 'state') or 'done') ~= 'done' then
  redis.call('HSET', ${key(0)}, 'state', ${arg(0)})
  ${counts.map((_, i) => `redis.call('HINCRBY', ${key(0)}, ${arg(1 + 2 * i)}, ${arg(2 + 2 * i)})`).join('\n  ')}
  ${state === 'done' ? `redis.call('HSET', ${key(0)}, 'ended', now)\n  redis.call('HDEL', ${key(0)}, 'member')` : ''}
  redis.call('EXPIRE', ${key(0)}, ${lifetimes.erasure})
end`,
    );
  },
};
