import type {DrawId} from '../../domain/core/ids.js';
import type {Call} from '../../domain/core/access.js';
import {addDays} from '../../domain/core/dates.js';
import {lists} from '../../domain/core/lists.js';
import {spanOf} from '../../domain/runs/run-steps.js';
import {nextRunDay, type Schedule, windowOf} from '../../domain/schedules/schedule.js';
import type {Team} from '../../domain/teams/team.js';
import type {Member} from '../../domain/workspaces/workspace.js';
import type {Zones} from '../../domain/core/zones.js';
import {listPeriods, listRuns} from './run-looks.js';
import type {RunPeople} from './run-people.js';
import {type Found, type Opening, openPart, settlePart} from './run-plans.js';
import type {Records} from '../../store/core/records.js';

/**
 * The opening that has been due for longest, or when the next one will be. What was to open before `from`
 * (ms) is settled; since then each opening goes by what held when it was due, whatever has been set
 * afterwards. After very many changes it goes through some of them only: that these are settled is a step
 * too, so that the next look goes on behind them.
 */
export type LookForOpening = (call: Call, team: Team, from: number, now: number) => Promise<Found>;

export interface RunOpeningParts {
  readonly records: Pick<Records, 'list' | 'listRevisions'>;
  readonly people: Pick<RunPeople, 'listExpected'>;
  readonly zones: Zones;
  readonly drawId: DrawId;
}

/** Periods that one look goes through: those of a team of many clocks take a while. */
const periodsAtOnce = 20;

export function createLookForOpening({records, people, zones, drawId}: RunOpeningParts): LookForOpening {
  /**
   * The next run of a schedule that has not been opened: neither past for the last of its people at `from`
   * (ms), nor over for all of them.
   */
  function findOpening(
    schedule: Schedule,
    from: number,
    clocks: readonly string[],
    taken: ReadonlySet<string>,
  ): Pick<Opening, 'date' | 'span' | 'dueSince'> {
    const start = firstDay(from);
    for (let date = nextRunDay(schedule, start); ; date = nextRunDay(schedule, addDays(date, 1))) {
      if (taken.has(date) || spanOf(schedule, date, clocks, zones).opensLast < from) continue;
      const there = clocks.filter((timezone) => windowOf(schedule, date, timezone, zones).closes > from);
      const span = spanOf(schedule, date, there, zones);
      return {date, span, dueSince: Math.max(span.opens, from)};
    }
  }

  /** The first day that a run may have which opens at an instant (ms), wherever its people are. */
  const firstDay = (from: number): string => addDays(zones.dayIn('UTC', from), -1);

  function clocksOf({timezone: zone}: Team, schedule: Schedule, members: readonly Member[]): string[] {
    if (schedule.clock !== 'member' || members.length === 0) return [zone];
    return [...new Set(members.map(({timezone}) => timezone ?? zone))];
  }

  /** Who is expected: those for whom the run was not over when it could have been opened. */
  function expectedIn(
    {timezone: zone}: Team,
    schedule: Schedule,
    {date, dueSince}: Pick<Opening, 'date' | 'dueSince'>,
    members: readonly Member[],
  ): Member[] {
    return members.filter(({timezone}) => {
      const own = schedule.clock === 'member' ? (timezone ?? zone) : zone;
      return windowOf(schedule, date, own, zones).closes > dueSince;
    });
  }

  return async function lookForOpening(call, team, from, now) {
    const periods = await listPeriods(records, call, team, from);
    if (periods.every(({schedule}) => schedule === null)) return {next: undefined};
    const byOwnClocks = periods.some(({schedule}) => schedule?.clock === 'member');
    const everybody = byOwnClocks ? await people.listExpected(call, team.id) : undefined;
    const known = await listRuns(records, call, lists.runsOfTeam(team.id), firstDay(from));
    const taken = new Set(known.map(({date}) => date));
    for (const [i, {schedule, timezone, since, until, pausedAfter}] of periods.entries()) {
      // Where several began in one millisecond, a look that begins then finds the last of them only.
      if (i >= periodsAtOnce && periods.slice(i + 1).every((later) => later.since > since)) {
        return {step: settlePart(team, since)};
      }
      if (schedule === null) continue;
      const then = {...team, schedule, timezone};
      const found = findOpening(schedule, since, clocksOf(then, schedule, everybody ?? []), taken);
      if (found.span.opens <= Math.min(now, until ?? now)) {
        const members = expectedIn(
          then,
          schedule,
          found,
          everybody ?? (await people.listExpected(call, team.id)),
        );
        const cutOff = pausedAfter && until !== undefined && until < found.span.closes;
        const opening = {...found, kind: 'scheduled', schedule, members, cutOff} as const;
        return {step: openPart(then, opening, drawId(), now, zones)};
      }
      if (until === undefined) return {next: found.span.opens};
    }
    return {next: undefined};
  };
}
