import type {Call} from '../domain/access.js';
import type {Write} from '../domain/commit.js';
import {dayNumber} from '../domain/dates.js';
import {type ListName, lists, placeOf} from '../domain/lists.js';
import type {Run} from '../domain/run.js';
import type {Team, TeamMember} from '../domain/team.js';
import type {Records, Teams} from './stores.js';

type Asked = Pick<Call, 'workspace' | 'deadline'>;

/** More runs than a team has open, or has had since somebody looked last. */
const manyRuns = 1_000;

/** The runs in one of the lists of runs, from a date on, the earliest first. */
export async function listRuns(
  records: Pick<Records, 'list'>,
  {workspace, deadline}: Asked,
  list: ListName,
  from?: string,
): Promise<Run[]> {
  const start = from === undefined ? 0 : placeOf(dayNumber(from), 0);
  const query = {list, from: start, upward: true, limit: manyRuns};
  const {rows} = await records.list(workspace, query, deadline);
  return rows.map(({json}) => JSON.parse(json) as Run);
}

/** For whatever changes by which clocks the people of a team go: when its next run opens may be another time then. */
export function lookWrites({id, schedule}: Pick<Team, 'id' | 'schedule'>): Write[] {
  return schedule?.clock === 'member' ? [{do: 'ask-look', team: id}] : [];
}

/** The same for all teams of a member whose zone changes. */
export async function lookWritesOf(
  records: Pick<Records, 'list'>,
  teams: Pick<Teams, 'fresh'>,
  {workspace, deadline}: Asked,
  member: string,
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
