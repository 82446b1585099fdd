// Positions of working hours, the run and the current time on a team's day, by time zone.
import type {Schema, TeamDay} from '../api/schema.ts';
import {computeUtcOffset} from '../parts/utc-offset.ts';
import {formatCity} from '../texts/format.ts';
import type {DayPerson} from './day.ts';

/** A part of the ribbon. `from` and `to` are fractions of the ribbon's length. */
export interface RibbonSpan {
  readonly from: number;
  readonly to: number;
}

export interface ZoneRow {
  /** Time zone of most people in the row. */
  readonly zone: string;
  readonly cities: readonly string[];
  readonly people: readonly DayPerson[];
  readonly working: readonly RibbonSpan[];
  readonly open: readonly RibbonSpan[];
}

export interface Ribbon {
  /** One row for each time zone, from west to east. */
  readonly rows: readonly ZoneRow[];
  /** Number of time zones that the ribbon does not show, because it has at most `mostRows` rows. */
  readonly more: number;
  /** Position of the current time; undefined if it is outside the ribbon. */
  readonly now: number | undefined;
  /** Full hours by the viewer's clock, with their positions. */
  readonly hours: readonly {readonly at: number; readonly instant: number}[];
  /** The team's city, when its clock differs from the viewer's. */
  readonly city: string | undefined;
}

const hour = 3_600_000;
export const workday = {from: 9, to: 17};
const mostRows = 7;
/** Position on the ribbon, as a fraction, from which an hour's label would be cut off at the end. */
const lastHourAt = 0.9;

/** Computes the ribbon of a team's day. `clock`: the viewer's time zone. */
export function computeRibbon(
  day: TeamDay,
  schedule: Schema<'Schedule'> | null,
  now: number,
  clock: string,
): Ribbon {
  const start = toInstant(day.timezone, day.date, 0);
  const closes = day.run === null ? 0 : Date.parse(day.run.closes_at);
  const end = Math.max(toInstant(day.timezone, day.date, 24), Math.ceil(closes / hour) * hour);
  const share = (instant: number): number => (instant - start) / (end - start);
  const span = (from: number, to: number): RibbonSpan[] => {
    const [a, b] = [Math.max(0, share(from)), Math.min(1, share(to))];
    return b > a ? [{from: a, to: b}] : [];
  };

  const groups = Map.groupBy(day.people, ({timezone}) => computeUtcOffset(timezone, start + 12 * hour));
  const rows = [...groups]
    .toSorted(([a], [b]) => a - b)
    .map(([, people]): ZoneRow => {
      const byZone = [...Map.groupBy(people, ({timezone}) => timezone)].toSorted(
        ([, a], [, b]) => b.length - a.length,
      );
      const zone = byZone[0]?.[0] ?? day.timezone;
      const working = [-1, 0, 1].flatMap((days) =>
        span(
          toInstant(zone, day.date, days * 24 + workday.from),
          toInstant(zone, day.date, days * 24 + workday.to),
        ),
      );
      const open = findRunHours(day, schedule, people);
      return {
        zone,
        cities: byZone.map(([name]) => formatCity(name)),
        people,
        working,
        open: open === undefined ? [] : span(...open),
      };
    });
  const busiest = new Set(rows.toSorted((a, b) => b.people.length - a.people.length).slice(0, mostRows));
  const hours = [-24, -18, -12, -6, 0, 6, 12, 18, 24, 30, 36, 42, 48]
    .map((at) => toInstant(clock, day.date, at))
    .filter((instant) => instant >= start && share(instant) <= lastHourAt);
  return {
    rows: rows.filter((row) => busiest.has(row)),
    more: rows.length - busiest.size,
    now: now >= start && now < end ? share(now) : undefined,
    hours: hours.map((instant) => ({at: share(instant), instant})),
    city: [start, end].every(
      (instant) => computeUtcOffset(clock, instant) === computeUtcOffset(day.timezone, instant),
    )
      ? undefined
      : formatCity(day.timezone),
  };
}

/** The hours during which the run is open for people in the same time zone. */
function findRunHours(
  {run}: TeamDay,
  schedule: Schema<'Schedule'> | null,
  people: readonly DayPerson[],
): [number, number] | undefined {
  const isByMember = schedule?.clock === 'member' && run?.kind !== 'ad_hoc';
  if (run !== null && !isByMember) return [Date.parse(run.opens_at), Date.parse(run.closes_at)];
  const closes = people.find(({closes_at}) => closes_at !== null)?.closes_at;
  if (schedule === null || typeof closes !== 'string') return undefined;
  const minutes =
    (parseMinutesOfDay(schedule.closes) - parseMinutesOfDay(schedule.opens) + 1_440) % 1_440 || 1_440;
  return [Date.parse(closes) - minutes * 60_000, Date.parse(closes)];
}

function parseMinutesOfDay(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
}

/** The instant at which local time in the zone is `hours` after midnight of a date. */
function toInstant(zone: string, date: string, hours: number): number {
  const wall = Date.parse(`${date}T00:00:00Z`) + hours * hour;
  const near = wall - computeUtcOffset(zone, wall);
  return wall - computeUtcOffset(zone, near);
}
