import type {Access} from '../domain/access.js';
import {dayNumber} from '../domain/dates.js';
import {parameterError} from '../domain/errors.js';
import {type ListName, lists, placeOf, type ListQuery, type Row} from '../domain/lists.js';
import {completeStandupJson, type Standup} from '../domain/standup.js';
import {type Team, unknownTeam} from '../domain/team.js';
import type {Page} from './page.js';
import type {Records, Teams} from './stores.js';

/** Which standups are wanted; what is left out restricts nothing. */
export interface StandupFilter {
  /** Id or slug of a team, in any case. */
  readonly team?: string | undefined;
  /** Id of a member or service account. */
  readonly author?: string | undefined;
  /** Calendar days, both inclusive. */
  readonly dateFrom?: string | undefined;
  readonly dateTo?: string | undefined;
  /** Instants in the form in which standups show them, both exclusive. */
  readonly createdAfter?: string | undefined;
  readonly createdBefore?: string | undefined;
  readonly source?: string | undefined;
  /** Part of the text, in any case. */
  readonly text?: string | undefined;
  /** `desc`, newest first, when left out. */
  readonly order?: 'asc' | 'desc' | undefined;
}

export interface StandupQuery extends StandupFilter {
  /** Where the last page ended. */
  readonly past?: number | undefined;
  readonly limit: number;
}

type Reading = Pick<Access, 'workspace'> &
  Partial<Pick<Access, 'principal' | 'scopes'>> & {readonly deadline: number};

/** Part of a list: `next` is where to go on, undefined when nothing is left. */
export interface Scanned {
  readonly rows: readonly Row[];
  readonly next: number | undefined;
}

/** How many rows a list looks at for one page before it answers with what it has. */
const scanLimit = 1_000;
/** How many it reads at once when the first page did not suffice. */
const scanPage = 100;

export interface ScanParts {
  readonly records: Pick<Records, 'list'>;
  readonly teams: Pick<Teams, 'fresh'>;
}

/**
 * Reads standups by day, then by creation. Filters that no list is ordered by look at each row, so a page may have fewer rows than asked
 * for, or none, and still be followed by others. Errors: `team_not_found`.
 */
export function createScanStandups({records, teams}: ScanParts) {
  return async function scanStandups(access: Reading, query: StandupQuery): Promise<Scanned> {
    const {workspace, deadline} = access;
    const directory = await teams.fresh(workspace, deadline);
    const team = query.team === undefined ? undefined : directory.byReference(query.team);
    if (query.team !== undefined && team === undefined) {
      throw parameterError('team', unknownTeam(query.team, directory, access), 'team_not_found');
    }
    const list = chooseList(team, query.author);
    const keeps = createMatch(query, team?.id, new Set(directory.teams.map(({id}) => id)));

    const rows: Row[] = [];
    let {past} = query;
    for (let seen = 0; seen < scanLimit; ) {
      const limit = seen === 0 ? query.limit : scanPage;
      const page = await records.list(workspace, {...rangeOf(query, list, past), limit}, deadline);
      // A page whose rows have just been deleted counts too.
      seen += Math.max(1, page.rows.length);
      for (const [i, row] of page.rows.entries()) {
        past = row.place;
        if (keeps(row)) rows.push({place: row.place, json: completeStandupJson(row.json)});
        if (rows.length < query.limit) continue;
        return {rows, next: page.more || i < page.rows.length - 1 ? past : undefined};
      }
      if (!page.more) return {rows, next: undefined};
    }
    return {rows, next: past};
  };
}

export type ScanStandups = ReturnType<typeof createScanStandups>;

/** Lists standups as the API shows them. Errors: `team_not_found`. */
export function createListStandups(
  parts: ScanParts,
): (access: Reading, query: StandupQuery) => Promise<Page> {
  const scanStandups = createScanStandups(parts);
  return async function listStandups(access, query) {
    const {rows, next} = await scanStandups(access, query);
    return {rows: rows.map(({json}) => json), next};
  };
}

/** The list that holds what is wanted and as little else as possible. */
export function chooseList(team: Pick<Team, 'id'> | undefined, author: string | undefined): ListName {
  if (author !== undefined) return lists.standupsOfAuthor(author);
  return team === undefined ? lists.standups() : lists.standupsOfTeam(team.id);
}

/** Whether a row of the list is wanted; `team` is the id of the one that is asked for. Rows are parsed only for a filter that the list does not fulfil by itself. */
export function createMatch(
  {author, createdAfter, createdBefore, source, text}: StandupFilter,
  team: string | undefined,
  alive: ReadonlySet<string>,
): (row: Row) => boolean {
  const mixed = team === undefined || author !== undefined;
  const narrowed = [createdAfter, createdBefore, source, text].some((given) => given !== undefined);
  const wanted = text === undefined ? undefined : foldCase(text);
  if (!mixed && !narrowed) return () => true;
  return ({json}) => {
    const standup = JSON.parse(json) as Standup;
    return (
      alive.has(standup.team_id) &&
      (team === undefined || standup.team_id === team) &&
      (createdAfter === undefined || standup.created_at > createdAfter) &&
      (createdBefore === undefined || standup.created_at < createdBefore) &&
      (source === undefined || standup.source === source) &&
      (wanted === undefined || foldCase(standup.update).includes(wanted))
    );
  };
}

/** Letters that look the same are the same, however they were typed. */
function foldCase(text: string): string {
  return text.normalize('NFC').toLowerCase();
}

function rangeOf({dateFrom, dateTo, order}: StandupFilter, list: ListName, past: number | undefined) {
  const upward = order === 'asc';
  return {
    list,
    ...(upward && {upward}),
    ...(past !== undefined && (upward ? {above: past} : {below: past})),
    ...(dateFrom !== undefined && {from: placeOf(dayNumber(dateFrom), 0)}),
    ...(dateTo !== undefined && {to: placeOf(dayNumber(dateTo) + 1, 0)}),
  } satisfies Partial<ListQuery>;
}
