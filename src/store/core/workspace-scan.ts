import {newJobDeadline} from './deadlines.js';
import type {Id} from '../../domain/core/ids.js';
import type {RedisConnection} from './connection.js';
import type {AnyKey} from './keys.js';

const scannedAtOnce = '1000';

/**
 * Lists all keys of a workspace, in order of names. It reads all names on all servers, so only rare commands
 * may call it.
 */
export async function listWorkspaceKeys(
  {nodes}: Pick<RedisConnection, 'nodes'>,
  workspace: Id<'workspace'>,
): Promise<AnyKey[]> {
  const found = new Set<AnyKey>();
  for (const node of await nodes('masters', newJobDeadline())) {
    let cursor = '0';
    do {
      const args = ['SCAN', cursor, 'MATCH', `{${workspace}}:*`, 'COUNT', scannedAtOnce];
      const [next, keys] = await node.call<[string, string[]]>(newJobDeadline(), args);
      for (const key of keys) found.add(key as AnyKey);
      cursor = next;
    } while (cursor !== '0');
  }
  return [...found].toSorted();
}
