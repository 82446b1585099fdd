import type {ImportRow} from '../../packages/import-files/src/rows.js';
import type {Schema} from '../api/schema.ts';
import {dateInZone} from '../texts/format.ts';
import {findAuthorKey} from './people.ts';

type AddedRows = Schema<'AddedRows'>;
export type RowCounts = Schema<'ImportCounts'>;
export type RowOutcome = keyof RowCounts;

export interface FileRow {
  /** The number of its first line in the file. */
  readonly line: number;
  readonly row: ImportRow;
}

/** A row without a new standup, as an example. */
export interface LeftOutRow {
  readonly line: number;
  readonly row: ImportRow;
  readonly errors: readonly string[];
}

export interface ReportedTeam {
  readonly created: number;
  readonly from: string;
  readonly until: string;
}

export interface ReportedPerson {
  readonly name: string;
  /** The id of a member, or the made-up id of a former one. Null: left out. */
  readonly member: string | null;
  readonly isFormer: boolean;
}

/** The effects of the rows that have been sent so far. */
export interface ImportReport {
  readonly counts: RowCounts;
  readonly nearMidnight: number;
  /** By slug: the standups that are created, or would be. */
  readonly teams: ReadonlyMap<string, ReportedTeam>;
  readonly examples: ReadonlyMap<RowOutcome, readonly LeftOutRow[]>;
  readonly people: ReadonlyMap<string, ReportedPerson>;
}

const noCounts: RowCounts = {
  created: 0,
  existing: 0,
  unknown_team: 0,
  bad_date: 0,
  older_than_retention: 0,
  run_exists: 0,
  left_out: 0,
  invalid: 0,
};

/** The outcomes of rows that have no standup, in the order in which a report shows them. */
export const refusals = [
  'invalid',
  'unknown_team',
  'bad_date',
  'older_than_retention',
  'run_exists',
  'left_out',
] as const satisfies readonly RowOutcome[];

export const emptyReport: ImportReport = {
  counts: noCounts,
  nearMidnight: 0,
  teams: new Map(),
  examples: new Map(),
  people: new Map(),
};

const examplesPerOutcome = 5;

/** Adds the answer to one request. `zoneOf` gives the zone that decides about the day of a row's time. */
export function addToReport(
  report: ImportReport,
  sent: readonly FileRow[],
  answer: AddedRows,
  zoneOf: (row: ImportRow) => string,
): ImportReport {
  const counts = {...report.counts};
  for (const outcome of Object.keys(counts) as RowOutcome[]) counts[outcome] += answer.counts[outcome];
  const examples = new Map(report.examples);
  const refused = new Set<number>();
  for (const {index, outcome, errors} of answer.not_created) {
    refused.add(index);
    const one = sent[index];
    const known = examples.get(outcome as RowOutcome) ?? [];
    if (one === undefined || known.length >= examplesPerOutcome) continue;
    examples.set(outcome as RowOutcome, [...known, {...one, errors: errors.map(({detail}) => detail)}]);
  }
  const teams = new Map(report.teams);
  for (const [index, {row}] of sent.entries()) {
    if (refused.has(index)) continue;
    const day = row.date ?? dateInZone(row.posted_at ?? 0, row.timezone ?? zoneOf(row));
    const {created, from, until} = teams.get(row.team) ?? {created: 0, from: day, until: day};
    teams.set(row.team, {
      created: created + 1,
      from: day < from ? day : from,
      until: day > until ? day : until,
    });
  }
  const people = new Map(report.people);
  for (const {index, member, former} of answer.authors) {
    const author = sent[index]?.row.author;
    if (author !== undefined)
      people.set(findAuthorKey(author), {name: author.name, member, isFormer: former});
  }
  return {counts, nearMidnight: report.nearMidnight + answer.near_midnight, teams, examples, people};
}

export function countRefused(counts: RowCounts): number {
  return refusals.reduce((sum, outcome) => sum + counts[outcome], 0);
}
