import type {RequestContext} from '../../domain/core/access.js';
import {addDays, toInstant} from '../../domain/core/dates.js';
import type {Run} from '../../domain/runs/run.js';
import {
  isCountedForParticipation,
  type ReportLine,
  type ReportStandup,
} from '../../domain/runs/run-report.js';
import {findClosingTimeFor} from '../../domain/runs/run-times.js';
import {isRunDay, runWindowOf} from '../../domain/schedules/schedule.js';
import type {Team} from '../../domain/teams/team.js';
import type {DayStatus} from '../../domain/runs/team-day.js';
import type {Member} from '../../domain/workspaces/workspace.js';
import type {Id} from '../../domain/core/ids.js';
import type {ServiceContext} from '../core/context.js';
import {createDaysOff} from '../absences/days-off.js';
import {createRunReports, type PlannedRun} from './run-reports.js';
import {createRunPeople} from './run-people.js';
import {findRunOn} from './run-looks.js';

/** The status of a member in a team on one day. */
export interface DayLine {
  readonly id: Id<'member'>;
  readonly name: string;
  /** The member; undefined for a person who is not in the team, or no longer. */
  readonly member: Member | undefined;
  readonly status: DayStatus;
  /** True if a run expects, or will expect, a standup from the member, apart from days off. */
  readonly counted: boolean;
  readonly reason: string | null;
  readonly until: string | null;
  /** The time (ms) when the day's run closes for the member; undefined if no run expects the member. */
  readonly closes: number | undefined;
  readonly standups: readonly ReportStandup[];
}

export interface DayLines {
  /** The run of the day, in any state. */
  readonly run: Run | undefined;
  /** The status of each member, sorted by name. */
  readonly lines: readonly DayLine[];
}

/** Returns the status of everyone in a team on a date, for the API and for Slack. */
export function createDayLineFinder(context: ServiceContext) {
  const {records, zones, clock} = context;
  const runPeople = createRunPeople(context);
  const runReports = createRunReports(context);
  const daysOff = createDaysOff(context);

  /**
   * Returns the plan of a day without a run. A team with a schedule expects all of its members on the days of
   * the schedule. A team without a schedule expects them only today.
   */
  function planRunOfDay(team: Team, date: string, everybody: readonly Member[]): PlannedRun {
    const {id, timezone, schedule, paused} = team;
    const today = zones.dayIn(timezone, clock.now());
    const asks = !paused && (schedule === null ? date === today : date >= today && isRunDay(schedule, date));
    const closes =
      schedule === null
        ? zones.instantOf(timezone, addDays(date, 1), '00:00')
        : runWindowOf(schedule, date, timezone, zones).closes;
    const clocks = (member: Member) => (schedule?.clock === 'member' ? member.timezone : null);
    return {
      state: 'open',
      team_id: id,
      date,
      timezone,
      schedule,
      closes_at: toInstant(closes),
      participants: asks ? everybody.map((member) => ({member: member.id, timezone: clocks(member)})) : [],
    };
  }

  return async function findDayLines(asked: RequestContext, team: Team, date: string): Promise<DayLines> {
    const [run, everybody] = await Promise.all([
      findRunOn(records, asked, team.id, date),
      runPeople.listExpected(asked, team.id),
    ]);
    const counting = run !== undefined && isCountedForParticipation(run) ? run : undefined;
    const planned = run === undefined ? planRunOfDay(team, date, everybody) : {...run, participants: []};
    const report =
      counting === undefined
        ? await runReports.findPlanned(asked, planned)
        : (await runReports.findReport(asked, counting)).report;

    const here = new Map(everybody.map((member) => [member.id, member]));
    const reported = new Set(report.lines.map(({member}) => member.id));
    const others = everybody.filter(({id}) => !reported.has(id));
    const off = await daysOff.listDaysOff(asked, others, date, team.id);

    function createDayLine({
      member: {id, name},
      otherwise,
      status,
      reason,
      until,
      standups,
    }: ReportLine): DayLine {
      const closes = otherwise === null ? undefined : findClosingTimeFor(counting ?? planned, id, zones);
      // A run that was never opened expects no one after its end: no member counts as missed or off.
      const counted = closes !== undefined && (counting !== undefined || clock.now() < closes);
      return {
        id,
        name,
        member: here.get(id),
        status: status === 'missed' && !counted ? 'not_expected' : status,
        counted,
        reason,
        until,
        closes: counted ? closes : undefined,
        standups,
      };
    }

    function createUnexpectedMemberLine(member: Member): DayLine {
      const {status = 'not_expected', reason = null, until = null} = off.get(member.id) ?? {};
      const {id, name} = member;
      return {id, name, member, status, counted: false, reason, until, closes: undefined, standups: []};
    }

    const lines = [...report.lines.map(createDayLine), ...others.map(createUnexpectedMemberLine)];
    return {
      run,
      lines: lines.toSorted((a, b) => a.name.localeCompare(b.name) || (a.id < b.id ? -1 : 1)),
    };
  };
}
