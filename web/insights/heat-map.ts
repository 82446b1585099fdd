import type {RunCounts, Schema} from '../api/schema.ts';
import {addDays, weekdayOf} from '../parts/days.ts';

type Participation = Schema<'Participation'>;
export type Day = NonNullable<Participation['by_member'][number]['days']>[number];

/** A column of the chart: a run, and the holidays on its day. */
export interface Column {
  readonly date: string;
  readonly counts: RunCounts;
  /** True for the first run of a week or month, where the chart draws a line or the month's name. */
  readonly startsWeek: boolean;
  readonly startsMonth: boolean;
  /** Names of the holidays; empty when no participant has one. */
  readonly holidays: readonly string[];
  /** The share of the run's participants with a holiday, from 0 to 1. */
  readonly holidayShare: number;
}

export interface HeatMapRow {
  readonly id: string;
  readonly name: string | null;
  readonly counts: RunCounts;
  /** The member's status by date; no entry for days when the member was not in the run. */
  readonly days: ReadonlyMap<string, Day>;
}

export interface HeatMap {
  readonly columns: readonly Column[];
  readonly rows: readonly HeatMapRow[];
}

export const states = ['posted', 'late', 'missed', 'unreachable', 'away', 'holiday', 'skipped'] as const;

/** Computes the columns and rows of the chart. People are sorted by name, as in the report. */
export function computeHeatMap({by_date, by_member}: Participation): HeatMap {
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
      startsWeek: before !== undefined && findMonday(before) !== findMonday(date),
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

/** A cell of the grid: row 0 holds the dates, column 0 the names. */
export interface GridPosition {
  readonly row: number;
  readonly column: number;
}

/** Returns the cell to which an arrow, page, Home or End key moves; undefined for other keys. */
export function findNextGridCell(
  {row, column}: GridPosition,
  {key, ctrlKey}: {readonly key: string; readonly ctrlKey: boolean},
  last: GridPosition,
  isRightToLeft: boolean,
): GridPosition | undefined {
  const ahead = isRightToLeft ? -1 : 1;
  const moves: Readonly<Record<string, GridPosition>> = {
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
  const position = {row: within(to.row, last.row), column: within(to.column, last.column)};
  // The corner cell takes no focus; the first date gets the focus instead.
  return position.row === 0 && position.column === 0 ? {row: 0, column: 1} : position;
}

function findMonday(date: string): string {
  return addDays(date, -weekdayOf(date));
}
