import {formatTable, showUnprintable} from '../../../src/domain/core/table.js';
import type {Session} from './session.js';

/** Prepares a text of people for a line of the terminal. */
export const line = (text: string): string => showUnprintable(text);

/** Prepares a text of people for the terminal: its lines stay, indented. */
export function paragraph(text: string, indent = '  '): string {
  return text
    .split(/\r?\n/)
    .map((one) => `${indent}${showUnprintable(one)}`.trimEnd())
    .join('\n');
}

/** Prints rows as a table, with the headings in bold. */
export function printTable(
  {outside}: Pick<Session, 'outside'>,
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  none: string,
): void {
  const table = formatTable(headings, rows, none);
  if (rows.length === 0) return outside.print(table);
  const end = table.indexOf('\n');
  outside.print(`${outside.emphasize(table.slice(0, end), 'bold')}${table.slice(end)}`);
}
