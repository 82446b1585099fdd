import {type RedisConnection, script} from '../core/connection.js';
import {workspaceKeys} from '../core/keys.js';
import type {Id} from '../../domain/core/ids.js';

/** Facts about the channels of a Slack workspace. */
export interface SlackChannels {
  /**
   * Records that the bot could join a channel without an invitation, which Slack allows only for public
   * channels.
   */
  notePublic: (workspace: Id<'workspace'>, channel: string, deadline: number) => Promise<void>;
  /** Returns those of the given channels that are known to be public. */
  listPublic: (
    workspace: Id<'workspace'>,
    channels: readonly string[],
    deadline: number,
  ) => Promise<ReadonlySet<string>>;
}

/**
 * The number of remembered channels, which exceeds the teams of a workspace. The last joined channels are
 * kept.
 */
const mostKept = 1_000;

/**
 * Records a public channel. KEYS: the list of public channels. ARGV: the channel, the number of channels to
 * keep in the list.
 */
const noteScript = script(`#!lua flags=allow-oom
redis.call('ZADD', KEYS[1], redis.call('TIME')[1], ARGV[1])
redis.call('ZREMRANGEBYRANK', KEYS[1], 0, -1 - ARGV[2])
return 1`);

export function createSlackChannels({call, run}: Pick<RedisConnection, 'call' | 'run'>): SlackChannels {
  return {
    async notePublic(workspace, channel, deadline) {
      const args = [channel, String(mostKept)];
      await run(deadline, noteScript, [workspaceKeys(workspace).slackPublic()], args);
    },
    async listPublic(workspace, channels, deadline) {
      if (channels.length === 0) return new Set();
      const key = workspaceKeys(workspace).slackPublic();
      const found = await call<(string | null)[]>(deadline, ['ZMSCORE', key, ...channels]);
      return new Set(channels.filter((_, i) => found[i] !== null));
    },
  };
}
