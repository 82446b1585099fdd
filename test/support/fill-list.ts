import type {ListName} from '../../src/domain/core/lists.js';
import {workspaceKeys} from '../../src/store/core/keys.js';
import type {TestWorkspace} from './service.js';

/**
 * Adds `count` entries at the oldest end of a list, for tests of its maximum length. The entries refer to
 * records that do not exist.
 */
export async function addRowsWithoutRecords(
  {core, id}: TestWorkspace,
  name: ListName,
  count: number,
): Promise<void> {
  const rows = Array.from({length: count}, (_, i) => ['1', `none-${i}`]).flat();
  const deadline = performance.now() + 5_000;
  await core.store.connection.call(deadline, ['ZADD', workspaceKeys(id).list(name), ...rows]);
}
