import type {Write} from '../../domain/commit/writes.js';
import type {PrincipalId, Reader} from '../../domain/core/access.js';
import {dayNumber} from '../../domain/core/dates.js';
import {type ListName, lists, placeOf} from '../../domain/core/lists.js';
import type {Run} from '../../domain/runs/run.js';
import type {Team, TeamMember} from '../../domain/teams/team.js';
import type {Teams} from '../../store/core/directories.js';
import type {Records} from '../../store/core/records.js';
import {type Id, type IdSuffix, drawnPart} from '../../domain/core/ids.js';

/** More runs than a team has open, or has had since somebody looked last. */
const manyRuns = 1_000;

/** The runs in one of the lists of runs, from a date on, the earliest first. */
export async function listRuns(
  records: Pick<Records, 'list'>,
  {workspace, deadline}: Reader,
  list: ListName,
  from?: string,
): Promise<Run[]> {
  const start = from === undefined ? 0 : placeOf(dayNumber(from), 0);
  const query = {list, from: start, upward: true, limit: manyRuns};
  const {rows} = await records.list(workspace, query, deadline);
  return rows.map(({json}) => JSON.parse(json) as Run);
}

/** The run of a team (by id) and date, whatever became of it. */
export async function findRunOn(
  records: Pick<Records, 'list'>,
  {workspace, deadline}: Reader,
  team: Id<'team'> | IdSuffix<'team'>,
  date: string,
): Promise<Run | undefined> {
  const day = dayNumber(date);
  const range = {list: lists.runsOfTeam(team), from: placeOf(day, 0), to: placeOf(day + 1, 0), limit: 1};
  const [row] = (await records.list(workspace, range, deadline)).rows;
  const run = row && (JSON.parse(row.json) as Run);
  return run?.date === date ? run : undefined;
}

/**
 * For whatever changes by which clocks the people of a team go: when its next run opens may be another time
 * then.
 */
export function lookWrites({id, schedule}: Pick<Team, 'id' | 'schedule'>): Write[] {
  return schedule?.clock === 'member' ? [{do: 'ask-look', team: drawnPart(id)}] : [];
}

/** The same for all teams of a member whose zone changes. */
export async function lookWritesOf(
  records: Pick<Records, 'list'>,
  teams: Pick<Teams, 'fresh'>,
  {workspace, deadline}: Reader,
  member: PrincipalId,
): Promise<Write[]> {
  const directory = await teams.fresh(workspace, deadline);
  if (!directory.teams.some((team) => lookWrites(team).length > 0)) return [];
  const query = {list: lists.teamsOfMember(member), limit: directory.teams.length};
  const {rows} = await records.list(workspace, query, deadline);
  return rows.flatMap(({json}) => {
    const team = directory.byReference((JSON.parse(json) as TeamMember).team_id);
    return team === undefined ? [] : lookWrites(team);
  });
}
