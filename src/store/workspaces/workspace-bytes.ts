import type {Id} from '../../domain/core/ids.js';
import {storageStep, type WorkspaceStorage} from '../../domain/workspaces/workspace.js';
import type {RedisCommands} from '../core/connection.js';
import {correctBytesScript, measureBytesScript} from '../core/compiled/lua.js';
import {workspaceKeys} from '../core/keys.js';

const keysAtOnce = 200;

/**
 * Counts the memory that each workspace uses in the store. Commits count roughly the bytes that they add and
 * delete. A measurement from time to time corrects the count, which then includes what has expired. `share`:
 * the bytes that each workspace may use; 0 for no limit.
 */
export function createWorkspaceBytes({call, run}: RedisCommands, share: number) {
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
    /** Measures workspaces, in steps of about 1 ms. `within` creates a time limit for each step. */
    async measure(
      workspaces: readonly Id<'workspace'>[],
      within: () => number,
      signal: AbortSignal,
    ): Promise<void> {
      // The counts are read before the first step, so bytes counted during the measurement are added to it.
      const before = new Map<string, number>();
      for (const workspace of workspaces) before.set(workspace, await readByteCount(workspace, within()));
      const measured = new Map<string, number>();
      let cursor = '0';
      do {
        if (signal.aborted) return;
        const args = [cursor, String(keysAtOnce)];
        const [next, ...sums] = await run<[string, ...(string | number)[]]>(
          within(),
          measureBytesScript,
          [],
          args,
        );
        for (let i = 0; i < sums.length; i += 2) {
          const workspace = String(sums[i]);
          measured.set(workspace, (measured.get(workspace) ?? 0) + Number(sums[i + 1]));
        }
        cursor = next;
      } while (cursor !== '0');
      for (const workspace of workspaces) {
        const wrong = (measured.get(workspace) ?? 0) - (before.get(workspace) ?? 0);
        await run(within(), correctBytesScript, [workspaceKeys(workspace).head()], [String(wrong)]);
      }
    },
  };
}
