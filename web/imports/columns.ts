import {type Columns, columnFields, type ColumnField} from '../../packages/import-files/src/columns.js';
import type {FileTable} from '../../packages/import-files/src/read-csv.js';
import {type DateOrder, findDateOrder, needsDateOrder} from '../../packages/import-files/src/read-day.js';

/** The meanings that a person may choose for a column. */
export const columnMeanings = ['none', ...columnFields] as const;

export type ColumnMeaning = (typeof columnMeanings)[number];

const examplesShown = 3;
const exampleLength = 60;

/** Returns what the first rows have in a column, cut to one line each. */
export function listExamples({records}: FileTable, column: number): readonly string[] {
  return records
    .slice(0, examplesShown)
    .map(({cells}) => (cells[column] ?? '').trim().replaceAll(/\s+/g, ' '))
    .filter((cell) => cell !== '')
    .map((cell) => (cell.length > exampleLength ? `${cell.slice(0, exampleLength).toWellFormed()} …` : cell));
}

/** A column whose dates do not say whether the day or the month comes first. */
export interface UnclearDates {
  /** The first such date. */
  readonly example: string;
  readonly isMixed: boolean;
}

/** Finds out whether a person has to say the order of day and month. */
export function findUnclearDates({records}: FileTable, columns: Columns): UnclearDates | undefined {
  for (const field of ['date', 'posted_at'] satisfies ColumnField[]) {
    const column = columns.indexOf(field);
    if (column < 0) continue;
    const cells = records.map(({cells: own}) => own[column] ?? '');
    const order: DateOrder | 'mixed' | undefined = findDateOrder(cells);
    const example = cells.find((cell) => needsDateOrder([cell]));
    if (example !== undefined && (order === undefined || order === 'mixed'))
      return {example: example.trim(), isMixed: order === 'mixed'};
  }
  return undefined;
}

/** True if a name can be the source of an import. */
export function isSource(name: string): boolean {
  return /^[a-z][a-z0-9-]{0,39}$/.test(name);
}
