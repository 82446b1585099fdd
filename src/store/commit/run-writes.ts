import type {RunWrite} from '../../domain/commit/writes.js';
import {lifetimes} from '../../domain/core/limits.js';
import {type Work, workName} from '../../domain/core/work.js';
import {createWriteOnlyStep, stale, type StepsOf, addWorkToWake} from './step.js';

/** The lifetime (s) of the count of a run's posts after the last post. */
const countedFor = 2 * lifetimes.events;

export const runSteps: StepsOf<RunWrite> = {
  /**
   * Marks steps of a run as taken. Their names are one argument, so that any number of steps has the same
   * script.
   */
  'take-steps': ({run, steps, after = -1}, {keys}) => {
    const each = (arg: (n: number) => string) => `for step in string.gmatch(${arg(1)}, '%S+') do`;
    return {
      shape: 'take-steps',
      keys: [keys.runSteps(run)],
      args: [String(after), steps.join(' ')],
      check: (key, arg) => `
${each(arg)}
  local at = redis.call('HGET', ${key(0)}, step)
  if at and tonumber(at) > tonumber(${arg(0)}) then ${stale} end
end`,
      write: (key, arg) => `
${each(arg)} redis.call('HSET', ${key(0)}, step, now) end
redis.call('EXPIRE', ${key(0)}, ${lifetimes.events})`,
    };
  },
  'drop-steps': ({run}, {keys}) =>
    createWriteOnlyStep(
      'drop-steps',
      [keys.runSteps(run), keys.runPosts(run)],
      [],
      (key) => `redis.call('DEL', ${key(0)}, ${key(1)})`,
    ),
  'count-run-post': ({run}, {keys}) =>
    createWriteOnlyStep(
      'count-run-post',
      [keys.runPosts(run)],
      [],
      (key) => `redis.call('INCR', ${key(0)})\nredis.call('EXPIRE', ${key(0)}, ${countedFor})`,
    ),
  'ask-look': ({team, after}, {keys}) => {
    if (after === 'step') {
      return createWriteOnlyStep(
        'void-looks',
        [keys.looks()],
        [team],
        (key, arg) => `
do
  ${createReadScheduleChecksLua(key, arg)}
  ${createRequestScheduleCheckLua(key, arg, 'from or now')}
end`,
      );
    }
    const work: Work = {kind: 'schedule', team};
    const step = createWriteOnlyStep(
      `ask-look:${after === 'settled'}`,
      [keys.looks(), keys.ready()],
      [team, workName(work)],
      (key, arg) => `
do
  ${createReadScheduleChecksLua(key, arg)}
  ${after === 'settled' ? 'from = now' : createMarkDoneUnlessDueLua(key, arg)}
  ${createRequestScheduleCheckLua(key, arg, 'from')}
  redis.call('ZADD', ${key(1)}, 'LT', now, ${arg(1)})
end`,
    );
    return addWorkToWake(work, step);
  },
  'look-again': ({team, seen, next}, {keys}) =>
    createWriteOnlyStep(
      `look-again:${next === null}`,
      [keys.looks(), keys.ready()],
      [team, String(seen), workName({kind: 'schedule', team}), String(next ?? 0)],
      (key, arg) => `
do
  local asked = string.match(redis.call('HGET', ${key(0)}, ${arg(0)}) or '', '^%d+')
  if asked then redis.call('HSET', ${key(0)}, ${arg(0)}, string.format('%s %.0f', asked, math.min(${arg(1)}, now))) end
  ${next === null ? `redis.call('ZREM', ${key(1)}, ${arg(2)})` : `redis.call('ZADD', ${key(1)}, ${arg(3)}, ${arg(2)})`}
end`,
    ),
  'forget-looks': ({team}, {keys}) =>
    createWriteOnlyStep(
      'forget-looks',
      [keys.looks(), keys.ready()],
      [team, workName({kind: 'schedule', team})],
      (key, arg) => `redis.call('HDEL', ${key(0)}, ${arg(0)})\nredis.call('ZREM', ${key(1)}, ${arg(1)})`,
    ),
};

type LuaReference = (n: number) => string;

/**
 * Returns the Lua that reads two values of a team: how many schedule checks were requested, and until when
 * (ms) all due steps are done.
 */
function createReadScheduleChecksLua(key: LuaReference, arg: LuaReference): string {
  return `local asked, from = string.match(redis.call('HGET', ${key(0)}, ${arg(0)}) or '', '^(%d+) (%d+)$')`;
}

function createRequestScheduleCheckLua(key: LuaReference, arg: LuaReference, from: string): string {
  return `redis.call('HSET', ${key(0)}, ${arg(0)}, string.format('%.0f %.0f', (asked or 0) + 1, ${from}))`;
}

/**
 * Returns the Lua that marks all steps until now as done if no check is due. The steps that this commit makes
 * due then count as due from now on, and not as late.
 */
function createMarkDoneUnlessDueLua(key: LuaReference, arg: LuaReference): string {
  return `local due = tonumber(redis.call('ZSCORE', ${key(1)}, ${arg(1)}) or '')
  if not from or not due or due > now then from = now end`;
}
