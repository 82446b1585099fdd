import type {Access} from '../domain/access.js';
import {dayNumber} from '../domain/dates.js';
import {parameterError} from '../domain/errors.js';
import {type ListName, lists, placeOf} from '../domain/lists.js';
import type {Standup} from '../domain/standup.js';
import {type Team, unknownTeam} from '../domain/team.js';
import type {Page} from './page.js';
import type {Records, Row, Teams} from './stores.js';

export interface StandupQuery {
  readonly team?: string | undefined;
  /** Id of a member or service account. */
  readonly author?: string | undefined;
  /** Calendar days, both inclusive. */
  readonly dateFrom?: string | undefined;
  readonly dateTo?: string | undefined;
  /** Where the last page ended. */
  readonly below?: number | undefined;
  readonly limit: number;
}

/** How many rows a list with two filters looks at before it answers with what it has. */
const scanLimit = 1_000;
/** How many it reads at once when the first page did not suffice. */
const scanPage = 100;

/** Lists standups, newest first: by day, then by creation. Errors: `team_not_found`. */
export function createListStandups({
  records,
  teams,
}: {
  readonly records: Pick<Records, 'list'>;
  readonly teams: Pick<Teams, 'fresh'>;
}): (access: Access & {deadline: number}, query: StandupQuery) => Promise<Page> {
  return async function listStandups({workspace, deadline}, query) {
    const directory = await teams.fresh(workspace, deadline);
    const team = query.team === undefined ? undefined : directory.byReference(query.team);
    if (query.team !== undefined && team === undefined) {
      throw parameterError('team', unknownTeam(query.team, directory), 'team_not_found');
    }
    const list = chooseList(team, query.author);
    const alive = new Set(directory.teams.map(({id}) => id));
    const belongs = (standup: Standup) =>
      alive.has(standup.team_id) && (team === undefined || standup.team_id === team.id);
    const mixed = team === undefined || query.author !== undefined;

    const rows: Row[] = [];
    let below = query.below;
    for (let seen = 0; seen < scanLimit; ) {
      const page = await records.list(
        workspace,
        {...rangeOf(query, list, below), limit: seen === 0 ? query.limit : scanPage},
        deadline,
      );
      seen += page.rows.length;
      for (const row of page.rows) {
        below = row.place;
        if (!mixed || belongs(JSON.parse(row.json) as Standup)) rows.push(row);
        if (rows.length === query.limit) break;
      }
      const leftOver = page.more || page.rows.at(-1)?.place !== below;
      if (rows.length === query.limit || !leftOver || page.rows.length === 0) {
        return {rows: rows.map(({json}) => json), next: leftOver ? below : undefined};
      }
    }
    return {rows: rows.map(({json}) => json), next: below};
  };
}

function chooseList(team: Team | undefined, author: string | undefined): ListName {
  if (author !== undefined) return lists.standupsOfAuthor(author);
  return team === undefined ? lists.standups() : lists.standupsOfTeam(team.id);
}

function rangeOf({dateFrom, dateTo}: StandupQuery, list: ListName, below: number | undefined) {
  return {
    list,
    ...(below !== undefined && {below}),
    ...(dateFrom !== undefined && {from: placeOf(dayNumber(dateFrom), 0)}),
    ...(dateTo !== undefined && {to: placeOf(dayNumber(dateTo) + 1, 0)}),
  };
}
