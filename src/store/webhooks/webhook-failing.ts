import type {FailureStreak} from '../../domain/webhooks/webhook-failing.js';
import type {RedisCommands} from '../core/connection.js';
import {workspaceKeys} from '../core/keys.js';
import type {Id, IdSuffix} from '../../domain/core/ids.js';

/** Reads how long webhooks have been failing, as their delivery jobs have recorded it. */
export function createWebhookFailureReader({call}: RedisCommands) {
  return {
    /** Counts those of these webhooks whose last attempt failed. */
    async count(
      workspace: Id<'workspace'>,
      webhooks: readonly IdSuffix<'webhook'>[],
      deadline: number,
    ): Promise<number> {
      const keys = workspaceKeys(workspace);
      const since = await Promise.all(
        webhooks.map((webhook) =>
          call<string | null>(deadline, ['HGET', keys.webhookState(webhook), 'failing']),
        ),
      );
      return since.filter((ms) => ms !== null).length;
    },
    /** Returns a webhook's failures; undefined if its last attempt succeeded, or there was none. */
    async find(
      workspace: Id<'workspace'>,
      webhook: IdSuffix<'webhook'>,
      deadline: number,
    ): Promise<FailureStreak | undefined> {
      const key = workspaceKeys(workspace).webhookState(webhook);
      const fields = ['failing', 'failed', 'warned'];
      const [since, failed, warned] = await call<(string | null)[]>(deadline, ['HMGET', key, ...fields]);
      if (since === undefined || since === null) return undefined;
      return {since: Number(since), attempts: Number(failed ?? 0), warned: warned === '1'};
    },
  };
}
