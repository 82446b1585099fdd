import type {Call} from '../domain/access.js';
import {addDays} from '../domain/dates.js';
import {lists} from '../domain/lists.js';
import {spanOf} from '../domain/run-steps.js';
import {nextRunDay, type Schedule, windowOf} from '../domain/schedule.js';
import type {Team} from '../domain/team.js';
import type {Zones} from '../domain/zones.js';
import {listPeriods, listRuns} from './run-looks.js';
import type {RunPeople} from './run-people.js';
import {type Found, type Opening, openPart} from './run-plans.js';
import type {DrawId, Records} from './stores.js';

/**
 * The opening that has been due for longest, or when the next one will be. What was to open before `from` (ms) is settled; since then each
 * opening goes by what held when it was due, whatever has been set afterwards.
 */
export type LookForOpening = (call: Call, team: Team, from: number, now: number) => Promise<Found>;

export interface RunOpeningParts {
  readonly records: Pick<Records, 'list' | 'listRevisions'>;
  readonly people: Pick<RunPeople, 'listTeam'>;
  readonly zones: Zones;
  readonly drawId: DrawId;
}

export function createLookForOpening({records, people, zones, drawId}: RunOpeningParts): LookForOpening {
  /** The next run of a schedule that has not been opened: neither past for the last of its people at `from` (ms), nor over for all of them. */
  async function findOpening(
    call: Call,
    team: Team,
    schedule: Schedule,
    from: number,
  ): Promise<Pick<Opening, 'date' | 'span' | 'dueSince'>> {
    const members = schedule.clock === 'member' ? await people.listTeam(call, team.id) : [];
    const own = [...new Set(members.map(({timezone}) => timezone ?? team.timezone))];
    const clocks = own.length > 0 ? own : [team.timezone];
    const start = addDays(zones.dayIn('UTC', from), -1);
    const known = await listRuns(records, call, lists.runsOfTeam(team.id), start);
    const taken = new Set(known.map(({date}) => date));
    for (let date = nextRunDay(schedule, start); ; date = nextRunDay(schedule, addDays(date, 1))) {
      if (taken.has(date) || spanOf(schedule, date, clocks, zones).opensLast < from) continue;
      const there = clocks.filter((timezone) => windowOf(schedule, date, timezone, zones).closes > from);
      const span = spanOf(schedule, date, there, zones);
      return {date, span, dueSince: Math.max(span.opens, from)};
    }
  }

  /** Who is expected: those for whom the run was not over when it could have been opened. */
  async function listExpected(
    call: Call,
    team: Team,
    schedule: Schedule,
    {date, dueSince}: Pick<Opening, 'date' | 'dueSince'>,
  ) {
    return (await people.listTeam(call, team.id)).filter(({timezone}) => {
      const zone = schedule.clock === 'member' ? (timezone ?? team.timezone) : team.timezone;
      return windowOf(schedule, date, zone, zones).closes > dueSince;
    });
  }

  return async function lookForOpening(call, team, from, now) {
    for (const {schedule, timezone, since, until, pausedAfter} of await listPeriods(
      records,
      call,
      team,
      from,
    )) {
      if (schedule === null) continue;
      const then = {...team, schedule, timezone};
      const found = await findOpening(call, then, schedule, since);
      if (found.span.opens <= Math.min(now, until ?? now)) {
        const members = await listExpected(call, then, schedule, found);
        const cutOff = pausedAfter && until !== undefined && until < found.span.closes;
        const opening = {...found, kind: 'scheduled', schedule, members, cutOff} as const;
        return {step: openPart(then, opening, drawId(), now)};
      }
      if (until === undefined) return {next: found.span.opens};
    }
    return {next: undefined};
  };
}
