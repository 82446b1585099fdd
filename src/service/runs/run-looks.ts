import {parseWire} from '../../domain/core/resource.js';
import type {RequestContext} from '../../domain/core/access.js';
import {dayNumber} from '../../domain/core/dates.js';
import {type ListName, lists, positionOf} from '../../domain/core/lists.js';
import type {Run} from '../../domain/runs/run.js';
import type {Records} from '../../store/core/records.js';
import type {Id, IdSuffix} from '../../domain/core/ids.js';

/**
 * The maximum number of runs read: more than a team can have open, or can have had since it was last checked.
 */
const manyRuns = 1_000;

/** Returns the runs in one stored list, from a date on, earliest first. */
export async function listRuns(
  records: Records,
  {workspace, deadline}: RequestContext,
  list: ListName<'run'>,
  from?: string,
): Promise<Run[]> {
  const start = from === undefined ? 0 : positionOf(dayNumber(from), 0);
  const query = {list, from: start, upward: true, limit: manyRuns};
  const {rows} = await records.list(workspace, query, deadline);
  return rows.map(({json}) => parseWire(json));
}

/** Returns the closed runs of these teams, from a date on. */
export async function listClosedRunsFrom(
  records: Records,
  call: RequestContext,
  teams: readonly Id<'team'>[],
  from: string,
): Promise<Run[]> {
  const found = await Promise.all(teams.map((team) => listRuns(records, call, lists.runsOfTeam(team), from)));
  return found.flat().filter(({state}) => state === 'closed');
}

/** Returns the run of a team (id) on a date, in any state. */
export async function findRunOn(
  records: Records,
  {workspace, deadline}: RequestContext,
  team: Id<'team'> | IdSuffix<'team'>,
  date: string,
): Promise<Run | undefined> {
  const day = dayNumber(date);
  const range = {
    list: lists.runsOfTeam(team),
    from: positionOf(day, 0),
    to: positionOf(day + 1, 0),
    limit: 1,
  };
  const [row] = (await records.list(workspace, range, deadline)).rows;
  const run = row && parseWire(row.json);
  return run?.date === date ? run : undefined;
}
