import type {ServiceContext} from '../core/context.js';
import type {Call} from '../../domain/core/access.js';
import {dayNumber} from '../../domain/core/dates.js';
import {positionOf} from '../../domain/core/lists.js';
import {findFirstRetainedDate} from '../../domain/workspaces/workspace.js';
import {
  type Removal,
  clearedAtOnce,
  makeRemovalCommit,
  takeRemovalsThatFit,
  planRemovals,
} from '../core/clear-up.js';
import {listActions, type PlanStandupBlockers} from '../core/kind-rules.js';

/**
 * Erases a limited part of the data that is past the workspace's retention period. Returns the number of
 * erased resources; 0 if there are no more. Only open blockers get an event: events for everything would be
 * too many. Earlier events about erased resources lose their data. Safe to run at any time, even twice at
 * once.
 */
export type PurgeExpired = (call: Call) => Promise<number>;

export function createExpiredDataPurger(
  {workspaces, records, mutate, clock, kinds}: ServiceContext,
  {planBlockers}: {readonly planBlockers: (call: Call, firstKept: string) => PlanStandupBlockers},
): PurgeExpired {
  const rules = listActions(kinds, 'retention');

  return async function purgeExpired(call) {
    const workspace = await workspaces.find(call.workspace, call.deadline);
    const days = workspace?.retention_days ?? null;
    if (days === null || !clock.isSteady()) return 0;
    const firstKept = findFirstRetainedDate(days, clock.now());
    const part = {to: positionOf(dayNumber(firstKept), 0), upward: true};
    let erased = 0;
    await mutate(call, async () => {
      const company = planBlockers(call, firstKept);
      const found: Removal[] = [];
      for (const {list, expire} of rules) {
        const left = clearedAtOnce - found.length;
        if (left === 0) break;
        const clear = (row: never) => expire(row, company);
        found.push(...(await planRemovals(records, call, {list, ...part}, clear, left)));
      }
      const cleared = takeRemovalsThatFit(found);
      erased = cleared.length;
      return makeRemovalCommit(cleared);
    });
    return erased;
  };
}
