import {type Work, workName} from '../../domain/core/work.js';
import {type RedisConnection, script} from '../core/connection.js';
import {globalKeys, workspaceKeys} from '../core/keys.js';
import {type Id, storedId} from '../../domain/core/ids.js';

export interface SlackInstallationRecord {
  readonly slackId: string;
  /** Redis time of the latest installation, in ms. */
  readonly installedAt: number;
  /** The bot's token, encrypted; undefined while it is disconnected. */
  readonly encrypted: string | undefined;
  /** Slack's name of the workspace or organisation. */
  readonly name: string | undefined;
  /** The member who has installed it last, if it was a member. */
  readonly by: Id<'member'> | undefined;
}

/** Assigns Slack workspaces (Slack ids) to ours, and stores their encrypted tokens. */
export interface SlackInstallationRecords {
  /**
   * Our workspace that a Slack workspace belongs to permanently: the one it has already, or else `workspace`.
   * With `alone` only if that one has no Slack workspace yet; undefined when it has.
   */
  claim: (
    slackId: string,
    workspace: Id<'workspace'>,
    options: {readonly alone: boolean},
    deadline: number,
  ) => Promise<Id<'workspace'> | undefined>;
  findWorkspace: (slackId: string, deadline: number) => Promise<Id<'workspace'> | undefined>;
  /** Undefined while the bot has never been installed for it. */
  find: (workspace: Id<'workspace'>, deadline: number) => Promise<SlackInstallationRecord | undefined>;
  list: (deadline: number) => Promise<{slackId: string; workspace: Id<'workspace'>}[]>;
  /**
   * Postpones work while there is no token for it; does nothing when there is one. Connecting makes the work
   * due again.
   */
  park: (workspace: Id<'workspace'>, work: Work, deadline: number) => Promise<void>;
  /**
   * Postpones work for a few minutes, for a token in the environment, where no connecting makes it due again.
   */
  postpone: (workspace: Id<'workspace'>, work: Work, deadline: number) => Promise<void>;
}

/**
 * KEYS: Slack ids → ours. ARGV: Slack id, ours, `1` when ours must have no other. Returns ours, or nothing.
 */
const claimScript = script(`#!lua
local known = redis.call('HGET', KEYS[1], ARGV[1])
if known then return known end
if ARGV[3] == '1' then
  for _, taken in ipairs(redis.call('HVALS', KEYS[1])) do
    if taken == ARGV[2] then return false end
  end
end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
return ARGV[2]`);

/**
 * KEYS: token, ready. ARGV: work, delay (ms). Checks the token in the same step, or it could undo a
 * connecting.
 */
const parkScript = script(`#!lua flags=allow-oom
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
local time = redis.call('TIME')
return redis.call('ZADD', KEYS[2], 'XX', time[1] * 1000 + tonumber(ARGV[2]), ARGV[1])`);

/** KEYS: ready. ARGV: work, delay (ms). */
const postponeScript = script(`#!lua flags=allow-oom
local time = redis.call('TIME')
return redis.call('ZADD', KEYS[1], 'XX', time[1] * 1000 + tonumber(ARGV[2]), ARGV[1])`);

const postponedMs = 5 * 60_000;
const parkedMs = 24 * 3_600_000;

export function createSlackInstallationRecords({
  call,
  run,
}: Pick<RedisConnection, 'call' | 'run'>): SlackInstallationRecords {
  return {
    async claim(slackId, workspace, {alone}, deadline) {
      const args = [slackId, workspace, alone ? '1' : '0'];
      return (
        (await run<Id<'workspace'> | null>(deadline, claimScript, [globalKeys.slackWorkspaces()], args)) ??
        undefined
      );
    },
    async findWorkspace(slackId, deadline) {
      const key = globalKeys.slackWorkspaces();
      return (await call<Id<'workspace'> | null>(deadline, ['HGET', key, slackId])) ?? undefined;
    },
    async find(workspace, deadline) {
      const keys = workspaceKeys(workspace);
      // The order matters: an earlier installation with a later token does no harm, while in the other order
      // a replaced token would count for its successor.
      const [[slackId, installed, name, by], encrypted] = await Promise.all([
        call<(string | null)[]>(deadline, [
          'HMGET',
          keys.slackInstallation(),
          'id',
          'installed',
          'name',
          'by',
        ]),
        call<string | null>(deadline, ['GET', keys.slackToken()]),
      ]);
      if (typeof slackId !== 'string') return undefined;
      const details = {name: name ?? undefined, by: !by ? undefined : storedId<'member'>(by)};
      return {slackId, installedAt: Number(installed), encrypted: encrypted ?? undefined, ...details};
    },
    async list(deadline) {
      const flat = await call<string[]>(deadline, ['HGETALL', globalKeys.slackWorkspaces()]);
      return flat.flatMap((slackId, i) =>
        i % 2 === 0 ? [{slackId, workspace: storedId<'workspace'>(flat[i + 1] ?? '')}] : [],
      );
    },
    async park(workspace, work, deadline) {
      const keys = workspaceKeys(workspace);
      const args = [workName(work), String(parkedMs)];
      await run(deadline, parkScript, [keys.slackToken(), keys.slackReady()], args);
    },
    async postpone(workspace, work, deadline) {
      const args = [workName(work), String(postponedMs)];
      await run(deadline, postponeScript, [workspaceKeys(workspace).slackReady()], args);
    },
  };
}

/** Started installations of the bot: each is valid for one return within 10 minutes. */
export interface SlackStates {
  keep: (hash: string, deadline: number) => Promise<void>;
  /** True the first time, for a stored one. */
  take: (hash: string, deadline: number) => Promise<boolean>;
}

const stateSeconds = '600';

export function createSlackStates({call}: Pick<RedisConnection, 'call'>): SlackStates {
  return {
    async keep(hash, deadline) {
      await call(deadline, ['SET', globalKeys.slackState(hash), '1', 'EX', stateSeconds]);
    },
    async take(hash, deadline) {
      return (await call<string | null>(deadline, ['GETDEL', globalKeys.slackState(hash)])) !== null;
    },
  };
}
