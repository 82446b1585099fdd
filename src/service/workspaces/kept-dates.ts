import type {Clock} from '../../domain/core/dates.js';
import type {RequestContext} from '../../domain/core/access.js';
import {limits} from '../../domain/core/limits.js';
import {findFirstRetainedDate} from '../../domain/workspaces/workspace.js';
import type {MaybePromise} from '../core/maybe-promise.js';
import type {Workspaces} from '../../store/workspaces/workspaces.js';

/**
 * Returns the first date that is kept and the retention period in days, if the given date is earlier. The
 * content of such a date is erased within the hour. Undefined for every other date.
 */
export type FindFirstKept = (
  asked: RequestContext,
  date: string,
) => MaybePromise<{readonly first: string; readonly days: number} | undefined>;

const passIntervalMs = 3_600_000;

export function createFirstRetainedDateFinder({
  workspaces,
  clock,
}: {
  readonly workspaces: Pick<Workspaces, 'find'>;
  readonly clock: Clock;
}): FindFirstKept {
  async function readRetentionLimit({workspace, deadline}: RequestContext, date: string, at: number) {
    const days = (await workspaces.find(workspace, deadline))?.retention_days ?? null;
    if (days === null) return undefined;
    const first = findFirstRetainedDate(days, at);
    return date < first ? {first, days} : undefined;
  }

  return (asked, date) => {
    const at = clock.now() + passIntervalMs;
    // No workspace erases newer content, so usually nothing has to be read.
    return date >= findFirstRetainedDate(limits.retentionDaysMin, at)
      ? undefined
      : readRetentionLimit(asked, date, at);
  };
}
