import type {WebhookWrite} from '../../domain/commit/writes.js';
import {entryVariables, createReadTryEntryLua, createWriteTryEntryLua} from '../webhooks/try-entry.js';
import {cursorPrefix} from '../core/keys.js';
import {sequenceOfId} from '../../domain/core/ids.js';
import {deadlines, lifetimes, limits} from '../../domain/core/limits.js';
import {lists} from '../../domain/core/lists.js';
import {workName, workPrefixes} from '../../domain/core/work.js';
import {createWriteOnlyStep, type StepsOf, addWorkToWake} from './step.js';
import {enqueueFunction} from '../webhooks/delivery-lua.js';
import {blockFunctions, blockKeyOf, takeOutFunction} from '../webhooks/delivery-blocks.js';

/**
 * The time (ms) for which an event may still be sent with content that has been erased since, because a
 * process was already reading the event or had it in its cache.
 */
const repeatedFor = deadlines.job + lifetimes.renderedBody * 1_000;

/**
 * The fields about failures (claim-results.ts). They are deleted when a webhook is enabled or gets another
 * URL.
 */
const pastFailures = 'breaker opened probe every ramp ok streak recent failing failed warned slow same last'
  .split(' ')
  .map((name) => `'${name}'`)
  .join(', ');

export const webhookSteps: StepsOf<WebhookWrite> = {
  'keep-secret': ({webhook, encrypted, overlapMs}, {keys}) =>
    createWriteOnlyStep(
      'keep-secret',
      [keys.secret(webhook), ...keys.earlierSecrets(webhook)],
      [encrypted, String(overlapMs)],
      (key, arg) => `
do
  local current, overlap = redis.call('GET', ${key(0)}), tonumber(${arg(1)})
  local left = redis.call('PTTL', ${key(1)})
  if current and overlap > 0 then
    if left > 0 then redis.call('SET', ${key(2)}, redis.call('GET', ${key(1)}), 'PX', math.min(left, overlap)) end
    redis.call('SET', ${key(1)}, current, 'PX', overlap)
  else
    redis.call('DEL', ${key(1)}, ${key(2)})
  end
  redis.call('SET', ${key(0)}, ${arg(0)})
end`,
    ),
  'keep-headers': ({webhook, encrypted}, {keys}) => {
    const kept = keys.webhookHeaders(webhook);
    return encrypted === null
      ? createWriteOnlyStep('drop-headers', [kept], [], (key) => `redis.call('DEL', ${key(0)})`)
      : createWriteOnlyStep(
          'keep-headers',
          [kept],
          [encrypted],
          (key, arg) => `redis.call('SET', ${key(0)}, ${arg(0)})`,
        );
  },
  'pace-webhook': ({webhook, concurrency, ordering, throttle}, {keys}) => {
    const set = [
      ['concurrency', String(concurrency)],
      ...(ordering === 'none' ? [] : [['ordering', ordering]]),
      ...(throttle === null ? [] : [['throttle', `${throttle.max}/${throttle.per_seconds}`]]),
    ];
    const unset = ['ordering', 'throttle'].filter((name) => !set.some(([field]) => field === name));
    return createWriteOnlyStep(
      `pace:${set.map(([name]) => name).join('+')}`,
      [keys.webhookState(webhook), keys.ready()],
      [...set.map(([, value]) => value ?? ''), workName({kind: 'deliver', webhook: webhook})],
      // A new webhook has no waiting deliveries.
      (key, arg) => `
if redis.call('EXISTS', ${key(0)}) == 1 then redis.call('ZADD', ${key(1)}, now, ${arg(set.length)}) end
redis.call('HSET', ${key(0)}, ${set.map(([name], i) => `'${name}', ${arg(i)}`).join(', ')})
${unset.length === 0 ? '' : `redis.call('HDEL', ${key(0)}, ${unset.map((name) => `'${name}'`).join(', ')})`}`,
    );
  },
  'switch-webhook': ({webhook, on}, {keys}) => {
    if (!on) {
      return createWriteOnlyStep(
        'pause',
        [keys.webhookState(webhook)],
        [],
        (key) => `redis.call('HSET', ${key(0)}, 'off', '1')`,
      );
    }
    const work = {kind: 'deliver', webhook} as const;
    const step = createWriteOnlyStep(
      'open',
      [keys.webhookState(webhook), keys.ready()],
      [workName(work)],
      // A replay that waited for the webhook continues.
      (key, arg) => `
do
  local replay = redis.call('HGET', ${key(0)}, 'replay')
  redis.call('HDEL', ${key(0)}, 'off', ${pastFailures})
  redis.call('HSET', ${key(0)}, 'anew', now)
  redis.call('ZADD', ${key(1)}, now, ${arg(0)})
  if replay then redis.call('ZADD', ${key(1)}, now, '${workPrefixes.replay}' .. replay) end
end`,
    );
    return addWorkToWake(work, step);
  },
  'hold-position': ({webhook, revision}, {keys}) =>
    createWriteOnlyStep(
      'hold-position',
      [keys.head(), keys.webhookState(webhook), keys.ready()],
      [webhook, String(revision), workName({kind: 'catch-up', webhook})],
      (key, arg) => `
do
  local cursor, newest = unpack(redis.call('HMGET', ${key(0)}, 'cursor:webhooks', 'sequence'))
  if tonumber(cursor) < tonumber(newest) then
    if redis.call('HSETNX', ${key(0)}, '${cursorPrefix}' .. ${arg(0)}, cursor) == 1 then
      redis.call('HSET', ${key(1)}, 'behind', ${arg(1)})
    end
    redis.call('HSET', ${key(1)}, 'until', newest)
    redis.call('ZADD', ${key(2)}, now, ${arg(2)})
  end
end`,
    ),
  'mark-warned': ({webhook}, {keys}) =>
    createWriteOnlyStep(
      'mark-warned',
      [keys.webhookState(webhook)],
      [],
      (key) => `redis.call('HSET', ${key(0)}, 'warned', '1')`,
    ),
  'close-webhook': ({webhook}, {keys, retention}) => {
    const gone = [
      keys.secret(webhook),
      ...keys.earlierSecrets(webhook),
      keys.webhookHeaders(webhook),
      keys.webhookState(webhook),
      keys.pending(webhook),
      keys.inflight(webhook),
      keys.tries(webhook),
      keys.excerpts(webhook),
      keys.waiting(webhook),
      keys.heads(webhook),
      keys.starts(webhook),
      keys.replays(webhook),
      keys.replaying(webhook),
      keys.replayed(webhook),
      keys.list(lists.replaysOf(webhook)),
      keys.list(lists.sendingReplaysOf(webhook)),
    ];
    const n = gone.length;
    return createWriteOnlyStep(
      'close-webhook',
      [...gone, keys.ready(), keys.head(), keys.list(lists.deliveriesOf(webhook))],
      [workName({kind: 'deliver', webhook}), workName({kind: 'catch-up', webhook}), webhook],
      (key, arg) => `redis.call('DEL', ${gone.map((_, i) => key(i)).join(', ')})
redis.call('ZREM', ${key(n)}, ${arg(0)}, ${arg(1)})
redis.call('HDEL', ${key(n + 1)}, '${cursorPrefix}' .. ${arg(2)})
redis.call('EXPIRE', ${key(n + 2)}, ${retention.events})`,
    );
  },
  /**
   * Deletes the stored answers of receivers. The answers to requests still in progress arrive later. They are
   * not stored, since they may repeat erased content.
   */
  'forget-responses': ({webhook}, {keys}) =>
    createWriteOnlyStep(
      'forget-responses',
      [keys.excerpts(webhook), keys.webhookState(webhook), keys.record(webhook)],
      [],
      (key) => `redis.call('DEL', ${key(0)})
if redis.call('EXISTS', ${key(2)}) == 1 then redis.call('HSET', ${key(1)}, 'forgotten', now + ${repeatedFor}) end`,
    ),
  redeliver: ({webhook, delivery}, {keys}) => {
    const step = createWriteOnlyStep(
      'redeliver',
      [
        keys.pending(webhook),
        keys.inflight(webhook),
        keys.replays(webhook),
        keys.replaying(webhook),
        keys.tries(webhook),
        keys.webhookState(webhook),
        keys.waiting(webhook),
        keys.heads(webhook),
        keys.delivery(delivery),
        keys.ready(),
        blockKeyOf(keys, webhook, delivery),
      ],
      [delivery, webhook, String(sequenceOfId(delivery))],
      // The attempts are still counted, but the retry schedule starts again. A delivery that waits for
      // another delivery of its team still waits.
      (key, arg) => `
do
  ${enqueueFunction}
  ${blockFunctions}
  ${takeOutFunction}
  local k = {
    pending = ${key(0)}, replays = ${key(2)}, tries = ${key(4)}, state = ${key(5)}, waiting = ${key(6)}, heads = ${key(7)},
    ready = ${key(9)}, webhook = ${arg(1)},
  }
  local begun, failed, number, team, replay = ${createReadTryEntryLua(`redis.call('HGET', k.tries, ${arg(0)}) or ''`)}
  if not begun then
    takeOut(${key(8)}, ${key(10)}, ${arg(0)}, k.webhook)
    local kept = redis.call('HMGET', ${key(8)}, 'attempts', 'n', 'team')
    if redis.call('EXISTS', ${key(8)}) == 1 then redis.call('HSET', ${key(8)}, 'state', 'pending') end
    enqueue(k, ${arg(0)}, ${arg(2)}, kept[3] or '', '', kept[2] or '', now, kept[1] or '0')
    keepQueued(k)
  elseif not redis.call('ZSCORE', ${key(1)}, ${arg(0)}) and not redis.call('ZSCORE', ${key(3)}, ${arg(0)}) then
    redis.call('HSET', k.tries, ${arg(0)}, ${createWriteTryEntryLua({begun: 'begun', failed: "'0'", number: 'number', team: 'team', replay: 'replay'})})
    if redis.call('EXISTS', ${key(8)}) == 1 then redis.call('HSET', ${key(8)}, 'state', 'pending') end
    redis.call('ZADD', k.pending, 'XX', now, ${arg(0)})
    redis.call('ZADD', k.replays, 'XX', now, ${arg(0)})
    redis.call('ZADD', k.ready, 'LT', now, '${workPrefixes.deliver}' .. k.webhook)
  end
end`,
    );
    return addWorkToWake({kind: 'deliver', webhook}, step);
  },
  'try-webhook': ({webhook}, {keys}) => {
    const step = createWriteOnlyStep(
      'try-webhook',
      [
        keys.pending(webhook),
        keys.replays(webhook),
        keys.tries(webhook),
        keys.webhookState(webhook),
        keys.ready(),
      ],
      [webhook],
      // The deliveries keep their order. The retry schedule starts again, so that the attempts now do not use
      // it up.
      (key, arg) => `
do
  local left = ${limits.triedAtOnce}
  for _, backlog in ipairs({${key(0)}, ${key(1)}}) do
    local some = left > 0 and redis.call('ZRANGE', backlog, '(' .. string.format('%.0f', now), '+inf', 'BYSCORE', 'LIMIT', 0, left) or {}
    left = left - #some
    if #some > 0 then
      local entries, due, kept = redis.call('HMGET', ${key(2)}, unpack(some)), {}, {}
      for i, delivery in ipairs(some) do
        due[2 * i - 1], due[2 * i] = now - 1 + i / ${2 * limits.triedAtOnce}, delivery
        local begun, failed, number, team, replay = ${createReadTryEntryLua("entries[i] or ''")}
        if begun then
          kept[#kept + 1] = delivery
          kept[#kept + 1] = ${createWriteTryEntryLua({...entryVariables, failed: "'0'"})}
        end
      end
      redis.call('ZADD', backlog, unpack(due))
      if #kept > 0 then redis.call('HSET', ${key(2)}, unpack(kept)) end
    end
  end
  if redis.call('HGET', ${key(3)}, 'breaker') == 'open' then redis.call('HSET', ${key(3)}, 'probe', string.format('%.0f', now)) end
  redis.call('ZADD', ${key(4)}, 'LT', now, '${workPrefixes.deliver}' .. ${arg(0)})
end`,
    );
    return addWorkToWake({kind: 'deliver', webhook}, step);
  },
};
