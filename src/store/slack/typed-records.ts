import type {RedisCommands} from '../core/connection.js';
import {workspaceKeys} from '../core/keys.js';
import type {Id} from '../../domain/core/ids.js';

/** Records of people's messages to the bot, by Slack user: a version, a space and JSON. */
export type TypedRecords = ReturnType<typeof createTypedInputRecords>;

export function createTypedInputRecords({call}: RedisCommands) {
  return {
    async find(
      workspace: Id<'workspace'>,
      slackUser: string,
      deadline: number,
    ): Promise<{readonly version: string; readonly json: string} | undefined> {
      const kept = await call<string | null>(deadline, ['GET', workspaceKeys(workspace).typed(slackUser)]);
      if (kept === null) return undefined;
      const end = kept.indexOf(' ');
      return {version: kept.slice(0, end), json: kept.slice(end + 1)};
    },
    async forget(workspace: Id<'workspace'>, slackUser: string, deadline: number): Promise<void> {
      await call(deadline, ['DEL', workspaceKeys(workspace).typed(slackUser)]);
    },
  };
}
