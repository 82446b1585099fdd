import {findReasonForEverybody} from '../../domain/absences/absence.js';
import {parseWire} from '../../domain/core/resource.js';
import type {RequestContext} from '../../domain/core/access.js';
import {addDays} from '../../domain/core/dates.js';
import {createParameterError} from '../../domain/core/errors.js';
import {suffixOf, type Id, storedId} from '../../domain/core/ids.js';
import {limits} from '../../domain/core/limits.js';
import {lists} from '../../domain/core/lists.js';
import type {MemberStatus} from '../../domain/runs/participation.js';
import {
  formatReferenceName,
  findStatusOfLine,
  removeDuplicateReferences,
} from '../../domain/runs/report-references.js';
import type {LineReference, ReportReferences, Run} from '../../domain/runs/run.js';
import type {Member} from '../../domain/workspaces/workspace.js';
import {createDayRange, readPages} from '../core/paging.js';
import type {ServiceContext} from '../core/context.js';
import {requireDateRange, findUpdatedReports} from './run-views.js';

/** A range of dates; the first and the last are included. */
export interface DateRange {
  readonly since: string;
  readonly until: string;
}

export type DateRangeQuery = {readonly [Date in keyof DateRange]?: string | undefined};

/** A closed run, with the references (without any text of people) that are stored for its report. */
export type ClosedRun = Run & {readonly report: ReportReferences};

const defaultDays = 30;
/** The number of runs read at once. Each may have as many lines as the team has people. */
const page = 25;

/** Returns the range of dates, by default the last 30 days. Errors: `invalid_parameter` over 366 days. */
export function chooseDateRange(given: DateRangeQuery, today: string): DateRange {
  const until = given.until ?? (given.since !== undefined && given.since > today ? given.since : today);
  const since = given.since ?? addDays(until, 1 - defaultDays);
  requireDateRange(since, until);
  if (addDays(since, limits.participationDays) <= until) {
    throw createParameterError(
      'since',
      `From ${since} to ${until} are more than ${limits.participationDays} days: ask for fewer at once.`,
    );
  }
  return {since, until};
}

/** The number of report lines that the answer may still read. */
export interface LineBudget {
  left: number;
}

/** The fewest report lines that a run takes from an answer's limit: each run is read as a whole. */
const leastLines = 10;

/**
 * Returns the closed runs of a team, earliest first. `isWhole` is false if the budget was used up before the
 * last run. `isWanted` selects the lines that are returned; other lines use the budget too, since they are
 * read.
 */
export async function listClosedRuns(
  {records}: ServiceContext,
  call: RequestContext,
  {team, since, until}: DateRange & {readonly team: Id<'team'>},
  budget: LineBudget,
  isWanted: (line: LineReference) => boolean = () => true,
): Promise<{readonly runs: readonly ClosedRun[]; readonly isWhole: boolean}> {
  const range = {
    list: lists.runsOfTeam(team),
    ...createDayRange(since, until),
    upward: true,
    limit: page,
  };
  const runs: ClosedRun[] = [];
  for await (const rows of readPages(records, call, range)) {
    for (const {json} of rows) {
      const run = parseWire(json);
      if (run.state !== 'closed' || run.report === null) continue;
      const {lines, blockers} = run.report;
      budget.left -= Math.max(leastLines, lines.length);
      if (budget.left < 0) return {runs, isWhole: false};
      runs.push({...run, report: {blockers, lines: lines.filter(isWanted)}});
    }
  }
  return {runs, isWhole: true};
}

/** Returns the status of every member in these runs, by current absences, and the members who still exist. */
export async function findMemberStatuses(
  context: ServiceContext,
  call: RequestContext,
  runs: readonly ClosedRun[],
): Promise<{readonly statuses: readonly MemberStatus[]; readonly people: ReadonlyMap<Id<'member'>, Member>}> {
  const {reports, people} = await findUpdatedReports(context, call, runs);
  const statuses = runs.flatMap((run) =>
    (reports.get(run.id)?.lines ?? []).map((line) => ({run, line, status: findStatusOfLine(line)})),
  );
  return {statuses, people};
}

/**
 * Returns a function that finds the reason of an absence at a revision. The result is null if not everyone
 * may read the reason, or the absence is deleted.
 */
export async function readAbsenceReasons(
  {records}: ServiceContext,
  {workspace, deadline}: RequestContext,
  statuses: readonly MemberStatus[],
): Promise<(absence: NonNullable<LineReference['absence']>) => string | null> {
  const named = ({id, revision}: NonNullable<LineReference['absence']>) => ({
    suffix: suffixOf<'absence'>(storedId(id)),
    revision,
  });
  const wanted = removeDuplicateReferences(
    statuses.flatMap(({line: {absence}}) => (absence ? [named(absence)] : [])),
  );
  const found = await records.findRevisions(workspace, wanted, deadline);
  const reasons = new Map(
    found.flatMap((json, i) => {
      const reference = wanted[i];
      if (json === undefined || reference === undefined) return [];
      return [[formatReferenceName(reference), findReasonForEverybody(parseWire(json))] as const];
    }),
  );
  return (absence) => reasons.get(formatReferenceName(named(absence))) ?? null;
}
