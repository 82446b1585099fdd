import {randomUUID} from 'node:crypto';
import type {EventDraft, Write} from '../../domain/commit/commit.js';
import {drawnLength, drawnPart, idPrefixes, unbornId} from '../../domain/core/ids.js';
import type {Retention} from '../../domain/core/limits.js';
import {type Listing, lists, slackUserEntry} from '../../domain/core/lists.js';
import {renderDraft} from '../../domain/core/resource.js';
import {forgetWork, type Work, workName} from '../../domain/core/work.js';
import {revisionGuard} from './guards.js';
import {type Step, simple} from './step.js';
import {noteErasureStep, startErasureStep} from './erasure-writes.js';
import {promptStep} from './prompt-writes.js';
import {writePlace} from '../core/records.js';
import {typedStep} from '../slack/typed-records.js';
import {cancelReplayStep, startReplayStep} from './replay-writes.js';
import {runStep} from './run-writes.js';
import {webhookStep} from './webhook-writes.js';
import type {AnyKey, WorkspaceKeys} from '../core/keys.js';
import {packDraft, packedMark} from '../core/packed-standups.js';
import {differenceOf} from '../core/revision-differences.js';

/**
 * The step of one write of a commit with these events; what it leaves for the events that tell of it stays
 * as long as they do.
 */
export function writeStep(
  keys: WorkspaceKeys,
  write: Write,
  retention: Retention,
  events: readonly EventDraft[] = [],
): Step {
  switch (write.do) {
    case 'create':
      return createStep(keys, write, events);
    case 'revise':
      return reviseStep(keys, write, retention);
    case 'remove':
    case 'erase':
      return write.do === 'erase' ? eraseStep(keys, write) : removeStep(keys, write, retention);
    case 'take-name':
      return simple(
        'take',
        [keys.names(write.names)],
        [write.name, write.drawn],
        (key, arg) => `redis.call('HSET', ${key(0)}, ${arg(0)}, ${arg(1)})`,
      );
    case 'free-name':
      return simple(
        'free-name',
        [keys.names(write.names)],
        [write.name],
        (key, arg) => `redis.call('HDEL', ${key(0)}, ${arg(0)})`,
      );
    case 'leave-slack':
      return simple(
        'leave-slack',
        [keys.list(lists.removedOf(write.member))],
        [slackUserEntry(write.slackUser)],
        (key, arg) => noteRemoved(key(0), arg(0), retention.events),
      );
    case 'touch':
      return simple(
        `touch:${write.collection}`,
        [keys.head(), keys.changes(write.collection)],
        [randomUUID(), write.drawn],
        (key, arg) => `
do
  local before = redis.call('HGET', ${key(0)}, 'version:${write.collection}') or ''
  redis.call('HSET', ${key(0)}, 'version:${write.collection}', ${arg(0)})
  redis.call('LPUSH', ${key(1)}, before .. ' ' .. ${arg(0)} .. ' ' .. ${arg(1)})
  redis.call('LTRIM', ${key(1)}, 0, 99)
end`,
      );
    case 'join':
      return simple(
        'join',
        [keys.teamMembers(write.team)],
        [drawnPart(write.member), writePlace({...write, drawn: write.place})],
        (key, arg) => `redis.call('HSET', ${key(0)}, ${arg(0)}, ${arg(1)})`,
      );
    case 'leave':
      return simple(
        'leave',
        [keys.teamMembers(write.team)],
        [drawnPart(write.member)],
        (key, arg) => `redis.call('HDEL', ${key(0)}, ${arg(0)})`,
      );
    case 'disband':
      return simple('disband', [keys.teamMembers(write.team)], [], (key) => `redis.call('DEL', ${key(0)})`);
    case 'allow-token':
      return simple(
        'allow',
        [keys.liveToken(write.drawn)],
        [String(write.expiresAt), write.proof ?? '1'],
        // By the time that tokens are made by, which is not always that of the Redis server: see time-source.ts.
        (key, arg) => `redis.call('SET', ${key(0)}, ${arg(1)}, 'PX', math.max(1, ${arg(0)} - now))`,
      );
    case 'revoke-token':
      return simple(
        'revoke',
        [keys.liveToken(drawnPart(write.id)), keys.tokenUse()],
        [drawnPart(write.id)],
        (key, arg) => `redis.call('DEL', ${key(0)})\nredis.call('HDEL', ${key(1)}, ${arg(0)})`,
      );
    case 'count-run-post':
      return simple(
        'count-run-post',
        [keys.runPosts(write.run)],
        [],
        (key) => `redis.call('INCR', ${key(0)})\nredis.call('EXPIRE', ${key(0)}, 5184000)`,
      );
    case 'purge-team':
      return readyStep(keys, {kind: 'purge-team', team: write.team});
    case 'start-replay':
      return startReplayStep(keys, write);
    case 'cancel-replay':
      return cancelReplayStep(keys, write);
    case 'restate-runs':
      return readyStep(keys, {kind: 'restate-runs', ...write.days});
    case 'forget-member':
      return readyStep(keys, forgetWork(write));
    case 'start-erasure':
      return startErasureStep(keys, write);
    case 'note-erasure':
      return noteErasureStep(keys, write);
    case 'connect-slack':
      return simple(
        'connect-slack',
        [keys.slackInstallation(), keys.slackToken(), keys.slackReady(), keys.head()],
        [write.id, write.sealed, write.name, write.by ?? ''],
        (key, arg) => `
if redis.call('HSET', ${key(0)}, 'id', ${arg(0)}, 'installed', now) == 2 then redis.call('HDEL', ${key(3)}, 'cursor:slack') end
redis.call('HSET', ${key(0)}, 'name', ${arg(2)}, 'by', ${arg(3)})
redis.call('SET', ${key(1)}, ${arg(1)})
redis.call('HSETNX', ${key(3)}, 'cursor:slack', redis.call('HGET', ${key(3)}, 'sequence'))
redis.call('HSET', ${key(3)}, 'run:slack', now)
for _, work in ipairs(redis.call('ZRANGE', ${key(2)}, 0, -1)) do redis.call('ZADD', ${key(2)}, now, work) end`,
      );
    case 'disconnect-slack':
      return simple('disconnect-slack', [keys.slackToken()], [], (key) => `redis.call('DEL', ${key(0)})`);
    case 'take-steps':
    case 'ask-look':
    case 'void-looks':
    case 'look-again':
    case 'drop-steps':
    case 'forget-looks':
      return runStep(keys, write);
    case 'unlist':
      return simple(
        'unlist',
        [keys.list(write.list)],
        [write.drawn],
        (key, arg) => `redis.call('ZREM', ${key(0)}, ${arg(0)})`,
      );
    case 'erase-revisions':
      return simple(
        'erase-revisions',
        [keys.revisions(write.drawn)],
        [],
        (key) => `redis.call('DEL', ${key(0)})`,
      );
    case 'relist':
      return relistStep(keys, write);
    case 'keep-typed':
      return typedStep(keys, write);
    case 'prompt':
    case 'snooze-prompt':
      return promptStep(keys, write);
    default:
      return webhookStep(keys, write, retention);
  }
}

function relistStep(
  keys: WorkspaceKeys,
  {drawn, from, to, placedAs}: Extract<Write, {readonly do: 'relist'}>,
): Step {
  const leaving = from === null ? [] : [keys.list(from)];
  const entering = to === null ? [] : [keys.list(to)];
  return simple(
    `relist:${leaving.length}${entering.length}`,
    [keys.list(placedAs), ...leaving, ...entering],
    [drawn],
    (key, arg) => `
do
  local place = redis.call('ZSCORE', ${key(0)}, ${arg(0)})
  ${leaving.map(() => `redis.call('ZREM', ${key(1)}, ${arg(0)})`).join('')}
  ${entering.map(() => `if place then redis.call('ZADD', ${key(1 + leaving.length)}, place, ${arg(0)}) end`).join('')}
end`,
  );
}

/** Names work that somebody has to begin now. */
function readyStep(keys: WorkspaceKeys, work: Work): Step {
  return simple(
    'ready',
    [keys.ready()],
    [workName(work)],
    (key, arg) => `redis.call('ZADD', ${key(0)}, now, ${arg(0)})`,
  );
}

function createStep(
  keys: WorkspaceKeys,
  write: Extract<Write, {do: 'create'}>,
  events: readonly EventDraft[],
): Step {
  const prefix = idPrefixes[write.kind];
  const rendered = write.rendered ?? renderDraft(write.draft);
  const packed = write.kind === 'standup' && write.ofNew === undefined ? packDraft(rendered) : undefined;
  const [draft, rest] = packed === undefined ? splitAtNew(rendered, write.ofNew) : [packed];
  const tail = rest === undefined ? [] : [rest];
  // No two places in a list are the same, or a page that ends between them would lose one.
  const nth = Math.max(
    0,
    events.findIndex(({about}) => about === write.drawn),
  );
  // Mostly it stands under one day in all its lists.
  const days = distinctDays(write.lists);
  return {
    shape: `create:${packed === undefined ? '' : 'packed-'}${prefix}:${write.lists.length}:${days.length}:${tail.length}`,
    keys: [keys.record(write.drawn), ...write.lists.map(({list}) => keys.list(list))],
    args: [write.drawn, draft, String(nth), ...days.map(String), ...tail],
    write: (key, arg) => {
      const places = days.map(
        (_, i) => `local place${i} = string.format('%d', ${arg(i + 3)} * 274877906944 + first + ${arg(2)})`,
      );
      const listed = write.lists.map(
        (_, i) => `redis.call('ZADD', ${key(i + 1)}, place${days.length === 1 ? 0 : i}, ${arg(0)})`,
      );
      const more = rest === undefined ? '' : ` .. stamp .. ${arg(days.length + 3)}`;
      const record =
        packed === undefined
          ? `redis.call('SET', ${key(0)}, '{"id":"${prefix}_' .. stamp .. ${arg(0)} .. '",' .. ${arg(1)}${more}
    .. ',"revision":1,"created_at":"' .. instant .. '","updated_at":"' .. instant .. '"}')`
          : `redis.call('SET', ${key(0)}, '${packedMark}' .. stamp .. ${arg(0)} .. ${arg(1)})`;
      return `
do
  ${[record, ...places, ...listed].join('\n  ')}
end`;
    },
  };
}

function distinctDays(listings: readonly Listing[]): readonly number[] {
  const days = listings.map(({day = 0}) => day);
  return days.every((day) => day === days[0]) ? days.slice(0, 1) : days;
}

/** Length of the part of an id that Redis time makes. */
const timeLength = 26 - drawnLength;

/**
 * A draft in two parts around the time in the id of what is made with it; in one when it names no such
 * thing.
 */
function splitAtNew(draft: string, made: Extract<Write, {do: 'create'}>['ofNew']): [string, string?] {
  if (made === undefined) return [draft];
  const id = unbornId(made.kind, made.drawn);
  const time = draft.indexOf(id) + idPrefixes[made.kind].length + 1;
  return [draft.slice(0, time), draft.slice(time + timeLength)];
}

function reviseStep(keys: WorkspaceKeys, write: Extract<Write, {do: 'revise'}>, {events}: Retention): Step {
  const drawn = drawnPart(write.id);
  const moves = write.move ?? [];
  const draft = renderDraft(write.draft);
  const guard = revisionGuard(keys, write.id, write.from);
  return {
    shape: `revise:${moves.length}${write.before ? ':difference' : ''}`,
    keys: [...guard.keys, keys.revisions(drawn), ...moves.map(({list}) => keys.list(list))],
    args: [
      ...guard.args,
      drawn,
      `{"id":"${write.id}",${draft},"revision":${write.from + 1},"created_at":"${write.createdAt}","updated_at":"`,
      ...moves.map(({day}) => String(day)),
      ...(write.before ? [differenceOf(renderDraft(write.before.draft), draft, write.before.updatedAt)] : []),
    ],
    ...(guard.check && {check: guard.check}),
    write: (key, arg) => {
      const places = moves.map(
        (_, i) => `
do
  local place = redis.call('ZSCORE', ${key(i + 2)}, ${arg(1)})
  if place then redis.call('ZADD', ${key(i + 2)}, ${arg(i + 3)} * 274877906944 + place % 274877906944, ${arg(1)}) end
end`,
      );
      const keep = write.before
        ? `redis.call('HSET', ${key(1)}, ${arg(0)}, ${arg(3 + moves.length)})\nredis.call('EXPIRE', ${key(1)}, ${events})`
        : `redis.call('HSET', ${key(1)}, ${arg(0)}, redis.call('GET', ${key(0)}))`;
      return `
${keep}
redis.call('SET', ${key(0)}, ${arg(2)} .. instant .. '"}')
${places.join('\n')}`;
    },
  };
}

type Leave = Extract<Write, {do: 'remove' | 'erase'}>;

function removeStep(keys: WorkspaceKeys, write: Leave, {events}: Retention): Step {
  const removed = [...new Set(write.names)].map((person) => keys.list(lists.removedOf(person)));
  return leaveStep(
    keys,
    write,
    removed,
    (record, revisions, from) => `
redis.call('HSET', ${revisions}, ${from}, redis.call('GET', ${record}))
redis.call('EXPIRE', ${revisions}, ${events})
redis.call('DEL', ${record})`,
    (list, entry) => noteRemoved(list, entry, events),
  );
}

/** Lists something as removed of somebody, for as long as a revision of it may stay (s). */
function noteRemoved(list: string, entry: string, events: number): string {
  return `
redis.call('ZADD', ${list}, now, ${entry})
redis.call('ZREMRANGEBYSCORE', ${list}, '-inf', now - ${events * 1_000})
redis.call('EXPIRE', ${list}, ${events})`;
}

function eraseStep(keys: WorkspaceKeys, write: Leave): Step {
  return leaveStep(keys, write, [], (record, revisions) => `\nredis.call('DEL', ${record}, ${revisions})`);
}

/**
 * A resource leaves its lists; `part` says in Lua what becomes of its record and its revisions, `note` how
 * the lists of what was removed grow.
 */
function leaveStep(
  keys: WorkspaceKeys,
  write: Leave,
  removed: readonly AnyKey[],
  part: (record: string, revisions: string, from: string) => string,
  note: (list: string, drawn: string) => string = () => '',
): Step {
  const drawn = drawnPart(write.id);
  const guard = revisionGuard(keys, write.id, write.from);
  const left = write.lists.map((list) => keys.list(list));
  return {
    shape: `${write.do}:${left.length}:${removed.length}`,
    keys: [...guard.keys, keys.revisions(drawn), ...left, ...removed],
    args: [...guard.args, drawn],
    ...(guard.check && {check: guard.check}),
    write: (key, arg) =>
      [
        part(key(0), key(1), arg(0)),
        ...left.map((_, i) => `redis.call('ZREM', ${key(i + 2)}, ${arg(1)})`),
        ...removed.map((_, i) => note(key(left.length + i + 2), arg(1))),
      ].join('\n'),
  };
}
