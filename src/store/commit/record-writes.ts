import {randomUUID} from 'node:crypto';
import type {CreateWrite, RecordWrite, RemoveWrite, ReviseWrite} from '../../domain/commit/writes.js';
import {suffixLength, suffixOf, idPrefixes, provisionalId} from '../../domain/core/ids.js';
import {type Listing, lists, sequencesPerDay} from '../../domain/core/lists.js';
import {createRevisionGuard} from './guards.js';
import {type WriteContext, type Step, createWriteOnlyStep, type StepsOf} from './step.js';

export const recordSteps: StepsOf<RecordWrite> = {
  create: createCreateStep,
  revise: createReviseStep,
  remove: createRemoveStep,
  'erase-revisions': ({suffix}, {keys}) =>
    createWriteOnlyStep(
      'erase-revisions',
      [keys.revisions(suffix)],
      [],
      (key) => `countErased(headKey, ${key(0)})\nredis.call('DEL', ${key(0)})`,
    ),
  relist: ({suffix, from, to}, {keys}) => {
    const leaving = from === null ? [] : [keys.list(from)];
    const entering = to === null ? [] : [keys.list(to.positionFrom), keys.list(to.list)];
    const [positionKey, entered] = [leaving.length, leaving.length + 1];
    return createWriteOnlyStep(
      `relist:${leaving.length}${entering.length}`,
      [...leaving, ...entering],
      [suffix],
      (key, arg) => {
        const leave = leaving.map(() => `redis.call('ZREM', ${key(0)}, ${arg(0)})`);
        if (to === null) return leave.join('');
        return `
do
  local position = redis.call('ZSCORE', ${key(positionKey)}, ${arg(0)})
  ${leave.join('')}
  if position then redis.call('ZADD', ${key(entered)}, position, ${arg(0)}) end
end`;
      },
    );
  },
  name: ({names, name, suffix}, {keys}) =>
    createWriteOnlyStep(
      'take-name',
      [keys.names(names)],
      [name, suffix],
      (key, arg) => `redis.call('HSET', ${key(0)}, ${arg(0)}, ${arg(1)})`,
    ),
  'free-name': ({names, name, suffix}, {keys}) =>
    createWriteOnlyStep(
      'free-name',
      [keys.names(names)],
      [name, suffix],
      (key, arg) =>
        `if redis.call('HGET', ${key(0)}, ${arg(0)}) == ${arg(1)} then redis.call('HDEL', ${key(0)}, ${arg(0)}) end`,
    ),
  touch: ({collection, suffix}, {keys}) =>
    createWriteOnlyStep(
      `touch:${collection}`,
      [keys.head(), keys.changes(collection)],
      [randomUUID(), suffix],
      (key, arg) => `
do
  local before = redis.call('HGET', ${key(0)}, 'version:${collection}') or ''
  redis.call('HSET', ${key(0)}, 'version:${collection}', ${arg(0)})
  redis.call('LPUSH', ${key(1)}, before .. ' ' .. ${arg(0)} .. ' ' .. ${arg(1)})
  redis.call('LTRIM', ${key(1)}, 0, 99)
end`,
    ),
};

function createCreateStep(write: CreateWrite, {keys, eventAbout}: WriteContext): Step {
  const prefix = idPrefixes[write.kind];
  const [draft, rest] = splitAtProvisionalId(write.draft, write.ofNew);
  const tail = rest === undefined ? [] : [rest];
  // Positions in a list must be unique. Otherwise a page that ends between two equal positions would skip an
  // entry.
  const nth = eventAbout(write.suffix);
  // A resource usually has the same day in all its lists.
  const days = collapseEqualDays(write.lists);
  return {
    shape: `create:${prefix}:${write.lists.length}:${days.length}:${tail.length}`,
    keys: [keys.record(write.suffix), ...write.lists.map(({list}) => keys.list(list))],
    args: [write.suffix, draft, String(nth), ...days.map(String), ...tail],
    write: (key, arg) => {
      const positions = days.map(
        (_, i) =>
          `local position${i} = string.format('%d', ${arg(i + 3)} * ${sequencesPerDay} + first + ${arg(2)})`,
      );
      const listed = write.lists.map(
        (_, i) => `redis.call('ZADD', ${key(i + 1)}, position${days.length === 1 ? 0 : i}, ${arg(0)})`,
      );
      const more = rest === undefined ? '' : ` .. stamp .. ${arg(days.length + 3)}`;
      const record = `redis.call('SET', ${key(0)}, '{"id":"${prefix}_' .. stamp .. ${arg(0)} .. '",' .. ${arg(1)}${more}
    .. ',"revision":1,"created_at":"' .. instant .. '","updated_at":"' .. instant .. '"}')`;
      return `
do
  ${[record, ...positions, ...listed].join('\n  ')}
end`;
    },
  };
}

function collapseEqualDays(listings: readonly Listing[]): readonly number[] {
  const days = listings.map(({day = 0}) => day);
  return days.every((day) => day === days[0]) ? days.slice(0, 1) : days;
}

/** The length of the time in an id. */
const timeLength = 26 - suffixLength;

/**
 * Splits the JSON of a draft before and after the time in the provisional id of another new resource. There
 * is only one part if the draft contains no such id.
 */
function splitAtProvisionalId(draft: string, made: CreateWrite['ofNew']): [string, string?] {
  if (made === undefined) return [draft];
  const id = provisionalId(made.kind, made.suffix);
  const time = draft.indexOf(id) + idPrefixes[made.kind].length + 1;
  return [draft.slice(0, time), draft.slice(time + timeLength)];
}

function createReviseStep(write: ReviseWrite, {keys, retention: {events}}: WriteContext): Step {
  const suffix = suffixOf(write.id);
  const moves = write.move ?? [];
  const guard = createRevisionGuard(keys, write.id, write.from);
  return {
    shape: `revise:${moves.length}${write.forEvents === true ? ':for-events' : ''}`,
    keys: [...guard.keys, keys.revisions(suffix), ...moves.map(({list}) => keys.list(list))],
    args: [
      ...guard.args,
      suffix,
      `{"id":"${write.id}",${write.draft},"revision":${write.from + 1},"created_at":"${write.createdAt}","updated_at":"`,
      ...moves.map(({day}) => String(day)),
    ],
    ...(guard.check && {check: guard.check}),
    write: (key, arg) => {
      const positions = moves.map(
        (_, i) => `
do
  local position = redis.call('ZSCORE', ${key(i + 2)}, ${arg(1)})
  if position then redis.call('ZADD', ${key(i + 2)}, ${arg(i + 3)} * ${sequencesPerDay} + position % ${sequencesPerDay}, ${arg(1)}) end
end`,
      );
      const expire = write.forEvents === true ? `redis.call('EXPIRE', ${key(1)}, ${events})` : '';
      return `
redis.call('HSET', ${key(1)}, ${arg(0)}, redis.call('GET', ${key(0)}))
${expire}
redis.call('SET', ${key(0)}, ${arg(2)} .. instant .. '"}')
${positions.join('\n')}`;
    },
  };
}

/** Creates the step that removes a resource and its list entries. */
function createRemoveStep(
  {id, from, lists: listed, names, how = 'remove'}: RemoveWrite,
  {keys, retention}: WriteContext,
): Step {
  const suffix = suffixOf(id);
  const guard = createRevisionGuard(keys, id, from);
  const left = listed.map((list) => keys.list(list));
  const erase = how === 'erase';
  const people = erase ? [] : [...new Set(names)];
  return {
    shape: `${how}:${left.length}:${people.length}`,
    keys: [
      ...guard.keys,
      keys.revisions(suffix),
      ...left,
      ...people.map((person) => keys.list(lists.removedOf(person))),
    ],
    args: [...guard.args, suffix],
    ...(guard.check && {check: guard.check}),
    write: (key, arg) =>
      [
        erase
          ? `
countErased(headKey, ${key(0)})
countErased(headKey, ${key(1)})
redis.call('DEL', ${key(0)}, ${key(1)})`
          : `
redis.call('HSET', ${key(1)}, ${arg(0)}, redis.call('GET', ${key(0)}))
redis.call('EXPIRE', ${key(1)}, ${retention.events})
redis.call('DEL', ${key(0)})`,
        ...left.map((_, i) => `redis.call('ZREM', ${key(i + 2)}, ${arg(1)})`),
        ...people.map((_, i) => createListAsRemovedLua(key(left.length + i + 2), arg(1), retention.events)),
      ].join('\n'),
  };
}

/**
 * Returns the Lua that adds a removed resource to a person's list of removed resources. `events`: how long
 * the entry stays (s), which is as long as a revision of the resource may exist.
 */
export function createListAsRemovedLua(list: string, entry: string, events: number): string {
  return `
redis.call('ZADD', ${list}, now, ${entry})
redis.call('ZREMRANGEBYSCORE', ${list}, '-inf', now - ${events * 1_000})
redis.call('EXPIRE', ${list}, ${events})`;
}
