import {AppError} from '../../domain/core/errors.js';
import {createUnavailableError, newJobDeadline} from './deadlines.js';
import type {Id} from '../../domain/core/ids.js';
import type {RedisConnection} from './connection.js';
import {absentKeyBeside, type AnyKey, workspaceKeys} from './keys.js';

const scannedAtOnce = '1000';

type Searched = Pick<RedisConnection, 'kind' | 'call' | 'nodes'>;

/**
 * Lists all keys of a workspace, in order of names. It reads all names on all servers, so only rare commands
 * may call it. Errors: `service_unavailable` while their slot of a cluster moves.
 */
export async function listWorkspaceKeys(connection: Searched, workspace: Id<'workspace'>): Promise<AnyKey[]> {
  if (connection.kind !== 'cluster') return [...(await searchKeys(connection, workspace))].toSorted();
  // A first search may pass by keys that move to a master it has searched already. A second one finds them.
  await requireWholeSlot(connection, workspace);
  const first = await searchKeys(connection, workspace);
  await requireWholeSlot(connection, workspace);
  return [...new Set([...first, ...(await searchKeys(connection, workspace))])].toSorted();
}

/**
 * Waits while the slot moves: then Redis answers TRYAGAIN for several keys of which one does not exist. Errors:
 * `service_unavailable` if that takes too long.
 */
export async function requireWholeSlot(
  {call}: Pick<Searched, 'call'>,
  workspace: Id<'workspace'>,
): Promise<void> {
  const head = workspaceKeys(workspace).head();
  try {
    await call(newJobDeadline(), ['EXISTS', head, absentKeyBeside(head)]);
  } catch (error) {
    const said =
      error instanceof AppError && error.context.cause instanceof Error ? error.context.cause : undefined;
    throw said?.message.startsWith('TRYAGAIN ') ? createUnavailableError(movingSentence, error) : error;
  }
}

const movingSentence =
  'A slot of the cluster is moving: repeat the command when CLUSTER NODES shows no slot in brackets any more.';

async function searchKeys({nodes}: Searched, workspace: Id<'workspace'>): Promise<Set<AnyKey>> {
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
  return found;
}
