import type {Write} from '../domain/commit.js';
import {drawnPart} from '../domain/ids.js';
import {lifetimes} from '../domain/limits.js';
import {lists} from '../domain/lists.js';
import {workName} from '../domain/work.js';
import {type Step, simple} from './commit-step.js';
import type {WorkspaceKeys} from './keys.js';

type WebhookWrite = Extract<Write, {do: 'open-webhook' | 'pause-webhook' | 'close-webhook' | 'redeliver'}>;

/** The step of a write that switches a webhook or its deliveries. */
export function webhookStep(keys: WorkspaceKeys, write: WebhookWrite): Step {
  switch (write.do) {
    case 'open-webhook':
      return simple(
        'open',
        [keys.webhookState(write.drawn), keys.ready()],
        [workName({kind: 'deliver', webhook: write.drawn})],
        (key, arg) => `redis.call('HDEL', ${key(0)}, 'off')\nredis.call('ZADD', ${key(1)}, now, ${arg(0)})`,
      );
    case 'pause-webhook':
      return simple(
        'pause',
        [keys.webhookState(write.drawn)],
        [],
        (key) => `redis.call('HSET', ${key(0)}, 'off', '1')`,
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
        ],
        [workName({kind: 'deliver', webhook})],
        (key, arg) =>
          `redis.call('DEL', ${[0, 1, 2, 3, 6].map(key).join(', ')})\nredis.call('ZREM', ${key(4)}, ${arg(0)})
redis.call('EXPIRE', ${key(5)}, ${lifetimes.events})`,
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
          keys.tries(webhook),
          keys.delivery(delivery),
          keys.ready(),
        ],
        [delivery, workName({kind: 'deliver', webhook})],
        // Attempts go on counting; the failures that the schedule counts begin anew.
        (key, arg) => `
if not redis.call('ZSCORE', ${key(1)}, ${arg(0)}) then
  redis.call('ZADD', ${key(0)}, now, ${arg(0)})
  redis.call('HSET', ${key(2)}, ${arg(0)}, (redis.call('HGET', ${key(3)}, 'attempts') or '0') .. ':0')
  redis.call('HSET', ${key(3)}, 'state', 'pending')
  redis.call('ZADD', ${key(4)}, now, ${arg(1)})
end`,
      );
    }
  }
}
