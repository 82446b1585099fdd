import type {SlackWrite} from '../../domain/commit/writes.js';
import {lists, createSlackUserEntry} from '../../domain/core/lists.js';
import {createListAsRemovedLua} from './record-writes.js';
import {createWriteOnlyStep, type StepsOf} from './step.js';
import {createTypedInputStep} from '../slack/typed-records.js';

export const slackSteps: StepsOf<SlackWrite> = {
  'connect-slack': ({id, encrypted, name, by = ''}, {keys}) =>
    createWriteOnlyStep(
      'connect-slack',
      [keys.slackInstallation(), keys.slackToken(), keys.slackReady(), keys.head()],
      [id, encrypted, name, by],
      (key, arg) => `
if redis.call('HSET', ${key(0)}, 'id', ${arg(0)}, 'installed', now) == 2 then redis.call('HDEL', ${key(3)}, 'cursor:slack') end
redis.call('HSET', ${key(0)}, 'name', ${arg(2)}, 'by', ${arg(3)})
redis.call('SET', ${key(1)}, ${arg(1)})
redis.call('HSETNX', ${key(3)}, 'cursor:slack', redis.call('HGET', ${key(3)}, 'sequence'))
redis.call('HSET', ${key(3)}, 'run:slack', now)
for _, work in ipairs(redis.call('ZRANGE', ${key(2)}, 0, -1)) do redis.call('ZADD', ${key(2)}, now, work) end`,
    ),
  'disconnect-slack': (_, {keys}) =>
    createWriteOnlyStep('disconnect-slack', [keys.slackToken()], [], (key) => `redis.call('DEL', ${key(0)})`),
  'leave-slack': ({member, slackUser}, {keys, retention}) =>
    createWriteOnlyStep(
      'leave-slack',
      [keys.list(lists.removedOf(member))],
      [createSlackUserEntry(slackUser)],
      (key, arg) => createListAsRemovedLua(key(0), arg(0), retention.events),
    ),
  'keep-typed': createTypedInputStep,
};
