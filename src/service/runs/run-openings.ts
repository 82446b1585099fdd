import type {Call} from '../../domain/core/access.js';
import {addDays} from '../../domain/core/dates.js';
import {lists} from '../../domain/core/lists.js';
import {graceMs} from '../../domain/runs/run.js';
import {computeRunSpan} from '../../domain/runs/run-steps.js';
import {findNextRunDay, type Schedule, runWindowOf} from '../../domain/schedules/schedule.js';
import type {Team} from '../../domain/teams/team.js';
import type {Member} from '../../domain/workspaces/workspace.js';
import type {ServiceContext} from '../core/context.js';
import {createRunPeople} from './run-people.js';
import {listRuns} from './run-looks.js';
import type {RunOpening} from './run-plans.js';

/** The runs of a team that are due to open, earliest first, and the time (ms) when the next one is due. */
export interface Openings {
  readonly due: readonly RunOpening[];
  readonly next: number | undefined;
}

/**
 * Finds up to `most` runs that are due to open at `now`, by the team's current rules. Runs that were due
 * before `from` have been handled already. Times are in ms.
 */
export function createRunOpeningFinder(context: ServiceContext) {
  const {records, zones} = context;
  const runPeople = createRunPeople(context);

  /**
   * Finds the next run of a schedule that has not been opened. The run must open at `from` (ms) or later for
   * at least one member. Time zones in which the run is over by then do not count.
   */
  function findNextOpening(
    schedule: Schedule,
    from: number,
    clocks: readonly string[],
    taken: ReadonlySet<string>,
  ): Pick<RunOpening, 'date' | 'span' | 'dueSince'> {
    const start = firstDay(from);
    for (let date = findNextRunDay(schedule, start); ; date = findNextRunDay(schedule, addDays(date, 1))) {
      if (taken.has(date) || computeRunSpan(schedule, date, clocks, zones).opensLast < from) continue;
      const there = clocks.filter((timezone) => runWindowOf(schedule, date, timezone, zones).closes > from);
      const span = computeRunSpan(schedule, date, there, zones);
      return {date, span, dueSince: Math.max(span.opens, from)};
    }
  }

  /** Returns the earliest date of a run that can open at this time (ms), in any time zone. */
  const firstDay = (from: number): string => addDays(zones.dayIn('UTC', from), -1);

  function listTimeZones({timezone: zone}: Team, schedule: Schedule, members: readonly Member[]): string[] {
    if (schedule.clock !== 'member' || members.length === 0) return [zone];
    return [...new Set(members.map(({timezone}) => timezone ?? zone))];
  }

  /** Returns the members that a run expects: all whose run was not over when it could have opened. */
  function listExpectedMembers(
    {timezone: zone}: Team,
    schedule: Schedule,
    {date, dueSince}: Pick<RunOpening, 'date' | 'dueSince'>,
    members: readonly Member[],
  ): Member[] {
    return members.filter(({timezone}) => {
      const own = schedule.clock === 'member' ? (timezone ?? zone) : zone;
      return runWindowOf(schedule, date, own, zones).closes > dueSince;
    });
  }

  return async function findRunsToOpen(
    call: Call,
    team: Team,
    {from, now, most}: {readonly from: number; readonly now: number; readonly most: number},
  ): Promise<Openings> {
    const {schedule, paused} = team;
    if (schedule === null || paused) return {due: [], next: undefined};
    const byOwnClocks = schedule.clock === 'member';
    const everybody = byOwnClocks ? await runPeople.listExpected(call, team.id) : undefined;
    const clocks = listTimeZones(team, schedule, everybody ?? []);
    const known = await listRuns(records, call, lists.runsOfTeam(team.id), firstDay(from));
    const taken = new Set(known.map(({date}) => date));
    const found: Pick<RunOpening, 'date' | 'span' | 'dueSince'>[] = [];
    let coming = findNextOpening(schedule, from, clocks, taken);
    while (coming.span.opens <= now && found.length < most) {
      found.push(coming);
      taken.add(coming.date);
      coming = findNextOpening(schedule, from, clocks, taken);
    }
    const there = everybody ?? (found.length === 0 ? [] : await runPeople.listExpected(call, team.id));
    const due = found.map(
      (one): RunOpening => ({
        ...one,
        kind: 'scheduled',
        schedule,
        members: listExpectedMembers(team, schedule, one, there),
        isMissed: now - one.dueSince >= graceMs && one.span.closes <= now,
      }),
    );
    return {due, next: coming.span.opens};
  };
}
