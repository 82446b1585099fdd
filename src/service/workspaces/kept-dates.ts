import type {ServiceContext} from '../core/context.js';
import type {RequestContext} from '../../domain/core/access.js';
import {limits} from '../../domain/core/limits.js';
import {findFirstRetainedDate} from '../../domain/workspaces/workspace.js';
import type {MaybePromise} from '../core/maybe-promise.js';

/**
 * Checks whether the content of a date is past the retention period, and so will be erased within the hour.
 * If it is, returns the first date whose content stays, and the period in days; otherwise undefined.
 */
export type FindFirstKept = (
  asked: RequestContext,
  date: string,
) => MaybePromise<{readonly first: string; readonly days: number} | undefined>;

const passIntervalMs = 3_600_000;

export function createFirstRetainedDateFinder({workspaces, clock}: ServiceContext): FindFirstKept {
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
