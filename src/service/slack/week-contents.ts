import type {ServiceContext} from '../core/context.js';
import {createParticipation} from '../runs/participation.js';
import type {RequestContext} from '../../domain/core/access.js';
import {dayNumber} from '../../domain/core/dates.js';
import {suffixOf, type IdSuffix} from '../../domain/core/ids.js';
import {type ListQuery, lists, positionOf} from '../../domain/core/lists.js';
import {parseWire} from '../../domain/core/resource.js';
import type {WeekContent} from '../../domain/runs/week-content.js';
import {findSundayOf} from '../../domain/schedules/week.js';
import {listOpenBlockers} from './open-blockers.js';

/**
 * Returns a team's week, as far as known; undefined if no run of the week has closed, or the team is deleted.
 */
export type FindWeek = (
  call: RequestContext,
  team: IdSuffix<'team'>,
  monday: string,
) => Promise<Omit<WeekContent, 'links'> | undefined>;

/** The maximum number of blockers counted: in the team, and in the workspace on the days of the week. */
const counted = 1_000;

export function createWeekFinder(context: ServiceContext): FindWeek {
  const {records, teams, zones} = context;
  const {findParticipation} = createParticipation(context);
  async function listBlockers(
    {workspace, deadline}: RequestContext,
    query: Omit<ListQuery<'blocker'>, 'limit'>,
  ) {
    const {rows} = await records.list(workspace, {...query, limit: counted}, deadline);
    return rows.map(({json}) => parseWire(json));
  }

  return async (call, suffix, monday) => {
    const {workspace, deadline} = call;
    const team = (await teams.fresh(workspace, deadline)).bySuffix(suffix);
    if (team === undefined) return undefined;
    const sunday = findSundayOf(monday);
    const participation = await findParticipation(call, team.id, {since: monday, until: sunday});
    const last = participation.by_date.at(-1)?.date;
    if (last === undefined) return undefined;
    const dayOf = (instant: string) => zones.dayIn(team.timezone, Date.parse(instant));
    const isIn = (instant: string | null) => {
      const day = instant === null ? '' : dayOf(instant);
      return monday <= day && day <= sunday;
    };
    // Blockers are listed under the UTC day, which differs from the team's day by at most one.
    const ended = {from: positionOf(dayNumber(monday) - 1, 0), to: positionOf(dayNumber(sunday) + 2, 0)};
    const [raised, resolved, open] = await Promise.all([
      listBlockers(call, {list: lists.blockersOfTeam(team.id)}),
      listBlockers(call, {list: lists.blockersByEnd(), ...ended}),
      listOpenBlockers(records, call, [team]),
    ]);
    const shown = open
      .filter(({created_at}) => dayOf(created_at) <= sunday)
      .toSorted((a, b) => (a.created_at < b.created_at ? -1 : 1));
    const names = await Promise.all(
      shown.map(({author}) => records.findBySuffix(workspace, suffixOf(author.id), deadline)),
    );
    return {
      team: suffix,
      monday,
      participation,
      namesMissing: team.names_missing,
      blockers: {
        raised: raised.filter(({created_at}) => isIn(created_at)).length,
        resolved: resolved.filter(({team_id, resolved_at}) => team_id === team.id && isIn(resolved_at))
          .length,
        open: shown.map(({author, text, created_at}, i) => {
          const since = dayOf(created_at);
          const days = Math.max(0, dayNumber(last) - dayNumber(since));
          return {author: {...author, name: names[i]?.name ?? author.name}, text, since, days};
        }),
      },
    };
  };
}
