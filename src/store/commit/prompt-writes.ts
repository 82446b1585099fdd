import type {PromptWrite} from '../../domain/commit/writes.js';
import {suffixOf} from '../../domain/core/ids.js';
import {lifetimes} from '../../domain/core/limits.js';
import {slackItemName} from '../../domain/slack/slack-post.js';
import {type Work, workName} from '../../domain/core/work.js';
import {createWriteOnlyStep, type StepsOf, addWorkToWake} from './step.js';
import type {WorkspaceKeys} from '../core/keys.js';

/**
 * The fields about the Slack message that reminds a person. They are deleted when the reminder moves to
 * another message.
 */
export const ofTheMessage =
  "'ts', 'sending', 'shown', 'failures', 'failed', 'snoozed', 'take', 'links', 'channel', 'old', 'sent', 'why:opening', 'why:before_closing', 'why:asked'";

/**
 * At least one of these fields exists once sending of the message has begun. Until then, further reminders
 * are not counted, because the person has seen none.
 */
const triedFields = "'ts', 'sending', 'failures', 'failed'";

/**
 * Returns what both kinds of writes need for the message of a day: its keys, its pending item, and the name
 * of its work.
 */
function createPromptStepParts(keys: WorkspaceKeys, {member, date, slackUser}: PromptWrite) {
  const memberSuffix = suffixOf(member);
  const work: Work = {kind: 'post-slack', channel: slackUser};
  const state = [
    keys.slackPrompt(memberSuffix, date),
    keys.slackPending(slackUser),
    keys.slackReady(),
  ] as const;
  return {state, memberSuffix, item: slackItemName({kind: 'prompt', member: memberSuffix, date}), work};
}

/**
 * The steps of writes about reminders. They write nothing if the event log is not read for Slack, because no
 * process would send a message.
 */
export const promptSteps: StepsOf<PromptWrite> = {
  'snooze-prompt': (write, {keys}) => {
    const {state, item, work} = createPromptStepParts(keys, write);
    const step = createWriteOnlyStep(
      'snooze-prompt',
      state,
      [item, workName(work), String(write.until)],
      (key, arg) => `
if head[2] and redis.call('HEXISTS', ${key(0)}, 'user') == 1 then
  redis.call('HSET', ${key(0)}, 'snoozed', ${arg(2)})
  ${createMakePromptDueLua(key, arg, 'now')}
end`,
    );
    return addWorkToWake(work, step);
  },
  prompt: (write, {keys}) => {
    const {state, memberSuffix, item, work} = createPromptStepParts(keys, write);
    const run = suffixOf(write.run);
    const step = createWriteOnlyStep(
      'prompt',
      [...state, keys.slackPromptsOf(write.run), keys.slackKept(write.slackUser)],
      [
        item,
        workName(work),
        write.slackUser,
        `run:${run}`,
        String(write.closesAt),
        String(write.notBefore),
        `${memberSuffix}/${write.date}`,
        `due:${run}`,
        write.moment,
      ],
      (key, arg) => `
if head[2] then
  local known = redis.call('HMGET', ${key(0)}, 'user', 'at', ${arg(7)}, ${triedFields})
  if known[1] and known[1] ~= ${arg(2)} then redis.call('HDEL', ${key(0)}, ${ofTheMessage}) end
  local wasTried = known[4] or known[5] or known[6] or known[7]
  if ${arg(8)} ~= 'opening' and (not known[3] or (wasTried and tonumber(known[2]) ~= now)) then
    redis.pcall('HINCRBY', ${key(0)}, ${arg(7)}, 1)
  end
  redis.call('HSETNX', ${key(0)}, 'why:' .. ${arg(8)}, now)
  redis.call('HSET', ${key(0)}, 'user', ${arg(2)}, ${arg(3)}, ${arg(4)}, 'before', ${arg(5)}, 'at', now)
  redis.call('HDEL', ${key(0)}, 'failures', 'failed')
  redis.call('EXPIRE', ${key(0)}, ${lifetimes.events})
  redis.call('SADD', ${key(3)}, ${arg(6)})
  redis.call('EXPIRE', ${key(3)}, ${lifetimes.events})
  redis.call('SADD', ${key(4)}, ${arg(0)})
  redis.call('EXPIRE', ${key(4)}, ${lifetimes.events})
  local due = math.max(now, tonumber(${arg(5)}))
  ${createMakePromptDueLua(key, arg, 'due')}
end`,
    );
    return addWorkToWake(work, step);
  },
};

/**
 * Returns the Lua that makes a reminder due at a time, or leaves it due earlier. In both cases, a process
 * that works on it sees that it was requested again.
 */
function createMakePromptDueLua(key: (n: number) => string, arg: (n: number) => string, due: string): string {
  return `
  if tonumber(redis.call('ZSCORE', ${key(1)}, ${arg(0)}) or '') == nil or tonumber(redis.call('ZSCORE', ${key(1)}, ${arg(0)})) > ${due} then
    redis.call('ZADD', ${key(1)}, ${due}, ${arg(0)})
  else
    redis.call('ZINCRBY', ${key(1)}, '0.001', ${arg(0)})
  end
  redis.call('ZADD', ${key(2)}, 'LT', ${due}, ${arg(1)})`.trim();
}
