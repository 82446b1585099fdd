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

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

const isTextOrNone = (value: unknown): boolean => value === undefined || typeof value === 'string';

/** True for what has the shape of a row. The API checks the values. */
function isRow(value: unknown): value is ImportRow {
  if (!isObject(value) || !isObject(value['author'])) return false;
  const {external_id: id, team, author, answers = [], date, posted_at: at, timezone, update} = value;
  const {name, email, external_id: person} = author;
  return (
    [id, team, name].every((one) => typeof one === 'string') &&
    [email, person, date, at, timezone, update].every(isTextOrNone) &&
    Array.isArray(answers) &&
    answers.every((answer) => isObject(answer) && typeof answer['label'] === 'string')
  );
}

/** True if a file has one JSON object in each line, by its first character. */
export function isNdjson(text: string): boolean {
  return /^\uFEFF?\s*\{/.test(text);
}
