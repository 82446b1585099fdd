import type {Absence} from '../../domain/absences/absence.js';
import {addDays} from '../../domain/core/dates.js';
import {fieldError, type RefusalReason} from '../../domain/core/errors.js';
import {limits} from '../../domain/core/limits.js';
import type {Call} from '../../domain/core/access.js';
import type {ServiceContext} from '../core/context.js';
import {createFirstRetainedDateFinder} from '../workspaces/retention.js';

/**
 * Checks the days of an absence. `given.from`: the request gives the first day, so it must not be too far
 * from `today`. `given.shortens`: the absence gets shorter, so its end may be at any distance. Errors:
 * `date_not_allowed`, `validation_failed`.
 */
export function requireAbsenceDays(
  {kind, from, until}: Pick<Absence, 'kind' | 'from' | 'until'>,
  given: {readonly from: boolean; readonly today: string; readonly shortens?: boolean},
): void {
  const [first, last] = [
    addDays(given.today, -limits.daysBack),
    addDays(given.today, limits.absenceDaysAhead),
  ];
  if (given.from && (from < first || from > last)) {
    const detail = `An absence may begin from ${first} to ${last} (today is ${given.today}).`;
    throw fieldError('date_not_allowed', '#/from', detail);
  }
  if (kind === 'skip' && until !== from)
    throw createInvalidEndError(
      `A skip is of one day: \`until\` must be \`from\` (${from}) or left out; it is ${until}.`,
    );
  if (until === null) return;
  if (until < from)
    throw createInvalidEndError(`\`until\` must not be before \`from\` (${from}); it is ${until}.`);
  if (given.shortens === true || until <= addDays(from, limits.absenceDays - 1)) return;
  throw createInvalidEndError(
    `An absence has at most ${limits.absenceDays} days: here \`until\` is ${addDays(from, limits.absenceDays - 1)} at the latest, or null for as long as they are away.`,
    'long_absence',
  );
}

/**
 * Refuses a reason for an absence that ended before the retention limit, since such a reason would be erased.
 * Errors: `date_not_allowed`.
 */
export function createReasonAgeChecker(context: ServiceContext) {
  const findFirstKept = createFirstRetainedDateFinder(context);
  return async function requireKeptReason(
    call: Call,
    {until, reason}: Pick<Absence, 'until' | 'reason'>,
  ): Promise<void> {
    const kept = until === null || reason === null ? undefined : await findFirstKept(call, until);
    if (kept === undefined) return;
    const detail = `The \`reason\` of an absence that ended before ${kept.first} is not kept: the workspace keeps what people wrote for ${kept.days} days (\`retention_days\`). Leave it out.`;
    throw fieldError('date_not_allowed', '#/until', detail);
  };
}

function createInvalidEndError(detail: string, reason?: RefusalReason) {
  return fieldError('validation_failed', '#/until', detail, reason === undefined ? {} : {reason});
}
