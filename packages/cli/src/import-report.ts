import type {ImportRow} from '../../import-files/src/rows.js';
import {formatTable} from '../../../src/domain/core/table.js';
import type {Schema} from '../../../tools/api-client/client.js';
import {describeRow, type LeftOut, type SourceContent} from './import-source.js';
import type {DryRun, FoundAuthor} from './import-send.js';
import {formatDay} from './session.js';
import {line} from './show.js';

type Counts = Schema<'Import'>['counts'];

/** The reasons of the service, each after the number of standups. */
const outcomeTexts: readonly (readonly [keyof Counts, string])[] = [
  ['existing', 'were imported before'],
  ['run_exists', 'are of days on which the team had a run here'],
  ['older_than_retention', 'are older than this workspace keeps standups'],
  ['bad_date', 'have a date before 2000 or after tomorrow'],
  ['left_out', 'are of people who are left out, or were erased here'],
  ['unknown_team', 'are of a team that is not here'],
  ['invalid', 'have errors'],
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
  const parts = [describeTeams(rows, teams, timezone)];
  const [first] = rows;
  if (first !== undefined) parts.push(`The first: ${describeRow(first)}\n`);
  parts.push(notes.map((note) => `${line(note)}\n`).join(''));
  parts.push([...content.leftOut, ...leftOut].map(describeLeftOut).join(''));
  if (run !== undefined) {
    const {summary, authors, invalid} = run;
    parts.push(describePeople(authors));
    const others = outcomeTexts.filter(([outcome]) => summary.counts[outcome] > 0);
    parts.push(
      [
        ...others.map(([outcome, text]) => `${countStandups(summary.counts[outcome])} ${text}.\n`),
        ...invalid.map(
          ({row, details}) =>
            `  ${line(row.external_id)}, ${line(row.author.name)}: ${line(details.join('; '))}\n`,
        ),
        ...(summary.near_midnight > 0
          ? [
              `${countStandups(summary.near_midnight)} were posted within two hours of midnight. If these are many, check --timezone.\n`,
            ]
          : []),
        `${countStandups(summary.counts.created)} would be created.\n`,
      ].join(''),
    );
  }
  return parts.filter((part) => part !== '').join('\n');
}

export function countStandups(count: number): string {
  return count === 1 ? '1 standup' : `${count} standups`;
}

const describeLeftOut = ({count, reason}: LeftOut) =>
  `Left out: ${countStandups(count)} ${count === 1 ? 'is' : 'are'} ${line(reason)}\n`;

function describeTeams(
  rows: readonly ImportRow[],
  teams: ReadonlyMap<string, string | null>,
  timezone: string | undefined,
): string {
  const cells = Array.from(
    Map.groupBy(rows, ({team}) => team),
    ([name, own]) => {
      const days = own.map((row) => findDay(row, timezone)).toSorted();
      return [name, teams.get(name) ?? '(left out)', String(own.length), days[0] ?? '', days.at(-1) ?? ''];
    },
  );
  return formatTable(
    ['TEAM THERE', 'TEAM HERE', 'STANDUPS', 'FROM', 'UNTIL'],
    cells,
    'There are no standups.',
  );
}

/** The day of a row, as the service will see it unless its team has another zone. */
export function findDay({date, posted_at: at, timezone: own}: ImportRow, timezone?: string): string {
  return date ?? formatDay(Date.parse(at ?? ''), own ?? timezone ?? 'UTC');
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
