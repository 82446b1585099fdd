import type {RedisCommands} from '../core/connection.js';
import {takeCallSlotScript} from '../core/compiled/lua.js';
import {workspaceKeys} from '../core/keys.js';
import type {Id} from '../../domain/core/ids.js';

/**
 * Limits the rate at which we call methods that Slack accepts about 50 times a minute for a workspace:
 * https://docs.slack.dev/apis/web-api/rate-limits (Tier 3).
 */
export interface SlackPace {
  /**
   * Asks whether a method may be called. Returns 0 when it may be called now, or the time (ms) after which to
   * ask again. `behind` names an item with low priority: it waits for all calls without a name, and
   * low-priority items wait in the order in which they asked. `intervalMs`: the time between two calls, after
   * the first ten.
   */
  takeSlot: (
    workspace: Id<'workspace'>,
    call: {readonly method: string; readonly behind?: string | undefined; readonly intervalMs: number},
    deadline: number,
  ) => Promise<number>;
}

export function createSlackRateLimits({run}: RedisCommands): SlackPace {
  return {
    async takeSlot(workspace, {method, behind = '', intervalMs}, deadline) {
      const keys = workspaceKeys(workspace);
      return run<number>(
        deadline,
        takeCallSlotScript,
        [keys.slackThrottle(method), keys.slackSlots(method), keys.slackQueue(method)],
        [String(intervalMs), behind],
      );
    },
  };
}
