import type {Id} from '../../domain/core/ids.js';
import {parseWire} from '../../domain/core/resource.js';
import type {PrincipalId, RequestContext} from '../../domain/core/access.js';
import {dayNumber, isCalendarDate} from '../../domain/core/dates.js';
import {AppError, createParameterError} from '../../domain/core/errors.js';
import {lists, positionOf} from '../../domain/core/lists.js';
import {
  countReportStatuses,
  formatReferenceName,
  listReferences,
  updateReportDaysOff,
  type ShownReport,
  renderReport,
  removeDuplicateReferences,
} from '../../domain/runs/report-references.js';
import type {ReportReferences, Run, RunState, RunSummary} from '../../domain/runs/run.js';
import {createReadSharer} from '../../domain/core/share-next.js';
import {type Team, createTeamNotFoundError} from '../../domain/teams/team.js';
import {quoteForMessage} from '../../domain/core/text.js';
import type {Member} from '../../domain/workspaces/workspace.js';
import type {TeamReader} from '../core/reach.js';
import type {ReachedTeams} from '../core/reached-teams.js';
import {scanPages} from '../core/paging.js';
import type {ServiceContext} from '../core/context.js';
import {createDaysOff} from '../absences/days-off.js';
import {findRunOn} from './run-looks.js';
import {createRunReports} from './run-reports.js';

/** A run with the status of every member, by current data. */
export type ShownRun = Omit<Run, 'report'> & {readonly report: ShownReport | null};

export interface RunFilter {
  /** The range of dates; the first and the last are included. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly state?: string | undefined;
  /** True to list the earliest first. */
  readonly upward?: boolean;
  /** The position at which the last page ended. */
  readonly after?: number | undefined;
  readonly limit: number;
}

/** The number of runs scanned for one page. */
const scanned = 400;

const emptyReferences: ReportReferences = {lines: [], blockers: []};

/** Finds a team. Errors: `not_found`. */
export async function requireTeam(teams: ReachedTeams, call: TeamReader, reference: string): Promise<Team> {
  const directory = await teams.of(call);
  const team = directory.byReference(reference);
  if (team === undefined) throw createTeamNotFoundError(reference, directory, call);
  return team;
}

/** Checks a range of dates. Errors: `invalid_parameter` if the last date is before the first. */
export function requireDateRange(since: string | undefined, until: string | undefined): void {
  if (since === undefined || until === undefined || since <= until) return;
  throw createParameterError('until', `\`until\` (${until}) is before \`since\` (${since}).`);
}

/** Checks a date. Errors: `invalid_parameter`. */
export function requireDate(date: string, orElse = ''): void {
  if (isCalendarDate(date)) return;
  const detail = `The date in the address must be a calendar day that exists, as YYYY-MM-DD, such as 2026-11-23${orElse}; it is ${quoteForMessage(date)}.`;
  throw createParameterError('date', detail);
}

function createRunNotFoundError({slug}: Team, date: string): AppError {
  const detail = `The team "${slug}" has no run of ${date}: a run is there once it has opened. GET /v1/teams/${slug}/runs lists them.`;
  return new AppError('not_found', detail);
}

/** Returns the references for the reports of closed runs, updated by current absences. */
export async function findUpdatedReports(
  context: ServiceContext,
  call: RequestContext,
  runs: readonly Run[],
): Promise<{
  readonly reports: ReadonlyMap<Id<'run'>, ReportReferences>;
  readonly people: ReadonlyMap<Id<'member'>, Member>;
}> {
  const {records, nextSlice} = context;
  const closed = runs.filter(({report}) => report !== null);
  const dates = closed.map(({date}) => date).toSorted();
  const [from, until] = [dates[0], dates.at(-1)];
  if (from === undefined || until === undefined) return {reports: new Map(), people: new Map()};
  const ids = new Set(closed.flatMap(({report}) => report?.lines.map(({member}) => member) ?? []));
  const found = await records.findMany(call.workspace, [...ids], call.deadline);
  const people = found.filter((member) => member !== undefined);
  const known = new Set(people.map(({id}) => id));
  const dayOff = await createDaysOff(context).readDaysOff(call, people, {from, until});
  const reports = new Map<Id<'run'>, ReportReferences>();
  let lines = 0;
  for (const {id, report, date, team_id} of closed) {
    const restated = updateReportDaysOff(report ?? emptyReferences, (member) =>
      known.has(member) ? dayOff(member, date, team_id) : null,
    );
    reports.set(id, restated);
    lines += restated.lines.length;
    if (lines < restatedAtOnce) continue;
    lines = 0;
    await nextSlice();
  }
  return {reports, people: new Map(people.map((member) => [member.id, member]))};
}

/**
 * The number of report lines that are updated before other work gets a chance. A year of a large team has
 * tens of thousands of lines.
 */
const restatedAtOnce = 2_000;

/** The number of runs prepared at once, for all workspaces. A large run takes megabytes to read and parse. */
const shownAtOnce = 2;

export function createRunViews(context: ServiceContext) {
  const {records, teams, monotonic} = context;
  const runReports = createRunReports(context);
  const share = createReadSharer<ShownRun>(shownAtOnce, monotonic);

  async function presentRun(call: RequestContext, run: Run): Promise<ShownRun> {
    const kept = await readReportReferences(call, run);
    if (kept === null) return {...run, report: null};
    const references = removeDuplicateReferences(listReferences(kept));
    const found = await records.findRevisions(call.workspace, references, call.deadline);
    const revisions = new Map(references.map((one, i) => [formatReferenceName(one), found[i]]));
    const report = renderReport(kept, run, (one) => revisions.get(formatReferenceName(one)));
    return {...run, report: await useCurrentNames(call, report)};
  }

  async function readReportReferences(call: RequestContext, run: Run): Promise<ReportReferences | null> {
    if (run.report !== null) return runReports.findReferences(call, {...run, report: run.report});
    return run.state === 'open' ? (await runReports.findReport(call, run)).references : null;
  }

  async function countByStatus(
    call: RequestContext,
    run: Run,
    reports: ReadonlyMap<Id<'run'>, ReportReferences>,
  ) {
    const kept = reports.get(run.id) ?? (await readReportReferences(call, run)) ?? emptyReferences;
    return countReportStatuses(kept, run);
  }

  /** Gives the members in a report their current names. Members who have left keep the stored one. */
  async function useCurrentNames(
    {workspace, deadline}: RequestContext,
    report: ShownReport,
  ): Promise<ShownReport> {
    const shown = [...report.lines.map(({member}) => member), ...report.blockers.map(({author}) => author)];
    const ids = [...new Set(shown.map(({id}) => id))];
    const found = await records.findMany(workspace, ids, deadline);
    const names = new Map<string, string>(
      found.flatMap((one) => (one === undefined ? [] : [[one.id, one.name] as const])),
    );
    const named = <P extends {readonly id: PrincipalId; readonly name: string | null}>(person: P): P => ({
      ...person,
      name: names.get(person.id) ?? person.name,
    });
    return {
      ...report,
      lines: report.lines.map((line) => ({...line, member: named(line.member)})),
      blockers: report.blockers.map((blocker) => ({...blocker, author: named(blocker.author)})),
    };
  }

  return {
    /** Returns the run of a team on a date. Errors: `not_found`. */
    async findRun(call: TeamReader, reference: string, date: string): Promise<ShownRun> {
      const team = await requireTeam(teams, call, reference);
      requireDate(date);
      const run = await findRunOn(records, call, team.id, date);
      if (run === undefined) throw createRunNotFoundError(team, date);
      return share(`${call.workspace} ${run.id} ${run.revision}`, () => presentRun(call, run));
    },
    /**
     * Lists runs, latest date first unless `upward`. With `state` a page may have fewer rows than requested.
     * Errors: `not_found` for an unknown team.
     */
    async listRuns(
      call: TeamReader,
      reference: string,
      {since, until, state, upward = false, after, limit}: RunFilter,
    ): Promise<{rows: readonly RunSummary[]; next: number | undefined}> {
      requireDateRange(since, until);
      const team = await requireTeam(teams, call, reference);
      const range = {
        list: lists.runsOfTeam(team.id),
        ...(since !== undefined && {from: positionOf(dayNumber(since), 0)}),
        ...(until !== undefined && {to: positionOf(dayNumber(until) + 1, 0)}),
        upward,
      };
      const {rows: wanted, next} = await scanPages(
        (page) => records.list(call.workspace, {...range, ...page}, call.deadline),
        {past: after, limit},
        (found) =>
          found.map(({json}) => {
            const run = parseWire(json);
            return state === undefined || run.state === (state as RunState) ? run : undefined;
          }),
        scanned,
      );
      const {reports} = await findUpdatedReports(context, call, wanted);
      const rows = await Promise.all(
        wanted.map(async (run): Promise<RunSummary> => {
          const {report: _report, participants: _participants, ...rest} = run;
          return {...rest, counts: await countByStatus(call, run, reports)};
        }),
      );
      return {rows, next};
    },
  };
}
