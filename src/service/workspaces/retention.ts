import type {Absence} from '../../domain/absences/absence.js';
import type {Call} from '../../domain/core/access.js';
import type {Blocker} from '../../domain/blockers/blocker.js';
import type {Commit, Write} from '../../domain/commit/commit.js';
import {dayNumber} from '../../domain/core/dates.js';
import {drawnPart} from '../../domain/core/ids.js';
import {limits} from '../../domain/core/limits.js';
import {type ListName, lists, placeOf} from '../../domain/core/lists.js';
import {toDraft} from '../../domain/core/resource.js';
import {type Standup, standupListings} from '../../domain/standups/standup.js';
import {firstKeptDate} from '../../domain/workspaces/workspace.js';
import {readPages} from '../core/paging.js';
import {leaveWrite} from '../blockers/blocker-records.js';
import type {Mutate} from '../core/mutation.js';
import type {Clock, Records, Workspaces} from '../core/stores.js';

/**
 * Erases a bounded part of what a workspace has kept for longer than it wants to: how much, 0 when there is no more. Without events, which would be
 * very many and tell nobody anything; those that told of it before have no data from then on. Safe to run at any time, also twice at once.
 */
export type PurgeExpired = (call: Call) => Promise<number>;

export interface RetentionParts {
  readonly workspaces: Pick<Workspaces, 'find'>;
  readonly records: Pick<Records, 'list'>;
  readonly mutate: Mutate;
  readonly clock: Clock;
}

/** A standup or a blocker has up to seven keys, and a commit touches at most 200. */
const purgedAtOnce = 25;

export function createPurgeExpired({workspaces, records, mutate, clock}: RetentionParts): PurgeExpired {
  /**
   * Of absences that are long over what was written goes, and the days stay: reports of that time count by them. Those that have lost it
   * are passed every time; there are few of a person in a year.
   */
  async function silenceAbsences(call: Call, end: number): Promise<number> {
    const range = {list: lists.absences(), to: end, upward: true, limit: limits.pageMax};
    for await (const rows of readPages(records, call, range)) {
      const telling = rows
        .map(({json}) => JSON.parse(json) as Absence)
        .filter(({reason}) => reason !== null)
        .slice(0, purgedAtOnce);
      if (telling.length > 0) {
        await mutate(call, async () => ({commit: release(telling.flatMap(silence))}));
        return telling.length;
      }
    }
    return 0;
  }

  return async function purgeExpired(call) {
    const workspace = await workspaces.find(call.workspace, call.deadline);
    const days = workspace?.retention_days ?? null;
    if (days === null || !clock.isSteady()) return 0;
    const end = placeOf(dayNumber(firstKeptDate(days, clock.now())), 0);
    let erased = 0;
    await mutate(call, async () => {
      const read = async <R>(list: ListName): Promise<R[]> => {
        const range = {list, to: end, upward: true, limit: purgedAtOnce};
        const {rows} = await records.list(call.workspace, range, call.deadline);
        return rows.map(({json}) => JSON.parse(json) as R);
      };
      const [standups, blockers] = await Promise.all([
        read<Standup>(lists.standups()),
        // Those that are not resolved are kept for as long as they are not.
        read<Blocker>(lists.blockersByEnd()),
      ]);
      const writes = [
        ...standups.map(eraseStandup),
        ...blockers.map((blocker) => leaveWrite(blocker, 'erase')),
      ].slice(0, purgedAtOnce);
      erased = writes.length;
      return {commit: release(writes)};
    });
    return erased > 0 ? erased : silenceAbsences(call, end);
  };
}

function release(writes: readonly Write[]): Commit {
  return {effect: 'release', guards: [], writes, events: [], reply: {status: 204}};
}

function silence(absence: Absence): Write[] {
  const {id, revision, created_at: createdAt} = absence;
  return [
    {do: 'revise', id, from: revision, createdAt, draft: {...toDraft(absence), reason: null}},
    {do: 'erase-revisions', drawn: drawnPart(id)},
  ];
}

function eraseStandup(standup: Standup) {
  const {id, revision, author} = standup;
  const places = standupListings(standup).map(({list}) => list);
  return {do: 'erase', id, from: revision, lists: places, names: [author.id]} as const;
}
