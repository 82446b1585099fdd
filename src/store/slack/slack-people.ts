import {lifetimes} from '../../domain/core/limits.js';
import {parseSlackItemName} from '../../domain/slack/slack-post.js';
import {workName} from '../../domain/core/work.js';
import {type RedisConnection, script} from '../core/connection.js';
import {workspaceKeys} from '../core/keys.js';
import {createSlackItemKey} from './slack-items.js';
import type {TeamRests} from './team-rests.js';
import type {TypedRecords} from './typed-records.js';
import type {Id} from '../../domain/core/ids.js';

/** Everything that is stored for a Slack user. */
export interface SlackPeople {
  /**
   * Deletes a limited part of the person's data. Returns true while there may be more. A reminder that is
   * visible in Slack is left to the process that edits it there, which then deletes its record.
   */
  forget: (workspace: Id<'workspace'>, slackUser: string, deadline: number) => Promise<boolean>;
  /** Stores the URL of a person's picture for 30 days; undefined deletes it. */
  keepPicture: (
    workspace: Id<'workspace'>,
    slackUser: string,
    address: string | undefined,
    deadline: number,
  ) => Promise<void>;
  findPicture: (
    workspace: Id<'workspace'>,
    slackUser: string,
    deadline: number,
  ) => Promise<string | undefined>;
  /** Stores the locale of a person for 30 days; undefined deletes it. */
  keepLocale: (
    workspace: Id<'workspace'>,
    slackUser: string,
    locale: string | undefined,
    deadline: number,
  ) => Promise<void>;
  findLocale: (
    workspace: Id<'workspace'>,
    slackUser: string,
    deadline: number,
  ) => Promise<string | undefined>;
}

/** The names of a person's picture and locale in the list of their stored data. */
const [pictureEntry, localeEntry] = ['picture/', 'locale/'];

/**
 * Returns the name under which the list of a person's stored data has a delivery problem that the person was
 * told about.
 */
export const formatNotifiedEntry = (channel: string): string => `told/${channel}`;

/**
 * Deletes the stored data of a Slack user. KEYS: the pending items of the user's channel, the due Slack work,
 * the workspace's head, the list of everything stored for the user, the installation, the bot token, then the
 * key of each thing in that list. ARGV: the Slack id, the name of the channel's work, then the names in that
 * list. Returns 1 when a reminder was left.
 */
const forgetScript = script(`#!lua flags=allow-oom
local pending, ready, kept = KEYS[1], KEYS[2], KEYS[4]
local user, work = ARGV[1], ARGV[2]
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
-- In a workspace without its bot, nobody can edit the reminder in Slack, so its record is deleted. If there
-- is no installation record, the token may be in the environment.
local removed = redis.call('EXISTS', KEYS[5]) == 1 and redis.call('EXISTS', KEYS[6]) == 0
local served = redis.call('HEXISTS', KEYS[3], 'cursor:slack') == 1 and not removed
local function forget(entry, key)
  if string.sub(entry, 1, 5) == 'told/' then
    local others = {}
    for _, one in ipairs(cjson.decode(redis.call('HGET', key, 'told') or '[]')) do
      if one ~= user then others[#others + 1] = one end
    end
    if redis.call('EXISTS', key) == 1 then redis.call('HSET', key, 'told', #others > 0 and cjson.encode(others) or '[]') end
    return true
  end
  if string.sub(entry, 1, 7) == 'prompt/' then
    -- A reminder that now belongs to another Slack account must stay.
    if redis.call('HGET', key, 'user') ~= user then return true end
    local shownFields = redis.call('HEXISTS', key, 'ts') + redis.call('HEXISTS', key, 'sending') + redis.call('HEXISTS', key, 'old')
    if served and shownFields > 0 then return false end
  end
  redis.call('DEL', key)
  return true
end
local left = 0
for i = 3, #ARGV do
  if forget(ARGV[i], KEYS[i + 4]) then
    redis.call('SREM', kept, ARGV[i])
    redis.call('ZREM', pending, ARGV[i])
  else
    left = 1
    redis.call('ZADD', pending, now, ARGV[i])
    redis.call('ZADD', ready, 'LT', now, work)
  end
end
if left == 0 and redis.call('EXISTS', kept) == 0 then
  redis.call('DEL', pending)
  redis.call('ZREM', ready, work)
end
return left`);

/**
 * Stores a picture or locale, or deletes it if no value is given. KEYS: the key of the picture or locale, the
 * list of everything stored for the Slack user. ARGV: its name in that list, the lifetime (s), the value
 * (absent to delete).
 */
const keepScript = script(`#!lua flags=allow-oom
if ARGV[3] then
  redis.call('SET', KEYS[1], ARGV[3], 'EX', ARGV[2])
  redis.call('SADD', KEYS[2], ARGV[1])
  redis.call('EXPIRE', KEYS[2], ARGV[2])
else
  redis.call('DEL', KEYS[1])
  redis.call('SREM', KEYS[2], ARGV[1])
end
return 1`);

const forgottenAtOnce = 100;

export function createSlackPeople(
  {call, run}: Pick<RedisConnection, 'call' | 'run'>,
  teamRests: Pick<TeamRests, 'forget'>,
  typedRecords: Pick<TypedRecords, 'forget'>,
): SlackPeople {
  return {
    async forget(workspace, slackUser, deadline) {
      await teamRests.forget(workspace, slackUser, deadline);
      await typedRecords.forget(workspace, slackUser, deadline);
      const keys = workspaceKeys(workspace);
      const all = await call<string[]>(deadline, ['SMEMBERS', keys.slackKept(slackUser)]);
      const entries = all.slice(0, forgottenAtOnce);
      const named = entries.map((entry) => {
        if (entry === pictureEntry) return keys.slackPicture(slackUser);
        if (entry === localeEntry) return keys.slackLocale(slackUser);
        return entry.startsWith(formatNotifiedEntry(''))
          ? keys.slackTrouble(entry.slice(formatNotifiedEntry('').length))
          : createSlackItemKey(workspace, slackUser, parseSlackItemName(entry));
      });
      const own = [
        keys.slackPending(slackUser),
        keys.slackReady(),
        keys.head(),
        keys.slackKept(slackUser),
        keys.slackInstallation(),
        keys.slackToken(),
      ];
      const work = workName({kind: 'post-slack', channel: slackUser});
      const left = await run<number>(
        deadline,
        forgetScript,
        [...own, ...named],
        [slackUser, work, ...entries],
      );
      return all.length > entries.length && left === 0;
    },
    async keepPicture(workspace, slackUser, address, deadline) {
      const keys = workspaceKeys(workspace);
      const args = [pictureEntry, String(lifetimes.events), ...(address === undefined ? [] : [address])];
      await run(deadline, keepScript, [keys.slackPicture(slackUser), keys.slackKept(slackUser)], args);
    },
    async findPicture(workspace, slackUser, deadline) {
      const key = workspaceKeys(workspace).slackPicture(slackUser);
      return (await call<string | null>(deadline, ['GET', key])) ?? undefined;
    },
    async keepLocale(workspace, slackUser, locale, deadline) {
      const keys = workspaceKeys(workspace);
      const args = [localeEntry, String(lifetimes.events), ...(locale === undefined ? [] : [locale])];
      await run(deadline, keepScript, [keys.slackLocale(slackUser), keys.slackKept(slackUser)], args);
    },
    async findLocale(workspace, slackUser, deadline) {
      const key = workspaceKeys(workspace).slackLocale(slackUser);
      return (await call<string | null>(deadline, ['GET', key])) ?? undefined;
    },
  };
}
