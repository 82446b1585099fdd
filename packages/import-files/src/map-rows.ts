import {type Columns, findQuestionLabel, type ColumnField} from './columns.js';
import {type DayError, type DayOptions, findDateOrder, readDay} from './read-day.js';
import type {FileRecord, FileTable} from './read-csv.js';
import {
  cleanText,
  computeFingerprint,
  cutText,
  fitAnswers,
  type ImportRow,
  isBlank,
  isCut,
  rowLimits,
  shortenId,
} from './rows.js';

export interface Mapping extends DayOptions {
  readonly columns: Columns;
  /** The team of the rows whose own column is empty or missing. */
  readonly team?: string | undefined;
}

export type RowError =
  | DayError
  | 'no_date'
  | 'no_author'
  | 'no_text'
  | 'no_team'
  | 'no_row'
  | 'too_many_cells';

/** A row of the import, or the error of a record that gives none. `team` is still the name in the source. */
export type MappedRow =
  | {readonly line: number; readonly row: ImportRow}
  | {readonly line: number; readonly error: RowError};

export interface MappedFile {
  readonly rows: readonly {readonly line: number; readonly row: ImportRow}[];
  readonly errors: readonly {readonly line: number; readonly error: RowError}[];
  /** The number of rows whose time has no zone: their day is the one that is written. */
  readonly withoutZone: number;
  /** The number of rows whose text was longer than the API takes. */
  readonly cut: number;
}

/** Makes rows of an import from the records of a file. */
export function mapFile(table: FileTable, mapping: Mapping): MappedFile {
  const steps = mapFileInSteps(table, mapping);
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value;
}

const recordsPerStep = 50;

/** The same in steps: 10,000 records take so long that a page must get its turn in between. */
export function* mapFileInSteps(
  {header, records}: FileTable,
  mapping: Mapping,
): Generator<undefined, MappedFile, void> {
  const days = ['date', 'posted_at'].map((field) => mapping.columns.indexOf(field as ColumnField));
  const orders = days.map((column) => {
    if (mapping.dateOrder !== undefined || column < 0) return mapping.dateOrder;
    const order = findDateOrder(records.map(({cells}) => cells[column] ?? ''));
    return order === 'mixed' ? undefined : order;
  });
  const [dateOrder, postedOrder] = orders;
  const seen = new Map<string, number>();
  const rows: {line: number; row: ImportRow}[] = [];
  const errors: {line: number; error: RowError}[] = [];
  let withoutZone = 0;
  let cut = 0;
  for (const [index, record] of records.entries()) {
    if (index % recordsPerStep === 0) yield;
    const mapped = mapRecord(record);
    if ('error' in mapped) errors.push(mapped);
    else rows.push(mapped);
  }
  return {rows, errors, withoutZone, cut};

  function mapRecord({line, cells}: FileRecord): MappedRow {
    const own = createOwnId(cells, seen);
    if (cells.slice(header.length).some((cell) => cell.trim() !== '')) return {line, error: 'too_many_cells'};
    const read = (field: ColumnField) => cleanText(cells[mapping.columns.indexOf(field)] ?? '');
    const day = readDays(read('date'), read('posted_at'));
    if ('error' in day) return {line, error: day.error};
    const author = createAuthor(read('author_name'), read('author_email'), read('author_id'));
    if (author === undefined) return {line, error: 'no_author'};
    const team = cutText(read('team') || (mapping.team ?? ''), rowLimits.team);
    if (team === '') return {line, error: 'no_team'};
    const content = createContent(cells);
    if (content === undefined) return {line, error: 'no_text'};
    if (isCut(content) && !cells.some((cell) => isCut({update: cleanText(cell)}))) cut += 1;
    if (day.hasTime) withoutZone += 1;
    const {hasTime: _, ...dated} = day;
    const zone = read('timezone');
    const given = read('external_id');
    const externalId = given === '' ? own : shortenId(given);
    return {
      line,
      row: {
        external_id: externalId,
        team,
        ...dated,
        ...(zone !== '' && {timezone: zone}),
        author,
        ...content,
      },
    };
  }

  function readDays(
    date: string,
    posted: string,
  ): {date?: string; posted_at?: string; hasTime: boolean} | {error: RowError} {
    if (date === '' && posted === '') return {error: 'no_date'};
    const day = date === '' ? undefined : readDay(date, {...mapping, dateOrder});
    const instant = posted === '' ? undefined : readDay(posted, {...mapping, dateOrder: postedOrder});
    if (day !== undefined && 'error' in day) return day;
    if (instant !== undefined && 'error' in instant && day === undefined) return instant;
    // A program that knows only days may write them as midnight in UTC.
    const written = day !== undefined && 'midnightOf' in day ? {date: day.midnightOf, hasTime: false} : day;
    const dated = [written, instant].find((one) => one !== undefined && 'date' in one);
    const timed = [instant, written].find((one) => one !== undefined && 'instant' in one);
    return {
      ...(dated !== undefined && {date: dated.date}),
      ...(timed !== undefined && {posted_at: timed.instant}),
      hasTime: dated?.hasTime === true,
    };
  }

  function createContent(cells: readonly string[]): Pick<ImportRow, 'update' | 'answers'> | undefined {
    const list = (field: ColumnField) =>
      mapping.columns.flatMap((column, index) =>
        column === field ? [{label: findQuestionLabel(header[index] ?? ''), text: cells[index] ?? ''}] : [],
      );
    const answers = fitAnswers(list('question'));
    const texts = list('update').map(({text}) => cleanText(text));
    const update = cutText(texts.filter((text) => !isBlank(text)).join('\n\n'), rowLimits.text);
    if (update === '' && answers.length === 0) return undefined;
    return {...(update !== '' && {update}), ...(answers.length > 0 && {answers})};
  }
}

function createAuthor(name: string, email: string, id: string): ImportRow['author'] | undefined {
  const shown = [name, email, id].find((one) => !isBlank(one));
  if (shown === undefined) return undefined;
  return {
    name: cutText(shown.replaceAll(/\s+/g, ' '), rowLimits.name),
    ...(email !== '' && email.length <= rowLimits.person && {email}),
    ...(id !== '' && {external_id: shortenId(id, rowLimits.person)}),
  };
}

/**
 * Names a record by its content, for files without ids. Equal records are counted, so that the same file, or
 * a longer one, gives the same names again. The mapping does not change them.
 */
function createOwnId(cells: readonly string[], seen: Map<string, number>): string {
  const content = cells.map((cell) => cleanText(cell));
  while (content.at(-1) === '') content.pop();
  const fingerprint = computeFingerprint(JSON.stringify(content));
  const count = (seen.get(fingerprint) ?? 0) + 1;
  seen.set(fingerprint, count);
  return `row-${fingerprint}${count === 1 ? '' : `-${count}`}`;
}

/** A team of the source: the days and standups that it has. */
export interface SourceTeam {
  readonly name: string;
  readonly rows: number;
}

export function listSourceTeams(rows: readonly ImportRow[]): SourceTeam[] {
  const counts = new Map<string, number>();
  for (const {team} of rows) counts.set(team, (counts.get(team) ?? 0) + 1);
  return Array.from(counts, ([name, count]) => ({name, rows: count})).toSorted((a, b) => b.rows - a.rows);
}

/** Finds the team here that a team of the source is: the one with its name, or with its short name. */
export function guessTeam<T extends {readonly slug: string; readonly name: string}>(
  name: string,
  teams: readonly T[],
): T | undefined {
  const fold = (text: string) => text.trim().toLowerCase();
  const slug = fold(name)
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
  const named = teams.filter((team) => fold(team.name) === fold(name));
  return named.length === 1 ? named[0] : teams.find((team) => team.slug === fold(name) || team.slug === slug);
}

/** Puts teams of this workspace in place of those of the source. Rows of a team that has none are left out. */
export function applyTeams(
  rows: readonly ImportRow[],
  teams: ReadonlyMap<string, string | null>,
): ImportRow[] {
  return rows.flatMap((row) => {
    const team = teams.get(row.team);
    return team === undefined || team === null ? [] : [{...row, team}];
  });
}
