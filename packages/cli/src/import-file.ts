import {readFileSync, statSync} from 'node:fs';
import path from 'node:path';
import {
  type ColumnField,
  columnFields,
  type Columns,
  findColumnsErrors,
  guessColumns,
} from '../../import-files/src/columns.js';
import {mapFile, type MappedFile, type RowError} from '../../import-files/src/map-rows.js';
import {
  decodeFile,
  type Delimiter,
  FileError,
  type FileTable,
  readCsv,
} from '../../import-files/src/read-csv.js';
import {type DateOrder, findDateOrder, needsDateOrder} from '../../import-files/src/read-day.js';
import {isNdjson, readNdjson} from '../../import-files/src/read-ndjson.js';
import {CommandError} from './errors.js';
import {createTally, type SourceContent} from './import-source.js';
import type {Outside} from './outside.js';
import {line} from './show.js';

export interface FileOptions {
  readonly column?: readonly string[];
  readonly dateOrder?: DateOrder;
  readonly twoDigitYears?: boolean;
  readonly delimiter?: string;
  readonly source?: string;
  /** The team of the rows without one. */
  readonly team?: string | undefined;
}

/** The largest file that is read (bytes): more than a million standups. */
const largestFile = 400 * 1024 * 1024;
/** The lines that are named for each error. */
const linesShown = 5;

const errorTexts: Readonly<Record<RowError, string>> = {
  not_a_date: 'the date cannot be read',
  date_order_unknown: 'day and month of the date may be exchanged: --date-order says their order',
  two_digit_year: 'the year has two digits (--two-digit-years takes it as 20..)',
  no_date: 'without a date',
  no_author: 'without an author',
  no_text: 'without a text',
  no_team: 'without a team',
  no_row: 'not a row of an import',
  too_many_cells: 'more cells than the header',
};

/** Reads a file of CSV, or of one JSON row in each line. */
export async function readFileSource(
  outside: Outside,
  file: string,
  options: FileOptions,
): Promise<SourceContent> {
  const text = decodeFile(readBytes(outside, file));
  try {
    const {mapped, notes} = isNdjson(text)
      ? {mapped: readNdjson(text), notes: []}
      : await readTable(outside, readCsv(text, parseDelimiter(options.delimiter)), options);
    return {
      source: options.source ?? 'csv',
      rows: mapped.rows.map(({row}) => row),
      leftOut: listErrors(mapped),
      notes: [...notes, ...listNotes(mapped)],
      absences: [],
    };
  } catch (error) {
    if (error instanceof FileError) throw new CommandError('usage', describeFileError(file, error));
    throw error;
  }
}

export function readBytes({cwd}: Outside, file: string): Uint8Array {
  try {
    const found = path.resolve(cwd, file);
    const stats = statSync(found);
    // A pipe or a device may have no end.
    if (!stats.isFile()) throw new CommandError('usage', `${file} is not a file.`);
    if (stats.size > largestFile) throw new CommandError('usage', `${file} is larger than 400 MB. Split it.`);
    return readFileSync(found);
  } catch (error) {
    if (error instanceof CommandError) throw error;
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    throw new CommandError(
      isMissing ? 'notFound' : 'refused',
      isMissing ? `There is no file ${file}.` : `${file} cannot be read: ${(error as Error).message}`,
    );
  }
}

function describeFileError(file: string, {reason, line: at}: FileError): string {
  switch (reason) {
    case 'empty':
      return `${file} is empty.`;
    case 'no_rows':
      return `${file} has no standups.`;
    case 'open_quote':
      return `A quote in line ${at} of ${file} is not closed.`;
  }
}

const delimiterNames: Readonly<Record<string, Delimiter>> = {comma: ',', semicolon: ';', tab: '\t'};

function parseDelimiter(given: string | undefined): Delimiter | undefined {
  return given === undefined ? undefined : delimiterNames[given];
}

async function readTable(outside: Outside, table: FileTable, options: FileOptions) {
  const columns = chooseColumns(table, options.column ?? []);
  const described = table.header.map((name, index) => `${line(name)} → ${columns[index] ?? 'left out'}`);
  const errors = findColumnsErrors(columns, options.team);
  if (errors.length > 0) {
    const wrong = errors.map((error) =>
      'missing' in error ? `No column is the ${error.missing}.` : `Two columns are the ${error.twice}.`,
    );
    throw new CommandError(
      'usage',
      `${wrong.join(' ')}\nThe columns are:\n  ${described.join('\n  ')}\nSay what one is: --column FIELD=NAME, with a field of ${columnFields.join(', ')}. For the team of all rows: --team NAME`,
    );
  }
  const dateOrder = options.dateOrder ?? (await chooseDateOrder(outside, table, columns));
  const mapped = mapFile(table, {...options, columns, dateOrder});
  return {mapped, notes: [`Columns: ${described.join(', ')}`]};
}

/** Guesses the columns, and changes those that `--column FIELD=NAME` names. */
function chooseColumns(table: FileTable, given: readonly string[]): Columns {
  const columns = [...guessColumns(table)];
  for (const one of given) {
    const [, field = '', name = ''] = /^([a-z_]+)=(.*)$/s.exec(one) ?? [];
    const index = table.header.indexOf(name);
    const isField = (columnFields as readonly string[]).includes(field) || field === 'none';
    if (!isField || index < 0) {
      const why = isField ? `No column is named ${name}.` : `--column takes FIELD=NAME, not ${one}.`;
      throw new CommandError(
        'usage',
        `${why} Fields: ${columnFields.join(', ')}, none. Columns: ${table.header.join(', ')}`,
      );
    }
    // Only questions and texts may come from several columns.
    if (!['question', 'update', 'none'].includes(field)) {
      for (const [at, known] of columns.entries()) if (known === field) columns[at] = null;
    }
    columns[index] = field === 'none' ? null : (field as ColumnField);
  }
  return columns;
}

/** Asks for the order of day and month where no date of the file shows it. */
async function chooseDateOrder(
  outside: Outside,
  table: FileTable,
  columns: Columns,
): Promise<DateOrder | undefined> {
  const texts = columns.flatMap((field, index) =>
    field === 'date' || field === 'posted_at' ? table.records.map(({cells}) => cells[index] ?? '') : [],
  );
  if (!needsDateOrder(texts) || findDateOrder(texts) !== undefined || !outside.isInteractive)
    return undefined;
  const answer = await outside.ask(
    `Which comes first in dates such as ${line(texts.find((text) => needsDateOrder([text])) ?? '')}: day or month? `,
  );
  return answer === 'day' ? 'day-first' : answer === 'month' ? 'month-first' : undefined;
}

function listErrors({errors}: MappedFile) {
  const tally = createTally();
  for (const [error, records] of Map.groupBy(errors, ({error}) => error)) {
    const lines = records.slice(0, linesShown).map((record) => record.line);
    const more = records.length > linesShown ? ', …' : '';
    tally.add(
      `${errorTexts[error]} (${lines.length === 1 ? 'line' : 'lines'} ${lines.join(', ')}${more})`,
      records.length,
    );
  }
  return tally.list();
}

function listNotes({withoutZone, cut}: MappedFile): string[] {
  return [
    ...(withoutZone > 0 ? [`${withoutZone} times have no zone: their day is the one that is written.`] : []),
    ...(cut > 0 ? [`${cut} texts are longer than a standup may be: they lose their ends.`] : []),
  ];
}
