import type {PageQuery} from '../../domain/core/lists.js';
import {type Id, storedSuffix, type IdSuffix} from '../../domain/core/ids.js';
import {lifetimes} from '../../domain/core/limits.js';
import {
  parseSlackItemName,
  type SlackItem,
  type SlackTrouble,
  slackItemName,
} from '../../domain/slack/slack-post.js';
import {workName} from '../../domain/core/work.js';
import {type RedisConnection, script} from '../core/connection.js';
import {workspaceKeys} from '../core/keys.js';
import type {LogMark} from '../core/log-lua.js';
import {createSlackItemKey} from './slack-items.js';
import {formatNotifiedEntry} from './slack-people.js';
import {requireNext} from './slack-scripts.js';

/**
 * The problem that prevents a channel from showing standups and reports, until all are shown. The team's
 * leads are told once about it, and about its end. One hash contains everything; `recordOutcomeScript` in
 * slack-scripts.ts counts the delayed items.
 */
export interface SlackTroubleRecords {
  /**
   * Records that a channel accepts no messages (`code`), or that one item was given up. The messages that
   * tell people about the problem are then updated.
   */
  note: (
    workspace: Id<'workspace'>,
    channel: string,
    trouble: {readonly team: IdSuffix<'team'>; readonly code: string; readonly lost?: SlackItem},
    deadline: number,
  ) => Promise<void>;
  find: (workspace: Id<'workspace'>, channel: string, deadline: number) => Promise<SlackTrouble | undefined>;
  /**
   * Lists channels that had a problem, the latest first. `past`: the time (ms) at which the previous page
   * ended.
   */
  list: (
    workspace: Id<'workspace'>,
    query: PageQuery,
    deadline: number,
  ) => Promise<{readonly channels: readonly string[]; readonly next: number | undefined}>;
  /**
   * Moves the position past an event about a problem. Each person gets one message about each problem.
   * Returns false when another process was faster.
   */
  read: (
    workspace: Id<'workspace'>,
    event: LogMark,
    trouble: {readonly channel: string; readonly notify: readonly string[]},
    deadline: number,
  ) => Promise<boolean>;
  /** Updates the messages to the people who were told. */
  refresh: (workspace: Id<'workspace'>, channel: string, deadline: number) => Promise<readonly string[]>;
  /**
   * Makes everything that waits in a channel due at once, including items that were given up. Items that wait
   * for Slack's rate limits still wait.
   */
  resume: (workspace: Id<'workspace'>, channel: string, deadline: number) => Promise<void>;
}

/** The number of people who are told about one problem. A script needs two keys for each. */
const maxNotified = 90;

const clock = `
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000`;

/**
 * The Lua that updates the messages to people who were told about a problem. From the given position on, KEYS
 * are each person's pending items and the list of everything stored for them, and ARGV is the name of each
 * person's work.
 */
const notifyAgain = `
local function notifyAgain(ready, item, keys, args)
  for i = keys, #KEYS, 2 do
    redis.call('ZADD', KEYS[i], now, item)
    redis.call('EXPIRE', KEYS[i + 1], ${lifetimes.events})
    redis.call('ZADD', ready, 'LT', now, ARGV[args + (i - keys) / 2])
  end
end`;

/** The maximum number of listed channels, which are the latest. */
const listedAtMost = 1_000;

/**
 * Records a delivery problem. KEYS: the channel's problem, the due Slack work, the list of channels with
 * problems, then for each person who was told: their pending items, the list of everything stored for them.
 * ARGV: the team, Slack's error code, the item that was given up or '', the lifetime (s), the channel, the
 * item of the messages to people, the name of each person's work.
 */
const noteScript = script(`#!lua flags=allow-oom
${clock}
${notifyAgain}
local trouble, mustNotify = KEYS[1], true
if redis.call('HGET', trouble, 'state') == 'done' then
  redis.call('DEL', trouble)
  mustNotify = false
end
redis.call('HSETNX', trouble, 'since', string.format('%.0f', now))
redis.call('HSET', trouble, 'team', ARGV[1], 'tried', string.format('%.0f', now))
if ARGV[3] == '' then
  redis.call('HSET', trouble, 'code', ARGV[2], 'state', 'open')
else
  redis.call('HSETNX', trouble, 'state', 'open')
  redis.call('HSET', trouble, 'lost:' .. ARGV[3], ARGV[2])
end
redis.call('EXPIRE', trouble, ARGV[4])
-- Two channels must not have the same score, because the next page begins below the last score.
local latest = redis.call('ZRANGE', KEYS[3], -1, -1, 'WITHSCORES')[2]
redis.call('ZADD', KEYS[3], string.format('%.0f', math.max(math.floor(now), tonumber(latest or '0') + 1)), ARGV[5])
redis.call('ZREMRANGEBYRANK', KEYS[3], 0, -1 - ${listedAtMost})
redis.call('EXPIRE', KEYS[3], ARGV[4])
if mustNotify and ARGV[6] ~= '' then notifyAgain(KEYS[2], ARGV[6], 4, 7) end
return 1`);

/**
 * Moves the position past an event about a delivery problem. KEYS: the workspace's head, the event log, the
 * due Slack work, the channel's problem, then for each person who is told now: the record of the message,
 * their pending items, the list of everything stored for them. ARGV: the number, time (ms) and resource of
 * the event, the number of the event by which people were told before or '', the item, the lifetime (s), all
 * people who have then been told, the name in the lists of stored data, the name of each person's work.
 * Returns 1, or 0 when the position, the event or the problem is another one.
 */
const readTroubleScript = script(`#!lua flags=allow-oom
${requireNext}
${clock}
if redis.call('EXISTS', KEYS[4]) == 1 then
  if (redis.call('HGET', KEYS[4], 'notice') or '') ~= ARGV[4] then return 0 end
  redis.call('HSETNX', KEYS[4], 'notice', ARGV[1])
  redis.call('HSET', KEYS[4], 'told', ARGV[7])
  for i = 9, #ARGV do
    local notice, pending, kept = KEYS[3 * i - 22], KEYS[3 * i - 21], KEYS[3 * i - 20]
    redis.call('HSET', notice, 'failures', '0')
    redis.call('EXPIRE', notice, ARGV[6])
    redis.call('SADD', kept, ARGV[5], ARGV[8])
    redis.call('EXPIRE', kept, ARGV[6])
    redis.call('ZADD', pending, now, ARGV[5])
    redis.call('ZADD', KEYS[3], 'LT', now, ARGV[i])
  end
end
redis.call('HSET', KEYS[1], 'cursor:slack', ARGV[1])
return 1`);

/**
 * Updates messages to people. KEYS: the due Slack work, then for each person who was told: their pending
 * items, the list of everything stored for them. ARGV: the item, the name of each person's work.
 */
const refreshScript = script(`#!lua flags=allow-oom
${clock}
${notifyAgain}
notifyAgain(KEYS[1], ARGV[1], 2, 2)
return 1`);

/**
 * Makes the items of a channel due again. KEYS: the channel's problem, the lease, the pending items, the due
 * Slack work, then for each item that was given up: its record. ARGV: the name of the channel's work, then
 * the items that were given up. A mark of a call with an unknown result is removed, because a person has
 * checked the channel. The mark of a call in progress stays.
 */
const resumeScript = script(`#!lua flags=allow-oom
${clock}
local trouble, lease, pending, ready = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
if redis.call('GET', lease) == 'paused' then redis.call('DEL', lease) end
local idle = redis.call('EXISTS', lease) == 0
for i = 5, #KEYS do
  if redis.call('HDEL', trouble, 'lost:' .. ARGV[i - 3]) == 1 and redis.call('EXISTS', KEYS[i]) == 1 then
    redis.call('HDEL', KEYS[i], 'failed', 'failures')
    -- The earlier message may have arrived after all, so the next message is not posted as if it were the
    -- first.
    if idle and redis.call('HDEL', KEYS[i], 'sending', 'part') > 0 then redis.call('HSET', KEYS[i], 'again', '1') end
    redis.call('ZADD', pending, 'NX', now, ARGV[i - 3])
  end
end
for i, member in ipairs(redis.call('ZRANGE', pending, 0, -1)) do
  redis.call('ZADD', pending, 'LT', now + i / 1000 - 1, member)
end
if redis.call('EXISTS', trouble) == 1 then redis.call('HSET', trouble, 'retried', '1') end
redis.call('ZADD', ready, 'LT', now, ARGV[1])
return 1`);

/** The maximum number of items that one script changes. */
const lostAtOnce = 100;

export function createSlackTroubles({call, run}: Pick<RedisConnection, 'call' | 'run'>): SlackTroubleRecords {
  async function findSlackTrouble(
    workspace: Id<'workspace'>,
    channel: string,
    deadline: number,
  ): Promise<SlackTrouble | undefined> {
    const flat = await call<string[]>(deadline, ['HGETALL', workspaceKeys(workspace).slackTrouble(channel)]);
    const fields = new Map(
      flat.flatMap((name, i) => (i % 2 === 0 ? [[name, flat[i + 1] ?? ''] as const] : [])),
    );
    const state = fields.get('state');
    if (state === undefined) return undefined;
    const notice = fields.get('notice');
    return {
      channel,
      state: state as SlackTrouble['state'],
      team: storedSuffix(fields.get('team') ?? ''),
      code: fields.get('code'),
      since: Number(fields.get('since') ?? 0),
      tried: Number(fields.get('tried') ?? 0),
      notice: notice === undefined ? undefined : Number(notice),
      notified: JSON.parse(fields.get('told') ?? '[]') as string[],
      lost: [...fields.keys()].flatMap((name) =>
        name.startsWith('lost:') ? [parseSlackItemName(name.slice(5))] : [],
      ),
      shown: Number(fields.get('shown') ?? 0),
      reports: Number(fields.get('reports') ?? 0),
      held: Number(fields.get('held') ?? 0),
    };
  }

  function findAffectedKeys(
    workspace: Id<'workspace'>,
    found: SlackTrouble | undefined,
  ): {item: string; owned: string[]; works: string[]} {
    const notified = found?.notice === undefined ? [] : found.notified;
    const keys = workspaceKeys(workspace);
    return {
      item: found?.notice === undefined ? '' : slackItemName({kind: 'notice', sequence: found.notice}),
      owned: notified.flatMap((person) => [keys.slackPending(person), keys.slackKept(person)]),
      works: notified.map((channel) => workName({kind: 'post-slack', channel})),
    };
  }

  return {
    find: findSlackTrouble,
    async note(workspace, channel, {team, code, lost}, deadline) {
      const keys = workspaceKeys(workspace);
      const {item, owned, works} = findAffectedKeys(
        workspace,
        await findSlackTrouble(workspace, channel, deadline),
      );
      await run(
        deadline,
        noteScript,
        [keys.slackTrouble(channel), keys.slackReady(), keys.slackTroubles(), ...owned],
        [
          team,
          code,
          lost === undefined ? '' : slackItemName(lost),
          String(lifetimes.events),
          channel,
          item,
          ...works,
        ],
      );
    },
    async list(workspace, {past, limit}, deadline) {
      const flat = await call<string[]>(deadline, [
        'ZREVRANGEBYSCORE',
        workspaceKeys(workspace).slackTroubles(),
        past === undefined ? '+inf' : `(${past}`,
        '-inf',
        'WITHSCORES',
        'LIMIT',
        '0',
        String(limit + 1),
      ]);
      const pairs = flat.flatMap((channel, i) => (i % 2 === 0 ? [{channel, at: Number(flat[i + 1])}] : []));
      const shown = pairs.slice(0, limit);
      return {
        channels: shown.map(({channel}) => channel),
        next: pairs.length > limit ? shown.at(-1)?.at : undefined,
      };
    },
    async read(workspace, {sequence, at, about}, {channel, notify}, deadline) {
      const keys = workspaceKeys(workspace);
      const {notice, notified = []} = (await findSlackTrouble(workspace, channel, deadline)) ?? {};
      const others = notify
        .filter((person) => !notified.includes(person))
        .slice(0, Math.max(0, maxNotified - notified.length));
      const named = notice ?? sequence;
      const people = others.flatMap((person) => [
        keys.slackNotice(person, named),
        keys.slackPending(person),
        keys.slackKept(person),
      ]);
      const item = slackItemName({kind: 'notice', sequence: named});
      const works = others.map((person) => workName({kind: 'post-slack', channel: person}));
      const all = JSON.stringify([...notified, ...others]);
      return (
        (await run<number>(
          deadline,
          readTroubleScript,
          [keys.head(), keys.events(), keys.slackReady(), keys.slackTrouble(channel), ...people],
          [
            String(sequence),
            String(at),
            about,
            String(notice ?? ''),
            item,
            String(lifetimes.events),
            all,
            formatNotifiedEntry(channel),
            ...works,
          ],
        )) === 1
      );
    },
    async refresh(workspace, channel, deadline) {
      const found = await findSlackTrouble(workspace, channel, deadline);
      const {item, owned, works} = findAffectedKeys(workspace, found);
      if (item === '') return [];
      await run(deadline, refreshScript, [workspaceKeys(workspace).slackReady(), ...owned], [item, ...works]);
      return found?.notified ?? [];
    },
    async resume(workspace, channel, deadline) {
      const keys = workspaceKeys(workspace);
      const lost = (await findSlackTrouble(workspace, channel, deadline))?.lost.slice(0, lostAtOnce) ?? [];
      await run(
        deadline,
        resumeScript,
        [
          keys.slackTrouble(channel),
          keys.slackLease(channel),
          keys.slackPending(channel),
          keys.slackReady(),
          ...lost.map((item) => createSlackItemKey(workspace, channel, item)),
        ],
        [workName({kind: 'post-slack', channel}), ...lost.map(slackItemName)],
      );
    },
  };
}
