import type {TeamWrite, TokenWrite, WorkWrite, Write} from '../../domain/commit/writes.js';
import {suffixOf} from '../../domain/core/ids.js';
import {workName} from '../../domain/core/work.js';
import {erasureSteps} from './erasure-writes.js';
import {promptSteps} from './prompt-writes.js';
import {recordSteps} from './record-writes.js';
import {replaySteps} from './replay-writes.js';
import {runSteps} from './run-writes.js';
import {slackSteps} from './slack-writes.js';
import {type WriteContext, type Step, createWriteOnlyStep, type StepsOf, addWorkToWake} from './step.js';
import {webhookSteps} from './webhook-writes.js';
import {serializeMembership} from '../core/records.js';

const workSteps: StepsOf<WorkWrite> = {
  'begin-work': ({work}, {keys}) => {
    const step = createWriteOnlyStep(
      'begin-work',
      [keys.ready()],
      [workName(work)],
      (key, arg) => `redis.call('ZADD', ${key(0)}, now, ${arg(0)})`,
    );
    return addWorkToWake(work, step);
  },
};

const teamSteps: StepsOf<TeamWrite> = {
  'set-membership': ({team, member, membership}, {keys}) =>
    membership === null
      ? createWriteOnlyStep(
          'leave',
          [keys.teamMembers(team)],
          [suffixOf(member)],
          (key, arg) => `redis.call('HDEL', ${key(0)}, ${arg(0)})`,
        )
      : createWriteOnlyStep(
          'join',
          [keys.teamMembers(team)],
          [suffixOf(member), serializeMembership(membership)],
          (key, arg) => `redis.call('HSET', ${key(0)}, ${arg(0)}, ${arg(1)})`,
        ),
  disband: ({team}, {keys}) =>
    createWriteOnlyStep('disband', [keys.teamMembers(team)], [], (key) => `redis.call('DEL', ${key(0)})`),
};

const tokenSteps: StepsOf<TokenWrite> = {
  'admit-token': ({suffix, admitted}, {keys}) =>
    admitted === null
      ? createWriteOnlyStep(
          'revoke',
          [keys.liveToken(suffix), keys.tokenUse()],
          [suffix],
          (key, arg) => `redis.call('DEL', ${key(0)})\nredis.call('HDEL', ${key(1)}, ${arg(0)})`,
        )
      : createWriteOnlyStep(
          'admit',
          [keys.liveToken(suffix)],
          [String(admitted.until), admitted.proof ?? '1'],
          // The time comes from the clock that tokens use, which is not always that of the Redis server
          // (time-source.ts).
          (key, arg) => `redis.call('SET', ${key(0)}, ${arg(1)}, 'PX', math.max(1, ${arg(0)} - now))`,
        ),
};

/** The step for each kind of write. A missing kind does not compile. */
const steps: StepsOf<Write> = {
  ...recordSteps,
  ...workSteps,
  ...teamSteps,
  ...tokenSteps,
  ...runSteps,
  ...webhookSteps,
  ...replaySteps,
  ...slackSteps,
  ...promptSteps,
  ...erasureSteps,
};

export function createWriteStep(write: Write, context: WriteContext): Step {
  // The compiler cannot infer that the step matches this kind of write.
  const step = steps[write.do] as (write: Write, context: WriteContext) => Step;
  return step(write, context);
}
