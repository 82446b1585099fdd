import type {ImportRow} from '../../import-files/src/rows.js';
import {formatTable} from '../../../src/domain/core/table.js';
import type {Schema} from '../../client-ts/src/schema.js';
import {describeRow, isZone, type LeftOut, type SourceContent} from './import-source.js';
import type {DryRun, FoundAuthor} from './import-send.js';
import {line} from './show.js';

type Counts = Schema<'Import'>['counts'];

/** Why the service would create no standup. */
const outcomeTexts: readonly (readonly [keyof Counts, string])[] = [
  ['existing', 'imported before'],
  ['run_exists', 'on days on which the team had a run here'],
  ['older_than_retention', 'older than this workspace keeps standups'],
  ['bad_date', 'with a date before 2000 or after tomorrow'],
  ['left_out', 'of people who are left out, or were erased here'],
  ['unknown_team', 'of a team that is not here'],
  ['invalid', 'with errors'],
];

const peopleShown = 100;

export interface Report {
  readonly content: SourceContent;
  /** The team here of each team of the source; null: its standups are left out. */
  readonly teams: ReadonlyMap<string, string | null>;
  readonly leftOut: readonly LeftOut[];
  readonly timezone: string | undefined;
  readonly run: DryRun | undefined;
}

/** Describes what an import would do. Texts of the source cannot control the terminal. */
export function describeImport({content, teams, leftOut, timezone, run}: Report): string {
  const {rows, notes} = content;
  const [first] = rows;
  const parts = [
    describeTeams(rows, teams, timezone),
    first === undefined ? '' : `The first: ${describeRow(first)}\n`,
    notes.map((note) => `${line(note)}\n`).join(''),
    describeLeftOut([...content.leftOut, ...leftOut, ...(run === undefined ? [] : listRefused(run))]),
    ...(run === undefined ? [] : [describeInvalid(run), describePeople(run.authors), describeTotals(run)]),
  ];
  return parts.filter((part) => part !== '').join('\n');
}

function listRefused({summary}: DryRun): LeftOut[] {
  return outcomeTexts.map(([outcome, reason]) => ({count: summary.counts[outcome], reason}));
}

function describeLeftOut(all: readonly LeftOut[]): string {
  const rows = all.filter(({count}) => count > 0).map(({count, reason}) => [String(count), reason]);
  return rows.length === 0 ? '' : formatTable(['LEFT OUT', 'WHY'], rows);
}

function describeInvalid({invalid}: DryRun): string {
  return invalid
    .map(
      ({row: {external_id: id, author}, details}) =>
        `Error in ${line(`${id} of ${author.name}: ${details.join('; ')}`)}\n`,
    )
    .join('');
}

function describeTotals({summary: {counts, near_midnight: nearMidnight}}: DryRun): string {
  const doubtful =
    nearMidnight > 0
      ? `Posted within two hours of midnight: ${nearMidnight}. If these are many, check --timezone.\n`
      : '';
  return `${doubtful}${countStandups(counts.created)} would be created.\n`;
}

export function countStandups(count: number): string {
  return count === 1 ? '1 standup' : `${count} standups`;
}

function describeTeams(
  rows: readonly ImportRow[],
  teams: ReadonlyMap<string, string | null>,
  timezone: string | undefined,
): string {
  const findDay = createDayFinder(timezone);
  const cells = Array.from(
    Map.groupBy(rows, ({team}) => team),
    ([name, own]) => {
      const days = own.map(findDay).toSorted();
      return [name, teams.get(name) ?? '(left out)', String(own.length), days[0] ?? '', days.at(-1) ?? ''];
    },
  );
  return formatTable(
    ['TEAM THERE', 'TEAM HERE', 'STANDUPS', 'FROM', 'UNTIL'],
    cells,
    'There are no standups.',
  );
}

/** Returns a function for the day of a row, as the service sees it unless its team has another zone. */
export function createDayFinder(timezone = 'UTC'): (row: ImportRow) => string {
  // A format takes tens of kilobytes, so there is one for each zone and not for each row.
  const formats = new Map<string, Intl.DateTimeFormat>();
  return ({date, posted_at: at, timezone: zone = timezone}) => {
    const instant = Date.parse(at ?? '');
    // The service names the error of a row whose time or zone is wrong.
    if (date !== undefined || Number.isNaN(instant)) return date ?? '';
    const format = formats.get(zone) ?? createDayFormat(zone);
    formats.set(zone, format);
    return format.format(instant);
  };
}

function createDayFormat(zone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('sv-SE', {dateStyle: 'short', timeZone: isZone(zone) ? zone : 'UTC'});
}

function describePeople(authors: readonly FoundAuthor[]): string {
  const members = authors.filter(({member, isFormer}) => member !== null && !isFormer);
  const former = authors.filter(({isFormer, member}) => isFormer && member !== null);
  const leftOut = authors.filter(({member}) => member === null);
  const list = (people: readonly FoundAuthor[]) =>
    people
      .slice(0, peopleShown)
      .map(({author, rows}) => {
        const known = [author.email, author.external_id].filter(
          (one) => one !== undefined && one !== author.name,
        );
        return `  ${line([author.name, ...known].join(', '))}: ${rows}\n`;
      })
      .join('') + (people.length > peopleShown ? `  and ${people.length - peopleShown} more\n` : '');
  return [
    members.length > 0 ? `Members here (${members.length}):\n${list(members)}` : '',
    former.length > 0
      ? `No members here, so they become former members (${former.length}). To change that: --people FILE\n${list(former)}`
      : '',
    leftOut.length > 0 ? `Left out (${leftOut.length}):\n${list(leftOut)}` : '',
  ].join('');
}
