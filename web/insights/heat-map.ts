import type {Schema} from '../api/schema.ts';
import {addDays, weekdayOf} from '../parts/days.ts';

type Participation = Schema<'Participation'>;
export type Counts = Schema<'RunCounts'>;
export type Day = NonNullable<Participation['by_member'][number]['days']>[number];

/** A run, and what its day has for all. */
export interface Column {
  readonly date: string;
  readonly counts: Counts;
  /** The first one of its week, or of its month: where a line, or the name of the month, stands. */
  readonly startsWeek: boolean;
  readonly startsMonth: boolean;
  /** The name of the holiday for those who have it off; empty when nobody has. */
  readonly holidays: readonly string[];
  /** The share of people of the run who have a holiday: from 0 to 1. */
  readonly holidayShare: number;
}

export interface Row {
  readonly id: string;
  /** Null of somebody who was erased. */
  readonly name: string | null;
  readonly counts: Counts;
  /** Undefined on days on which they were not in the run. */
  readonly days: ReadonlyMap<string, Day>;
}

export interface HeatMap {
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
}

const states = ['posted', 'late', 'missed', 'unreachable', 'away', 'holiday', 'skipped'] as const;

/** People, in the order of their names, and the runs that they stand in. */
export function heatMapOf({by_date, by_member}: Participation): HeatMap {
  const holidays = new Map<string, Set<string>>();
  for (const {days = []} of by_member) {
    for (const {date, status, reason} of days) {
      if (status !== 'holiday') continue;
      const named = holidays.get(date) ?? new Set();
      if (reason !== null) named.add(reason);
      holidays.set(date, named);
    }
  }
  const columns = by_date.map(({date, counts}, i): Column => {
    const before = by_date[i - 1]?.date;
    const all = states.reduce((sum, state) => sum + counts[state], 0);
    return {
      date,
      counts,
      startsWeek: before !== undefined && mondayOf(before) !== mondayOf(date),
      startsMonth: before?.slice(0, 7) !== date.slice(0, 7),
      holidays: [...(holidays.get(date) ?? [])].toSorted(),
      holidayShare: all === 0 ? 0 : counts.holiday / all,
    };
  });
  const rows = by_member.map(({member: {id, name}, counts, days = []}) => ({
    id,
    name,
    counts,
    days: new Map(days.map((day) => [day.date, day])),
  }));
  return {columns, rows};
}

/** A place on a line: `x` in the middle of its column, in columns; `y` from 0 (all) to 1 (nobody). */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** The line of a trend, in pieces: it is broken where nothing was expected of anybody. */
export function trendOf(shares: readonly (number | null)[]): readonly (readonly Point[])[] {
  const pieces: Point[][] = [[]];
  for (const [i, share] of shares.entries()) {
    if (share === null) pieces.push([]);
    else pieces.at(-1)?.push({x: i + 0.5, y: 1 - share});
  }
  return pieces.filter((piece) => piece.length > 0);
}

/** As an SVG path draws it. */
export function pathOf(pieces: readonly (readonly Point[])[]): string {
  return pieces.map((piece) => piece.map(({x, y}, i) => `${i === 0 ? 'M' : 'L'}${x} ${y}`).join('')).join('');
}

/** A cell of the grid: row 0 are the dates, column 0 the names. */
export interface Place {
  readonly row: number;
  readonly column: number;
}

/** The place to which a key leads; undefined if it does not move. `isTurned`: from right to left. */
export function moveInGrid(
  {row, column}: Place,
  {key, ctrlKey}: {readonly key: string; readonly ctrlKey: boolean},
  last: Place,
  isTurned: boolean,
): Place | undefined {
  const ahead = isTurned ? -1 : 1;
  const moves: Readonly<Record<string, Place>> = {
    ArrowRight: {row, column: column + ahead},
    ArrowLeft: {row, column: column - ahead},
    ArrowDown: {row: row + 1, column},
    ArrowUp: {row: row - 1, column},
    PageDown: {row: row + 10, column},
    PageUp: {row: row - 10, column},
    Home: {row: ctrlKey ? 0 : row, column: 0},
    End: {row: ctrlKey ? last.row : row, column: last.column},
  };
  const to = moves[key];
  if (to === undefined) return undefined;
  const within = (value: number, most: number) => Math.max(0, Math.min(most, value));
  const place = {row: within(to.row, last.row), column: within(to.column, last.column)};
  // The corner has nothing to stand on.
  return place.row === 0 && place.column === 0 ? {row: 0, column: 1} : place;
}

function mondayOf(date: string): string {
  return addDays(date, -weekdayOf(date));
}
