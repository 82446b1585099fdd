import type {Guard} from '../../domain/commit/commit.js';
import type {SlackWrite} from '../../domain/commit/writes.js';
import {lifetimes} from '../../domain/core/limits.js';
import {type WriteContext, type Step, createWriteOnlyStep, stale} from '../commit/step.js';
import type {RedisConnection} from '../core/connection.js';
import {type WorkspaceKeys, workspaceKeys} from '../core/keys.js';
import type {Id} from '../../domain/core/ids.js';

/** Records of people's messages to the bot, by Slack user: a version, a space and JSON. */
export interface TypedRecords {
  find: (
    workspace: Id<'workspace'>,
    slackUser: string,
    deadline: number,
  ) => Promise<{readonly version: string; readonly json: string} | undefined>;
  forget: (workspace: Id<'workspace'>, slackUser: string, deadline: number) => Promise<void>;
}

export function createTypedInputRecords({call}: Pick<RedisConnection, 'call'>): TypedRecords {
  return {
    async find(workspace, slackUser, deadline) {
      const kept = await call<string | null>(deadline, ['GET', workspaceKeys(workspace).typed(slackUser)]);
      if (kept === null) return undefined;
      const end = kept.indexOf(' ');
      return {version: kept.slice(0, end), json: kept.slice(end + 1)};
    },
    async forget(workspace, slackUser, deadline) {
      await call(deadline, ['DEL', workspaceKeys(workspace).typed(slackUser)]);
    },
  };
}

/**
 * Creates the check that nobody has changed the record since it was read. An empty version means that there
 * was no record.
 */
export function createTypedInputGuardStep(
  guard: Extract<Guard, {check: 'typed'}>,
  keys: WorkspaceKeys,
): Step {
  return {
    shape: 'typed',
    keys: [keys.typed(guard.slackUser)],
    args: [guard.version],
    check: (key, arg) =>
      `if string.match(redis.call('GET', ${key(0)}) or '', '^%S*') ~= ${arg(0)} then ${stale} end`,
  };
}

export function createTypedInputStep(
  {slackUser, version, json}: Extract<SlackWrite, {do: 'keep-typed'}>,
  {keys}: Pick<WriteContext, 'keys'>,
): Step {
  return createWriteOnlyStep(
    'keep-typed',
    [keys.typed(slackUser)],
    [`${version} ${json}`],
    (key, arg) => `redis.call('SET', ${key(0)}, ${arg(0)}, 'EX', ${lifetimes.typed})`,
  );
}
