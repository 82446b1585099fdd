import type {Call, RequestContext} from '../../domain/core/access.js';
import {dayNumber} from '../../domain/core/dates.js';
import {positionOf} from '../../domain/core/lists.js';
import {findFirstRetainedDate} from '../../domain/workspaces/workspace.js';
import {limits} from '../../domain/core/limits.js';
import type {ServiceContext} from '../core/context.js';
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
export function createExpiredDataPurger(
  {workspaces, records, mutate, clock, kinds}: ServiceContext,
  {planBlockers}: {readonly planBlockers: (call: Call, firstKept: string) => PlanStandupBlockers},
) {
  const rules = listActions(kinds, 'retention').flat();

  return async function purgeExpired(call: Call): Promise<number> {
    const workspace = await workspaces.find(call.workspace, call.deadline);
    if (workspace === undefined || !clock.isSteady()) return 0;
    const ending = rules.flatMap(({days = workspace.retention_days, ...rule}) =>
      days === null ? [] : [{...rule, days}],
    );
    const counts = await Promise.all(
      ending.map(({list}) => records.count(call.workspace, list, call.deadline)),
    );
    if (counts.every((count) => count === 0)) return 0;
    let erased = 0;
    await mutate(call, async () => {
      const found: Removal[] = [];
      for (const {list, expire, days} of ending) {
        const firstKept = findFirstRetainedDate(days, clock.now());
        const part = {to: positionOf(dayNumber(firstKept), 0), upward: true};
        const company = planBlockers(call, firstKept);
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

const passIntervalMs = 3_600_000;

/**
 * Checks whether the content of a date is past the retention period, and so will be erased within the hour.
 * If it is, returns the first date whose content stays, and the period in days; otherwise undefined.
 */
export function createFirstRetainedDateFinder({workspaces, clock}: ServiceContext) {
  async function readRetentionLimit({workspace, deadline}: RequestContext, date: string, at: number) {
    const days = (await workspaces.find(workspace, deadline))?.retention_days ?? null;
    if (days === null) return undefined;
    const first = findFirstRetainedDate(days, at);
    return date < first ? {first, days} : undefined;
  }

  return async (
    asked: RequestContext,
    date: string,
  ): Promise<{readonly first: string; readonly days: number} | undefined> => {
    const at = clock.now() + passIntervalMs;
    // No workspace erases newer content, so usually nothing has to be read.
    return date >= findFirstRetainedDate(limits.retentionDaysMin, at)
      ? undefined
      : readRetentionLimit(asked, date, at);
  };
}
