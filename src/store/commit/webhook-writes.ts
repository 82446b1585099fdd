import type {Write} from '../../domain/commit/commit.js';
import {drawnPart, sequenceOfId} from '../../domain/core/ids.js';
import {deadlines, lifetimes, type Retention} from '../../domain/core/limits.js';
import {lists} from '../../domain/core/lists.js';
import {workName} from '../../domain/core/work.js';
import {type Step, simple} from './step.js';
import {enqueueFunction} from '../webhooks/delivery-lua.js';
import {blockFunctions, blockOf, takeOutFunction} from '../webhooks/delivery-blocks.js';
import type {WorkspaceKeys} from '../core/keys.js';

type WebhookWrite = Extract<
  Write,
  {
    do:
      | 'keep-secret'
      | 'rotate-secret'
      | 'drop-secret'
      | 'keep-headers'
      | 'pace-webhook'
      | 'open-webhook'
      | 'pause-webhook'
      | 'hold-place'
      | 'mark-warned'
      | 'close-webhook'
      | 'forget-responses'
      | 'redeliver';
  }
>;

/** After the words are gone from the store, a body with them may still go out for this long (ms): it was being read, and is then cached. */
const repeatedFor = deadlines.job + lifetimes.renderedBody * 1_000;

/** What the state remembers of failures (see claim-script.ts): a webhook that is switched on, or sends elsewhere, begins anew. */
const pastFailures = 'breaker opened probe every ramp ok streak recent failing failed warned slow same last'
  .split(' ')
  .map((name) => `'${name}'`)
  .join(', ');

/** The step of a write that changes how a webhook signs, or switches it or its deliveries. */
export function webhookStep(keys: WorkspaceKeys, write: WebhookWrite, retention: Retention): Step {
  switch (write.do) {
    case 'keep-secret':
      return simple(
        'secret',
        [keys.secret(write.drawn)],
        [write.sealed],
        (key, arg) => `redis.call('SET', ${key(0)}, ${arg(0)})`,
      );
    case 'rotate-secret':
      return simple(
        'rotate',
        [keys.secret(write.drawn), ...keys.earlierSecrets(write.drawn)],
        [write.sealed, String(write.overlapMs)],
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
      );
    case 'drop-secret': {
      const webhook = drawnPart(write.id);
      return simple(
        'drop',
        [keys.secret(webhook), ...keys.earlierSecrets(webhook)],
        [],
        (key) => `redis.call('DEL', ${[0, 1, 2].map(key).join(', ')})`,
      );
    }
    case 'keep-headers': {
      const kept = keys.webhookHeaders(write.webhook);
      return write.sealed === null
        ? simple('drop-headers', [kept], [], (key) => `redis.call('DEL', ${key(0)})`)
        : simple('headers', [kept], [write.sealed], (key, arg) => `redis.call('SET', ${key(0)}, ${arg(0)})`);
    }
    case 'pace-webhook': {
      const {concurrency, ordering, throttle} = write;
      const set = [
        ['concurrency', String(concurrency)],
        ...(ordering === 'none' ? [] : [['ordering', ordering]]),
        ...(throttle === null ? [] : [['throttle', `${throttle.max}/${throttle.per_seconds}`]]),
      ];
      const unset = ['ordering', 'throttle'].filter((name) => !set.some(([field]) => field === name));
      return simple(
        `pace:${set.map(([name]) => name).join('+')}`,
        [keys.webhookState(write.webhook), keys.ready()],
        [...set.map(([, value]) => value ?? ''), workName({kind: 'deliver', webhook: write.webhook})],
        // Nothing waits for a webhook that is new.
        (key, arg) => `
if redis.call('EXISTS', ${key(0)}) == 1 then redis.call('ZADD', ${key(1)}, now, ${arg(set.length)}) end
redis.call('HSET', ${key(0)}, ${set.map(([name], i) => `'${name}', ${arg(i)}`).join(', ')})
${unset.length === 0 ? '' : `redis.call('HDEL', ${key(0)}, ${unset.map((name) => `'${name}'`).join(', ')})`}`,
      );
    }
    case 'open-webhook':
      return simple(
        'open',
        [keys.webhookState(write.drawn), keys.ready()],
        [workName({kind: 'deliver', webhook: write.drawn})],
        // A replay that was waiting for this goes on.
        (key, arg) => `
do
  local replay = redis.call('HGET', ${key(0)}, 'replay')
  redis.call('HDEL', ${key(0)}, 'off', ${pastFailures})
  redis.call('HSET', ${key(0)}, 'anew', now)
  redis.call('ZADD', ${key(1)}, now, ${arg(0)})
  if replay then redis.call('ZADD', ${key(1)}, now, 'replay/' .. replay) end
end`,
      );
    case 'pause-webhook':
      return simple(
        'pause',
        [keys.webhookState(write.drawn)],
        [],
        (key) => `redis.call('HSET', ${key(0)}, 'off', '1')`,
      );
    case 'hold-place':
      return simple(
        'hold-place',
        [keys.head(), keys.webhookState(write.drawn), keys.ready()],
        [write.drawn, String(write.revision), workName({kind: 'catch-up', webhook: write.drawn})],
        (key, arg) => `
do
  local cursor, newest = unpack(redis.call('HMGET', ${key(0)}, 'cursor:webhooks', 'sequence'))
  if tonumber(cursor) < tonumber(newest) then
    if redis.call('HSETNX', ${key(0)}, 'cursor:webhook/' .. ${arg(0)}, cursor) == 1 then
      redis.call('HSET', ${key(1)}, 'behind', ${arg(1)})
    end
    redis.call('HSET', ${key(1)}, 'until', newest)
    redis.call('ZADD', ${key(2)}, now, ${arg(2)})
  end
end`,
      );
    case 'mark-warned':
      return simple(
        'warned',
        [keys.webhookState(drawnPart(write.webhook))],
        [],
        (key) => `redis.call('HSET', ${key(0)}, 'warned', '1')`,
      );
    case 'close-webhook': {
      const webhook = drawnPart(write.id);
      return simple(
        'close',
        [
          keys.pending(webhook),
          keys.inflight(webhook),
          keys.tries(webhook),
          keys.webhookState(webhook),
          keys.ready(),
          keys.list(lists.deliveriesOf(webhook)),
          keys.excerpts(webhook),
          keys.webhookHeaders(webhook),
          keys.waiting(webhook),
          keys.heads(webhook),
          keys.replays(webhook),
          keys.replaying(webhook),
          keys.replayed(webhook),
          keys.starts(webhook),
          keys.list(lists.replaysOf(webhook)),
          keys.list(lists.sendingReplaysOf(webhook)),
          keys.head(),
        ],
        [workName({kind: 'deliver', webhook}), workName({kind: 'catch-up', webhook}), webhook],
        (key, arg) =>
          `redis.call('DEL', ${[0, 1, 2, 3, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15].map(key).join(', ')})\nredis.call('ZREM', ${key(4)}, ${arg(0)}, ${arg(1)})
redis.call('HDEL', ${key(16)}, 'cursor:webhook/' .. ${arg(2)})
redis.call('EXPIRE', ${key(5)}, ${retention.events})`,
      );
    }
    // What is on the wire now is answered later, and must not bring the words back.
    case 'forget-responses': {
      const webhook = drawnPart(write.webhook);
      return simple(
        'forget-responses',
        [keys.excerpts(webhook), keys.webhookState(webhook), keys.record(webhook)],
        [],
        (key) => `redis.call('DEL', ${key(0)})
if redis.call('EXISTS', ${key(2)}) == 1 then redis.call('HSET', ${key(1)}, 'forgotten', now + ${repeatedFor}) end`,
      );
    }
    case 'redeliver': {
      const webhook = drawnPart(write.webhook);
      const delivery = drawnPart(write.delivery);
      return simple(
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
          blockOf(keys, webhook, delivery),
        ],
        [delivery, webhook, String(sequenceOfId(delivery))],
        // Attempts go on counting; the failures that the schedule counts begin anew. One that waits for another of its team goes on waiting.
        (key, arg) => `
do
  ${enqueueFunction}
  ${blockFunctions}
  ${takeOutFunction}
  local k = {
    pending = ${key(0)}, replays = ${key(2)}, tries = ${key(4)}, state = ${key(5)}, waiting = ${key(6)}, heads = ${key(7)},
    ready = ${key(9)}, webhook = ${arg(1)},
  }
  local begun, rest = string.match(redis.call('HGET', k.tries, ${arg(0)}) or '', '^(%d+):%d+(:.*)$')
  if not begun then
    takeOut(${key(8)}, ${key(10)}, ${arg(0)}, k.webhook)
    local kept = redis.call('HMGET', ${key(8)}, 'attempts', 'n', 'team')
    if redis.call('EXISTS', ${key(8)}) == 1 then redis.call('HSET', ${key(8)}, 'state', 'pending') end
    enqueue(k, ${arg(0)}, ${arg(2)}, kept[3] or '', '', kept[2] or '', now, kept[1] or '0')
    keepQueued(k)
  elseif not redis.call('ZSCORE', ${key(1)}, ${arg(0)}) and not redis.call('ZSCORE', ${key(3)}, ${arg(0)}) then
    redis.call('HSET', k.tries, ${arg(0)}, begun .. ':0' .. rest)
    if redis.call('EXISTS', ${key(8)}) == 1 then redis.call('HSET', ${key(8)}, 'state', 'pending') end
    redis.call('ZADD', k.pending, 'XX', now, ${arg(0)})
    redis.call('ZADD', k.replays, 'XX', now, ${arg(0)})
    redis.call('ZADD', k.ready, 'LT', now, 'deliver/' .. k.webhook)
  end
end`,
      );
    }
  }
}
