import type {Write} from '../../domain/commit/commit.js';
import {drawnPart} from '../../domain/core/ids.js';
import {lifetimes} from '../../domain/core/limits.js';
import {workName} from '../../domain/core/work.js';
import {type Step, simple, stale} from './step.js';
import type {WorkspaceKeys} from '../core/keys.js';

type RunWrite = Extract<
  Write,
  {do: 'take-steps' | 'ask-look' | 'void-looks' | 'look-again' | 'drop-steps' | 'forget-looks'}
>;

/** The step of a write that takes steps of a run, or says when somebody looks at a team's schedule. */
export function runStep(keys: WorkspaceKeys, write: RunWrite): Step {
  switch (write.do) {
    case 'take-steps':
      return takeStep(keys, write);
    case 'ask-look':
      return simple(
        `ask-look:${write.settled === true}`,
        [keys.looks(), keys.ready()],
        [drawnPart(write.team), workName({kind: 'schedule', team: drawnPart(write.team)})],
        (key, arg) => `
do
  local asked, from = string.match(redis.call('HGET', ${key(0)}, ${arg(0)}) or '', '^(%d+) (%d+)$')
  ${
    write.settled === true
      ? 'from = now'
      : `-- Where nothing is due everything until now is settled: what this very commit makes due was not late before it.
  local due = tonumber(redis.call('ZSCORE', ${key(1)}, ${arg(1)}) or '')
  if not from or not due or due > now then from = now end`
  }
  redis.call('HSET', ${key(0)}, ${arg(0)}, string.format('%.0f %.0f', (asked or 0) + 1, from))
  redis.call('ZADD', ${key(1)}, 'LT', now, ${arg(1)})
end`,
      );
    case 'void-looks':
      return simple(
        'void-looks',
        [keys.looks()],
        [drawnPart(write.team)],
        (key, arg) => `
do
  local asked, from = string.match(redis.call('HGET', ${key(0)}, ${arg(0)}) or '', '^(%d+) (%d+)$')
  redis.call('HSET', ${key(0)}, ${arg(0)}, string.format('%.0f %.0f', (asked or 0) + 1, from or now))
end`,
      );
    case 'look-again':
      return simple(
        `look-again:${write.next === null}`,
        [keys.looks(), keys.ready()],
        [
          drawnPart(write.team),
          String(write.seen),
          workName({kind: 'schedule', team: drawnPart(write.team)}),
          String(write.next ?? 0),
        ],
        (key, arg) => `
do
  local asked = string.match(redis.call('HGET', ${key(0)}, ${arg(0)}) or '', '^%d+')
  if asked then redis.call('HSET', ${key(0)}, ${arg(0)}, string.format('%s %.0f', asked, math.min(${arg(1)}, now))) end
  ${write.next === null ? `redis.call('ZREM', ${key(1)}, ${arg(2)})` : `redis.call('ZADD', ${key(1)}, ${arg(3)}, ${arg(2)})`}
end`,
      );
    case 'drop-steps':
      return simple(
        'drop-steps',
        [keys.runSteps(write.run), keys.runPosts(write.run)],
        [],
        (key) => `redis.call('DEL', ${key(0)}, ${key(1)})`,
      );
    case 'forget-looks':
      return simple(
        'forget-looks',
        [keys.looks(), keys.ready()],
        [drawnPart(write.team), workName({kind: 'schedule', team: drawnPart(write.team)})],
        (key, arg) => `redis.call('HDEL', ${key(0)}, ${arg(0)})\nredis.call('ZREM', ${key(1)}, ${arg(1)})`,
      );
  }
}

/** The names of the steps are one argument, so that any number of them has one shape. */
function takeStep(keys: WorkspaceKeys, {run, steps, after}: Extract<Write, {do: 'take-steps'}>): Step {
  const each = (arg: (n: number) => string) => `for step in string.gmatch(${arg(1)}, '%S+') do`;
  return {
    shape: 'take-steps',
    keys: [keys.runSteps(run)],
    args: [String(after ?? -1), steps.join(' ')],
    check: (key, arg) => `
${each(arg)}
  local at = redis.call('HGET', ${key(0)}, step)
  if at and tonumber(at) > tonumber(${arg(0)}) then ${stale} end
end`,
    write: (key, arg) => `
${each(arg)} redis.call('HSET', ${key(0)}, step, now) end
redis.call('EXPIRE', ${key(0)}, ${lifetimes.events})`,
  };
}
