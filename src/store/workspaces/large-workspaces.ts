import {type LargeWorkspace, movedWhileUsed} from '../../domain/core/cluster-report.js';
import {type Id, isId} from '../../domain/core/ids.js';
import type {RedisConnection} from '../core/connection.js';
import {splitKey} from '../core/keys.js';

const keysAtOnce = '1000';

/** Creates the search for workspaces with too many keys to be moved key by key while they are used. */
export function createLargeWorkspaces({nodes}: Pick<RedisConnection, 'nodes'>) {
  /** Counts the keys on every master in steps of about 1 ms. `within` creates a time limit for each step. */
  return async (within: () => number): Promise<readonly LargeWorkspace<Id<'workspace'>>[]> => {
    const counts = new Map<Id<'workspace'>, number>();
    for (const node of await nodes('masters', within())) {
      let cursor = '0';
      do {
        const scan = ['SCAN', cursor, 'MATCH', '{ws_*', 'COUNT', keysAtOnce];
        const [next, names] = await node.call<[string, string[]]>(within(), scan);
        for (const name of names) {
          const {workspace} = splitKey(name);
          if (isId('workspace', workspace)) counts.set(workspace, (counts.get(workspace) ?? 0) + 1);
        }
        cursor = next;
      } while (cursor !== '0');
    }
    return [...counts]
      .filter(([, keys]) => keys > movedWhileUsed)
      .map(([workspace, keys]) => ({workspace, keys}))
      .toSorted((one, other) => other.keys - one.keys);
  };
}
