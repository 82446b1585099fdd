import type {Id, IdSuffix} from '../../domain/core/ids.js';
import {parseStatusLook, type StatusLook} from '../../domain/slack/away-status.js';
import type {RedisCommands} from '../core/connection.js';
import {workspaceKeys} from '../core/keys.js';

/** Reads what was seen at looks at the statuses of members in Slack. Only commits write it. */
export function createSlackStatuses({call}: Pick<RedisCommands, 'call'>) {
  return {
    /** Returns the last look at a member's status for each of these runs (id suffixes). */
    async find(
      workspace: Id<'workspace'>,
      member: Id<'member'>,
      runs: readonly IdSuffix<'run'>[],
      deadline: number,
    ): Promise<(StatusLook | undefined)[]> {
      if (runs.length === 0) return [];
      const key = workspaceKeys(workspace).slackStatus(member);
      const found = await call<(string | null)[]>(deadline, ['HMGET', key, ...runs]);
      return found.map((stored) => (stored === null ? undefined : parseStatusLook(stored)));
    },
    /** Returns the last looks at the statuses of these members for a run (id suffix). */
    async listOfRun(
      workspace: Id<'workspace'>,
      run: IdSuffix<'run'>,
      members: readonly Id<'member'>[],
      deadline: number,
    ): Promise<ReadonlyMap<Id<'member'>, StatusLook>> {
      const keys = workspaceKeys(workspace);
      // Commands that are issued in the same tick are sent to Redis together.
      const found = await Promise.all(
        members.map((member) => call<string | null>(deadline, ['HGET', keys.slackStatus(member), run])),
      );
      return new Map(
        members.flatMap((member, i) => {
          const look = parseStatusLook(found[i] ?? '');
          return look === undefined ? [] : [[member, look] as const];
        }),
      );
    },
  };
}
