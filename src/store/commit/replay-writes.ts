import type {ReplayWrite} from '../../domain/commit/writes.js';
import {suffixOf} from '../../domain/core/ids.js';
import {lifetimes} from '../../domain/core/limits.js';
import {lists} from '../../domain/core/lists.js';
import {workName} from '../../domain/core/work.js';
import {createWriteOnlyStep, type StepsOf, addWorkToWake} from './step.js';
import {encodePlan} from '../webhooks/replay-plan.js';

const dayMs = 24 * 3_600_000;

export const replaySteps: StepsOf<ReplayWrite> = {
  /** Starts a replay, and makes its work due. */
  'start-replay': ({suffix, plan, instead}, {keys}) => {
    const work = {kind: 'replay', replay: suffix} as const;
    const webhook = suffixOf(plan.webhook);
    const fields = encodePlan(plan);
    const step = createWriteOnlyStep(
      `start-replay:${plan.dryRun}:${instead !== undefined}`,
      [
        keys.replay(suffix),
        keys.list(lists.replaysOf(webhook)),
        keys.webhookState(webhook),
        keys.ready(),
        ...(plan.dryRun ? [] : [keys.list(lists.sendingReplaysOf(webhook))]),
        ...(instead === undefined ? [] : [keys.replayed(webhook), keys.replay(instead)]),
      ],
      [suffix, workName(work), ...fields, ...(instead === undefined ? [] : [instead])],
      (key, arg) => `
do
  local list = ${key(1)}
  local newest = redis.call('ZRANGE', list, -1, -1, 'WITHSCORES')[2]
  redis.call('HSET', ${key(0)}, 'at', now, 'state', 'running', ${fields.map((_, i) => arg(i + 2)).join(', ')})
  redis.call('EXPIRE', ${key(0)}, ${lifetimes.runningReplay})
  redis.call('ZADD', list, math.max(now, tonumber(newest or '0') + 1), ${arg(0)})
  redis.call('HSET', ${key(2)}, 'replay', ${arg(0)})
  redis.call('ZADD', ${key(3)}, now, ${arg(1)})
  ${plan.dryRun ? '' : createAddSendingReplayLua(key(4), arg(0))}
  ${instead === undefined ? '' : createRemoveOldestReplayLua(plan.dryRun ? [key(4), key(5)] : [key(5), key(6)], arg(2 + fields.length))}
end`,
    );
    return addWorkToWake(work, step);
  },
  /** Cancels a replay. No more deliveries are created for it. */
  'cancel-replay': ({webhook, replay}, {keys}) => {
    const work = {kind: 'replay', replay} as const;
    const step = createWriteOnlyStep(
      'cancel-replay',
      [keys.replay(replay), keys.webhookState(webhook), keys.ready()],
      [replay, workName(work)],
      (key, arg) => `
if redis.call('HGET', ${key(0)}, 'state') == 'running' then
  redis.call('HSET', ${key(0)}, 'state', 'cancelled', 'ended', now)
  redis.call('EXPIRE', ${key(0)}, ${lifetimes.replay})
  redis.call('ZADD', ${key(2)}, now, ${arg(1)})
end
if redis.call('HGET', ${key(1)}, 'replay') == ${arg(0)} then redis.call('HDEL', ${key(1)}, 'replay') end`,
    );
    return addWorkToWake(work, step);
  },
};

function createAddSendingReplayLua(sending: string, suffix: string): string {
  return `
  redis.call('ZREMRANGEBYSCORE', ${sending}, '-inf', now - ${dayMs})
  redis.call('ZADD', ${sending}, now, ${suffix})
  redis.call('PEXPIRE', ${sending}, ${dayMs})`;
}

/**
 * Returns the Lua that removes the oldest replay: record, list entry and counts together, so that it never
 * shows wrong counts.
 */
function createRemoveOldestReplayLua([replayed, record]: readonly [string, string], oldest: string): string {
  return `
  redis.call('DEL', ${record})
  redis.call('ZREM', list, ${oldest})
  redis.call('HDEL', ${replayed}, ${oldest} .. ':succeeded', ${oldest} .. ':failed')`;
}
