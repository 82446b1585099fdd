import type {RedisCommands} from '../core/connection.js';
import {notePublicChannelScript} from '../core/compiled/lua.js';
import {workspaceKeys} from '../core/keys.js';
import type {Id} from '../../domain/core/ids.js';

/** The number of remembered channels, more than a workspace has teams. The last joined ones are kept. */
const mostKept = 1_000;

/** Facts about the channels of a Slack workspace. */
export function createSlackChannels({call, run}: RedisCommands) {
  return {
    /** Records that the bot joined without an invitation, which Slack allows only for public channels. */
    async notePublic(workspace: Id<'workspace'>, channel: string, deadline: number): Promise<void> {
      const args = [channel, String(mostKept)];
      await run(deadline, notePublicChannelScript, [workspaceKeys(workspace).slackPublic()], args);
    },
    /** Returns those of the given channels that are known to be public. */
    async listPublic(
      workspace: Id<'workspace'>,
      channels: readonly string[],
      deadline: number,
    ): Promise<ReadonlySet<string>> {
      if (channels.length === 0) return new Set();
      const key = workspaceKeys(workspace).slackPublic();
      const found = await call<(string | null)[]>(deadline, ['ZMSCORE', key, ...channels]);
      return new Set(channels.filter((_, i) => found[i] !== null));
    },
  };
}
