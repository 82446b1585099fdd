import {deadlines} from '../../domain/core/limits.js';
import type {Id} from '../../domain/core/ids.js';
import type {RedisCommands} from './connection.js';
import type {AnyKey} from './keys.js';

const scannedAtOnce = '1000';

/**
 * Lists all keys of a workspace, in order of names. It reads the names of the whole server, so it is for rare
 * commands alone. A cluster has them all on the node of the workspace's slot.
 */
export async function listWorkspaceKeys(
  {call}: Pick<RedisCommands, 'call'>,
  workspace: Id<'workspace'>,
): Promise<AnyKey[]> {
  const found = new Set<AnyKey>();
  let cursor = '0';
  do {
    const args = ['SCAN', cursor, 'MATCH', `{${workspace}}:*`, 'COUNT', scannedAtOnce];
    const [next, keys] = await call<[string, string[]]>(performance.now() + deadlines.job, args);
    for (const key of keys) found.add(key as AnyKey);
    cursor = next;
  } while (cursor !== '0');
  return [...found].toSorted();
}
