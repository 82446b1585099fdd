import {type Connection, script} from '../core/connection.js';
import {workspaceKeys} from '../core/keys.js';
import type {Id} from '../../domain/core/ids.js';

/** Knowledge of the channels of a Slack workspace. */
export interface SlackChannels {
  /** Slack let the bot in by itself, which it does into public channels alone. */
  notePublic: (workspace: Id<'workspace'>, channel: string, deadline: number) => Promise<void>;
  /** Those of these that are known to be public. */
  listPublic: (
    workspace: Id<'workspace'>,
    channels: readonly string[],
    deadline: number,
  ) => Promise<ReadonlySet<string>>;
}

/** A workspace has fewer teams. Those that were joined last. */
const mostKept = 1_000;

/** KEYS: public channels. ARGV: channel, how many are kept. */
const noteScript = script(`#!lua flags=allow-oom
redis.call('ZADD', KEYS[1], redis.call('TIME')[1], ARGV[1])
redis.call('ZREMRANGEBYRANK', KEYS[1], 0, -1 - ARGV[2])
return 1`);

export function createSlackChannels({call, run}: Pick<Connection, 'call' | 'run'>): SlackChannels {
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
