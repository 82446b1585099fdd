import {type RedisConnection, script} from '../core/connection.js';
import {workspaceKeys} from '../core/keys.js';
import {endOfLimit} from './slack-scripts.js';
import type {Id} from '../../domain/core/ids.js';

/**
 * Limits the rate at which we call methods that Slack accepts about 50 times a minute for a workspace:
 * https://docs.slack.dev/apis/web-api/rate-limits (Tier 3).
 */
export interface SlackPace {
  /**
   * Asks whether a method may be called. Returns 0 when it may be called now, or the time (ms) after which to
   * ask again. `behind` names an item with low priority: it waits for all calls without a name, and
   * low-priority items wait in the order in which they asked. `intervalMs`: the time between two calls, after
   * the first ten.
   */
  takeSlot: (
    workspace: Id<'workspace'>,
    call: {readonly method: string; readonly behind?: string | undefined; readonly intervalMs: number},
    deadline: number,
  ) => Promise<number>;
}

const atOnce = 10;
/** The number of calls to Slack for low-priority items that may be made at once, before the steady pace. */
const behindAtOnce = 4;
/** Low-priority items may call at least once in this many intervals, whatever else is waiting. */
const leastOften = 8;
/** The time (s) after which a waiting item that has not asked again is forgotten. */
const queueSeconds = 1_800;

/**
 * Asks whether a method may be called. KEYS: the time until which Slack accepts no call, the rate of calls so
 * far, the waiting low-priority items. ARGV: the interval (ms), the low-priority item or ''.
 */
const takeScript = script(`#!lua flags=allow-oom
${endOfLimit}
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local throttle, slots, queue, name = KEYS[1], KEYS[2], KEYS[3], ARGV[2]
local interval = tonumber(ARGV[1])
local ends = endOfLimit(throttle, now) - now
local held = math.ceil(math.max(0, math.min(ends, redis.call('PTTL', throttle))))
local free = math.max(tonumber(redis.call('HGET', slots, 'free') or '') or 0, now)
-- A time that is too late was noted before the clock was set back.
if free > now + ${atOnce} * interval then free = now end
local function ahead(most) return math.max(held, free - now - (most - 1) * interval) end
if name == '' then
  local wait = ahead(${atOnce})
  if wait > held then limitUntil(throttle, now, wait) end
  if wait > 0 then return wait end
else
  redis.call('ZREMRANGEBYSCORE', queue, '-inf', now - ${queueSeconds * 1_000})
  local isNew = redis.call('ZADD', queue, 'NX', now, name) == 1
  redis.call('EXPIRE', queue, ${queueSeconds})
  local before = redis.call('ZRANK', queue, name)
  local first = tonumber(redis.call('ZRANGE', queue, 0, 0, 'WITHSCORES')[2])
  local last = math.max(first, tonumber(redis.call('HGET', slots, 'last') or '') or 0)
  if last > now then last = 0 end
  local wait = ahead(now - last >= ${leastOften} * interval and ${atOnce} or ${behindAtOnce})
  if wait > 0 or (isNew and before > 0) then return wait + before * interval end
  redis.call('ZREM', queue, name)
  redis.call('HSET', slots, 'last', now)
end
redis.call('HSET', slots, 'free', free + interval)
redis.call('PEXPIRE', slots, 60000)
return 0`);

export function createSlackRateLimits({run}: Pick<RedisConnection, 'run'>): SlackPace {
  return {
    async takeSlot(workspace, {method, behind = '', intervalMs}, deadline) {
      const keys = workspaceKeys(workspace);
      return run<number>(
        deadline,
        takeScript,
        [keys.slackThrottle(method), keys.slackSlots(method), keys.slackQueue(method)],
        [String(intervalMs), behind],
      );
    },
  };
}
