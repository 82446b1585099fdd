import {type Id, storedId} from '../../domain/core/ids.js';
import {storageStep, type WorkspaceStorage} from '../../domain/workspaces/workspace.js';
import type {RedisConnection} from '../core/connection.js';
import {correctBytesScript, measureBytesScript} from '../core/compiled/lua.js';
import {workspaceKeys} from '../core/keys.js';

const keysAtOnce = 200;

/**
 * Counts the memory that each workspace uses in the store. Commits count roughly the bytes that they add and
 * delete. A measurement from time to time corrects the count, which then includes what has expired. `share`:
 * the bytes that each workspace may use; 0 for no limit.
 */
export function createWorkspaceBytes(
  {call, run, nodes}: Pick<RedisConnection, 'call' | 'run' | 'nodes'>,
  share: number,
) {
  async function readByteCount(workspace: Id<'workspace'>, deadline: number): Promise<number> {
    const head = workspaceKeys(workspace).head();
    return Number((await call<string | null>(deadline, ['HGET', head, 'bytes'])) ?? 0);
  }

  return {
    async find(workspace: Id<'workspace'>, deadline: number): Promise<WorkspaceStorage> {
      const used = Math.max(0, await readByteCount(workspace, deadline));
      return {
        used_bytes: Math.ceil(used / storageStep) * storageStep,
        limit_bytes: share === 0 ? null : share,
      };
    },
    /** Measures all workspaces, in steps of about 1 ms. `within` creates a time limit for each step. */
    async measure(within: () => number, signal: AbortSignal): Promise<void> {
      // A count is read when its workspace is first met, so bytes counted from then on are added to it.
      const before = new Map<Id<'workspace'>, number>();
      const measured = new Map<Id<'workspace'>, number>();
      for (const node of await nodes('masters', within())) {
        let cursor = '0';
        do {
          if (signal.aborted) return;
          const args = ['EVAL', measureBytesScript.source, '0', cursor, String(keysAtOnce)];
          const [next, ...sums] = await node.call<[string, ...(string | number)[]]>(within(), args);
          for (let i = 0; i < sums.length; i += 2) {
            const workspace = storedId<'workspace'>(String(sums[i]));
            if (!before.has(workspace)) before.set(workspace, await readByteCount(workspace, within()));
            measured.set(workspace, (measured.get(workspace) ?? 0) + Number(sums[i + 1]));
          }
          cursor = next;
        } while (cursor !== '0');
      }
      for (const [workspace, bytes] of measured) {
        const wrong = bytes - (before.get(workspace) ?? 0);
        await run(within(), correctBytesScript, [workspaceKeys(workspace).head()], [String(wrong)]);
      }
    },
  };
}
