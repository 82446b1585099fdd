import {type Work, workName} from '../../domain/core/work.js';
import {type RedisConnection, script} from '../core/connection.js';
import {globalKeys, workspaceKeys} from '../core/keys.js';
import {type Id, storedId} from '../../domain/core/ids.js';

export interface SlackInstallationRecord {
  readonly slackId: string;
  /** The time of the last installation, in ms by the clock of Redis. */
  readonly installedAt: number;
  /** The encrypted bot token; undefined while the bot is disconnected. */
  readonly encrypted: string | undefined;
  /** The name of the workspace or organisation in Slack. */
  readonly name: string | undefined;
  /** The person who last installed the bot, if that person is a member. */
  readonly by: Id<'member'> | undefined;
}

/** Stores which of our workspaces each Slack workspace belongs to, and the encrypted bot tokens. */
export interface SlackInstallationRecords {
  /**
   * Returns our workspace to which a Slack workspace belongs permanently: the one stored earlier, or else
   * `workspace`, which is stored now. With `alone`, `workspace` must not have another Slack workspace;
   * otherwise the result is undefined.
   */
  claim: (
    slackId: string,
    workspace: Id<'workspace'>,
    options: {readonly alone: boolean},
    deadline: number,
  ) => Promise<Id<'workspace'> | undefined>;
  findWorkspace: (slackId: string, deadline: number) => Promise<Id<'workspace'> | undefined>;
  /** Returns the installation of a workspace; undefined if the bot was never installed. */
  find: (workspace: Id<'workspace'>, deadline: number) => Promise<SlackInstallationRecord | undefined>;
  list: (deadline: number) => Promise<{slackId: string; workspace: Id<'workspace'>}[]>;
  /**
   * Postpones work if the workspace has no bot token; otherwise does nothing. A new connection to Slack makes
   * the work due again.
   */
  park: (workspace: Id<'workspace'>, work: Work, deadline: number) => Promise<void>;
  /**
   * Postpones work for a few minutes. This is for a token in the environment, where no new connection would
   * make the work due again.
   */
  postpone: (workspace: Id<'workspace'>, work: Work, deadline: number) => Promise<void>;
}

/**
 * Assigns a Slack workspace to one of ours. KEYS: the hash from Slack ids to our workspaces. ARGV: the Slack
 * id, our workspace, `1` if our workspace must have no other Slack workspace. Returns our workspace, or
 * nothing.
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
 * Postpones work while there is no token. The token is checked in the same step, because a new connection
 * could otherwise be missed. KEYS: the token, the due Slack work. ARGV: the name of the work, the delay (ms).
 */
const parkScript = script(`#!lua flags=allow-oom
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
local time = redis.call('TIME')
return redis.call('ZADD', KEYS[2], 'XX', time[1] * 1000 + tonumber(ARGV[2]), ARGV[1])`);

/** Postpones work. KEYS: the due Slack work. ARGV: the name of the work, the delay (ms). */
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
      // The record is read before the token. In the other order, a token that was just replaced could be
      // taken for the new one.
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

/**
 * Installations of the bot that have been started. Each accepts one redirect back from Slack, within 10
 * minutes.
 */
export interface SlackStates {
  keep: (hash: string, deadline: number) => Promise<void>;
  /** Returns true if this state (from Slack's redirect) was stored, but only the first time. */
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
