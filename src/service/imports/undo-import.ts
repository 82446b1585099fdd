import {joinCommitParts} from '../../domain/commit/commit.js';
import type {Call} from '../../domain/core/access.js';
import {type Id, suffixOf} from '../../domain/core/ids.js';
import {lists} from '../../domain/core/lists.js';
import {createRowEntry, type KeyedHash} from '../../domain/imports/import.js';
import type {Standup} from '../../domain/standups/standup.js';
import {makeRemovalCommit, planRemovals, type Removal} from '../core/clear-up.js';
import type {ServiceContext} from '../core/context.js';
import type {StandupRuns} from '../runs/standup-runs.js';
import {createRemoveStandupWrites} from '../standups/change-standup.js';
import {createProgressEndWrite, createReviseImportWrite} from './import-records.js';
import {createHashFinder} from './keyed-hash.js';

/** The number of standups taken back at once; each has up to 16 of the commit's 240 keys. */
const takenBackAtOnce = 15;

/**
 * Takes back some of what an import has made, without events about it, since there were none. A standup that was
 * edited here stays. The same commit counts them, and lets their rows be imported again. Returns true if there is
 * more. Safe to run at any time, even twice at once.
 */
export function createImportUndoer(
  context: ServiceContext,
  {standupRuns}: {readonly standupRuns: StandupRuns},
) {
  const {mutate, records, teams} = context;
  const findHash = createHashFinder(context);

  return async function undoImport(call: Call, id: Id<'import'>): Promise<boolean> {
    const hash = await findHash(call);
    const list = lists.standupsOfImport(id);
    let more = false;
    await mutate(call, async (attempt) => {
      more = false;
      const found = await records.find(call.workspace, id, call.deadline);
      if (found?.state !== 'removing') return makeRemovalCommit([]);
      const directory = await teams.all(call);
      const staying = new Set<Removal>();
      const changed = new Set<Id<'run'>>();

      /** Plans one standup. A commit changes a run once, so the next standup of its day waits for the next commit. */
      async function plan(standup: Standup): Promise<Removal | undefined> {
        if (standup.revision > 1) {
          const stay = planStay(standup, id);
          staying.add(stay);
          return stay;
        }
        const removal = planTakeBack(standup, hash);
        const team = directory.byReference(standup.team_id);
        if (team === undefined) return removal;
        const day = await standupRuns.findDay(call, team, standup.date, attempt);
        if (day.run !== undefined) {
          if (changed.has(day.run.id)) return undefined;
          changed.add(day.run.id);
        }
        const own = {author: standup.author, suffix: suffixOf(standup.id), now: null};
        return joinCommitParts([
          {guards: [], events: [], ...removal},
          await standupRuns.planMove(call, day, own),
        ]);
      }

      const cleared = await planRemovals(records, call, {list}, plan, takenBackAtOnce);
      more = cleared.length > 0;
      const kept = cleared.filter((one) => staying.has(one)).length;
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
      ...createRemoveStandupWrites(standup, 'erase'),
      {do: 'free-name', names: 'imported', name, suffix: suffixOf(standup.id)},
    ],
  };
}
