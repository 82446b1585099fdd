import {parseWire} from '../../domain/core/resource.js';
import type {DayOff} from '../../domain/absences/absence.js';
import type {RequestContext} from '../../domain/core/access.js';
import {dayNumber} from '../../domain/core/dates.js';
import {suffixOf, type Id} from '../../domain/core/ids.js';
import {limits} from '../../domain/core/limits.js';
import {lists, positionOf} from '../../domain/core/lists.js';
import {createReportReferences, updateReportDaysOff} from '../../domain/runs/report-references.js';
import type {ReportReferences, Run} from '../../domain/runs/run.js';
import {computeRunReport, isDayOff, type ReportInput, type RunReport} from '../../domain/runs/run-report.js';
import {listMemberAuthors, type Standup} from '../../domain/standups/standup.js';
import type {Member} from '../../domain/workspaces/workspace.js';
import {createDayRange, listRecords, readPages} from '../core/paging.js';
import type {ServiceContext} from '../core/context.js';
import {createDaysOff} from '../absences/days-off.js';

/** A report, with the data that a commit needs for its guards. */
export interface FoundReport {
  readonly report: RunReport;
  /** The references that are stored with the run when it closes. */
  readonly references: ReportReferences;
  /** The count of changes to the run's standups, read before them, for the guard `run-posts`. */
  readonly posts: number;
}

/** The fields of a run that a report needs, even if there is no run on that day. */
export type PlannedRun = ReportInput['run'];

/** Returns the days off stored with a closed run. Their reasons come from current absences. */
function listStoredDaysOff({lines}: ReportReferences, now: ReadonlyMap<Id<'member'>, DayOff>) {
  const kept = lines.flatMap(
    ({member, otherwise, holiday = null, until = null}): [Id<'member'>, DayOff][] => {
      if (otherwise === null || !isDayOff(otherwise)) return [];
      const reason = otherwise === 'holiday' ? holiday : (now.get(member)?.reason ?? null);
      return [[member, {...now.get(member), status: otherwise, reason, until}]];
    },
  );
  return new Map(kept);
}

function listStoredUnreachable({lines}: ReportReferences): ReadonlySet<Id<'member'>> {
  return new Set(lines.flatMap(({member, otherwise}) => (otherwise === 'unreachable' ? [member] : [])));
}

/** Returns the days off of members who still exist. */
function buildDayOffLookup(people: readonly Member[], daysOff: ReadonlyMap<Id<'member'>, DayOff>) {
  const known = new Set(people.map(({id}) => id));
  return (member: Id<'member'>) => (known.has(member) ? daysOff.get(member) : null);
}

/** The number of standups read at once; only their parts for the report are kept. */
const page = 100;

type ReportedStandup = Pick<
  Standup,
  'id' | 'revision' | 'author' | 'team_id' | 'date' | 'late' | 'created_at'
>;

function dropContent({id, revision, author, team_id, date, late, created_at}: Standup): ReportedStandup {
  return {id, revision, author, team_id, date, late, created_at};
}

export function createRunReports(context: ServiceContext) {
  const {records, zones, clock, prompts} = context;
  const {listDaysOff} = createDaysOff(context);

  async function listStandups(call: RequestContext, run: PlannedRun): Promise<ReportedStandup[]> {
    const list = lists.standupsOfTeam(run.team_id);
    const range = {list, ...createDayRange(run.date, run.date), limit: page, upward: true};
    const standups: ReportedStandup[] = [];
    for await (const rows of readPages(records, call, range)) {
      for (const {json} of rows) standups.push(dropContent(parseWire(json)));
    }
    return standups;
  }

  async function listPeople({workspace, deadline}: RequestContext, ids: readonly Id<'member'>[]) {
    const found = await records.findMany(workspace, ids, deadline);
    return found.filter((member) => member !== undefined);
  }

  /** Returns the members that a run counts; for a closed run the stored ones, even if they left. */
  async function listCountedMembers(call: RequestContext, run: PlannedRun & Pick<Run, 'report'>) {
    const ids = run.participants.map(({member}) => member);
    if (run.report !== null) return new Set(run.report.lines.map(({member}) => member));
    return records.listExpected(call.workspace, run.team_id, ids, call.deadline);
  }

  /**
   * Returns the references for the report of a closed run, updated by current absences. This runs for every
   * late standup, so it reads only members whose line depends, or depended, on an absence.
   */
  async function findReferences(call: RequestContext, run: Run & {readonly report: ReportReferences}) {
    const absences = run.report.lines.map(({member}) => lists.absencesOf(member));
    const from = positionOf(dayNumber(run.date), 0);
    const having = await records.listFilled(call.workspace, absences, from, call.deadline);
    const asked = run.report.lines.filter(
      ({member, otherwise}) =>
        otherwise === 'away' || otherwise === 'skipped' || having.has(lists.absencesOf(member)),
    );
    const people = await listPeople(
      call,
      asked.map(({member}) => member),
    );
    const daysOff = await listDaysOff(call, people, run.date, run.team_id);
    return updateReportDaysOff(run.report, buildDayOffLookup(people, daysOff));
  }

  /** Builds a report. `listOut`: returns which of the counted members could not be reached. */
  async function buildRunReport(
    call: RequestContext,
    run: PlannedRun & Pick<Run, 'report'>,
    listOut: (counting: readonly Id<'member'>[]) => Promise<ReadonlySet<Id<'member'>>>,
  ): Promise<RunReport> {
    const [standups, counting, blockers] = await Promise.all([
      listStandups(call, run),
      listCountedMembers(call, run),
      listRecords(records, call, {
        list: lists.openBlockersOfTeam(run.team_id),
        limit: limits.openBlockersPerTeam,
      }),
    ]);
    const [members, unreachable] = await Promise.all([
      listPeople(call, [...new Set([...counting, ...listMemberAuthors(standups)])]),
      listOut([...counting]),
    ]);
    const counted = members.filter(({id}) => counting.has(id));
    const daysOff = await listDaysOff(call, counted, run.date, run.team_id);
    const kept = run.report && updateReportDaysOff(run.report, buildDayOffLookup(members, daysOff));
    return computeRunReport({
      run: {...run, participants: run.participants.filter(({member}) => counting.has(member))},
      members,
      standups,
      daysOff: kept === null ? daysOff : listStoredDaysOff(kept, daysOff),
      unreachable: kept === null ? unreachable : listStoredUnreachable(kept),
      blockers,
      zones,
      now: clock.now(),
    });
  }

  return {
    findReferences,
    /** Returns the state of a day that has no run yet: the state that a run with these members would have. */
    findPlanned: (call: RequestContext, planned: PlannedRun): Promise<RunReport> =>
      buildRunReport(call, {...planned, report: null}, async () => new Set()),
    /**
     * Returns the current state of a run; for a closed run the state at its end, with current absences. The
     * number of round trips does not grow with the number of members.
     */
    async findReport(call: RequestContext, run: Run): Promise<FoundReport> {
      const posts = await records.countRunPosts(call.workspace, suffixOf(run.id), call.deadline);
      const report = await buildRunReport(call, run, (counting) =>
        prompts.findUnreachable(call.workspace, run.id, counting, call.deadline),
      );
      return {report, references: createReportReferences(report), posts};
    },
  };
}
