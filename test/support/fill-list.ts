import type {ListName} from '../../src/domain/core/lists.js';
import {workspaceKeys} from '../../src/store/core/keys.js';
import type {TestWorkspace} from './service.js';

/** Adds `count` rows to the old end of a list, without records, for tests of the list's maximum. */
export async function fillList({core, id}: TestWorkspace, name: ListName, count: number): Promise<void> {
  const rows = Array.from({length: count}, (_, i) => ['1', `none-${i}`]).flat();
  const deadline = performance.now() + 5_000;
  await core.store.connection.call(deadline, ['ZADD', workspaceKeys(id).list(name), ...rows]);
}
