import type {RequestContext} from '../../domain/core/access.js';
import {dayNumber} from '../../domain/core/dates.js';
import {type ListName, lists, positionOf} from '../../domain/core/lists.js';
import type {Run} from '../../domain/runs/run.js';
import {findMondayOf, findSundayOf, hasLaterRun} from '../../domain/schedules/week.js';
import type {Team} from '../../domain/teams/team.js';
import type {Id, IdSuffix} from '../../domain/core/ids.js';
import type {Records} from '../../store/core/records.js';
import {createDayRange, listRecords} from '../core/paging.js';

/** The maximum number of runs read: more than a team can have open, or since its last check. */
const manyRuns = 1_000;

/** Returns the runs in one stored list, from a date on, earliest first. */
export async function listRuns(
  records: Records,
  call: RequestContext,
  list: ListName<'run'>,
  from?: string,
): Promise<Run[]> {
  const start = from === undefined ? 0 : positionOf(dayNumber(from), 0);
  return listRecords(records, call, {list, from: start, upward: true, limit: manyRuns});
}

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
  call: RequestContext,
  team: Id<'team'> | IdSuffix<'team'>,
  date: string,
): Promise<Run | undefined> {
  const range = {...createDayRange(date, date), limit: 1};
  const [run] = await listRecords(records, call, {list: lists.runsOfTeam(team), ...range});
  return run?.date === date ? run : undefined;
}

/** True if no run of a team's week is open or still to come after this one. */
export async function isLastRunOfWeek(
  records: Records,
  call: RequestContext,
  team: Team,
  {date}: Run,
): Promise<boolean> {
  // If a team has no schedule, we cannot know which run of a week is the last.
  if (!team.paused && (team.schedule === null || hasLaterRun(team.schedule, date))) return false;
  const monday = findMondayOf(date);
  const range = createDayRange(monday, findSundayOf(monday));
  const others = await listRecords(records, call, {
    list: lists.runsOfTeam(team.id),
    ...range,
    limit: manyRuns,
  });
  return others.every(({state}) => state !== 'open');
}
