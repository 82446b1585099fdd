import type {Call} from '../../domain/core/access.js';
import {type Id, suffixOf} from '../../domain/core/ids.js';
import {lists} from '../../domain/core/lists.js';
import {createRowEntry, type KeyedHash} from '../../domain/imports/import.js';
import type {Standup} from '../../domain/standups/standup.js';
import {makeRemovalCommit, planRemovals, type Removal} from '../core/clear-up.js';
import type {ServiceContext} from '../core/context.js';
import {createRemoveStandupWrite} from '../standups/change-standup.js';
import {createProgressEndWrite, createReviseImportWrite} from './import-records.js';
import {createHashFinder} from './keyed-hash.js';

/**
 * Takes back some of what an import has made, without events, since there were none. A standup that was edited
 * here stays. The same commit counts them, and lets their rows be imported again. Returns true if there is more.
 * Safe to run at any time, even twice at once.
 */
export function createImportUndoer(context: ServiceContext) {
  const {mutate, records} = context;
  const findHash = createHashFinder(context);

  return async function undoImport(call: Call, id: Id<'import'>): Promise<boolean> {
    const hash = await findHash(call);
    const list = lists.standupsOfImport(id);
    let more = false;
    await mutate(call, async () => {
      more = false;
      const found = await records.find(call.workspace, id, call.deadline);
      if (found?.state !== 'removing') return makeRemovalCommit([]);
      let kept = 0;
      const cleared = await planRemovals(records, call, {list}, (standup: Standup) => {
        if (standup.revision > 1) kept += 1;
        return standup.revision > 1 ? planStay(standup, id) : planTakeBack(standup, hash);
      });
      more = cleared.length > 0;
      const counts = {removed: found.removed + cleared.length - kept, kept: found.kept + kept};
      const notes = more
        ? [createReviseImportWrite(found, counts)]
        : [createReviseImportWrite(found, {state: 'removed'}), createProgressEndWrite(suffixOf(found.id))];
      return makeRemovalCommit([...cleared, {writes: notes}]);
    });
    return more;
  };
}

function planStay({id, revision}: Standup, of: Id<'import'>): Removal {
  return {
    guards: [{check: 'revision', id, revision}],
    writes: [{do: 'relist', suffix: suffixOf(id), from: lists.standupsOfImport(of), to: null}],
  };
}

function planTakeBack(standup: Standup, hash: KeyedHash): Removal {
  const {source, external_id: rowId} = standup.imported ?? {source: '', external_id: ''};
  const name = createRowEntry(hash, source, rowId);
  return {
    writes: [
      createRemoveStandupWrite(standup, 'erase'),
      {do: 'free-name', names: 'imported', name, suffix: suffixOf(standup.id)},
    ],
  };
}
