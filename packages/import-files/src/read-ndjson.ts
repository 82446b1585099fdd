import {FileError} from './read-csv.js';
import type {MappedFile, RowError} from './map-rows.js';
import type {ImportRow} from './rows.js';

/**
 * Reads a file in which each line is a row of the API. Lines that are no row of an import are errors; the API checks
 * the fields.
 */
export function readNdjson(text: string): MappedFile {
  const rows: {line: number; row: ImportRow}[] = [];
  const errors: {line: number; error: RowError}[] = [];
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n?|\n/);
  for (const [index, content] of lines.entries()) {
    if (content.trim() === '') continue;
    const row = parse(content);
    if (isRow(row)) rows.push({line: index + 1, row});
    else errors.push({line: index + 1, error: 'no_row'});
  }
  if (rows.length === 0) throw new FileError('no_rows', 1);
  return {rows, errors, withoutZone: 0, cut: 0};
}

function parse(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    return undefined;
  }
}

/** True for what has the fields that people see in a report. */
function isRow(value: unknown): value is ImportRow {
  if (typeof value !== 'object' || value === null) return false;
  const {external_id: id, team, author} = value as Partial<Record<keyof ImportRow, unknown>>;
  if (typeof id !== 'string' || typeof team !== 'string' || typeof author !== 'object' || author === null)
    return false;
  return 'name' in author && typeof author.name === 'string';
}

/** True if a file has one JSON object in each line, by its first character. */
export function isNdjson(text: string): boolean {
  return /^\uFEFF?\s*\{/.test(text);
}
