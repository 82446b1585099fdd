import type {RequestContext} from '../../domain/core/access.js';
import {addDays, dayNumber} from '../../domain/core/dates.js';
import {createParameterError} from '../../domain/core/errors.js';
import type {IdSuffix} from '../../domain/core/ids.js';
import {limits} from '../../domain/core/limits.js';
import {lists} from '../../domain/core/lists.js';
import type {TeamWeek, WeekBlockers} from '../../domain/runs/team-week.js';
import type {TrendSpan} from '../../domain/runs/trends.js';
import type {WeekContent} from '../../domain/runs/week-content.js';
import {compareWeeks, hasMean, type QuestionWeek} from '../../domain/runs/week-trends.js';
import {findMondayOf, findSundayOf} from '../../domain/schedules/week.js';
import type {Team} from '../../domain/teams/team.js';
import type {ServiceContext} from '../core/context.js';
import type {TeamReader} from '../core/reach.js';
import {listRecords} from '../core/paging.js';
import {createParticipation} from './participation.js';
import {requireDate, requireTeam} from './run-views.js';
import {createTrendReader, type DatedBlocker, presentTrends} from './trends.js';

/** The number of weeks before the week whose trends are shown with it. */
const weeksBefore = 3;

/** The week of a team for its page, for messages and for mails. `most`: as in `createTrendReader`. */
export function createTeamWeeks(context: ServiceContext, most: number = limits.trendRows) {
  const {records, teams, zones, clock} = context;
  const {findParticipationIn} = createParticipation(context);
  const {countAnswers, listLatestBlockers, countBlockersOf} = createTrendReader(context, most);
  const listParticipation = (call: RequestContext, team: Team, monday: string) =>
    findParticipationIn(team, call, {since: monday, until: findSundayOf(monday)});

  /** Lists the blockers raised until Sunday that are still open, with the current names of their authors. */
  async function listOpenBlockers(
    call: RequestContext,
    team: Team,
    sunday: string,
    last: string,
  ): Promise<WeekBlockers['open']> {
    const dayOf = (instant: string) => zones.dayIn(team.timezone, Date.parse(instant));
    const query = {list: lists.openBlockersOfTeam(team.id), limit: limits.openBlockersPerTeam};
    const open = (await listRecords(records, call, query))
      .filter(({created_at}) => dayOf(created_at) <= sunday)
      .toSorted((a, b) => (a.created_at < b.created_at ? -1 : 1));
    const authors = [...new Set(open.map(({author}) => author.id))];
    const people = await records.findMany(call.workspace, authors, call.deadline);
    const names = new Map(people.flatMap((one) => (one === undefined ? [] : [[one.id as string, one.name]])));
    return open.map(({id, author, text, created_at}) => {
      const since = dayOf(created_at);
      const days = Math.max(0, dayNumber(last) - dayNumber(since));
      return {id, author: {...author, name: names.get(author.id) ?? author.name}, text, since, days};
    });
  }

  async function summarizeBlockers(
    call: RequestContext,
    team: Team,
    monday: string,
    {blockers, last}: {readonly blockers: readonly DatedBlocker[]; readonly last: string},
  ): Promise<WeekBlockers> {
    const [week] = countBlockersOf(team, blockers, weekOf(monday));
    return {
      raised: week?.raised ?? 0,
      resolved: week?.resolved ?? 0,
      open: await listOpenBlockers(call, team, findSundayOf(monday), last),
    };
  }

  /** Compares the answers with those of the week before; empty if there are too many standups for that. */
  async function compareAnswers(call: RequestContext, team: Team, monday: string): Promise<QuestionWeek[]> {
    if (!team.questions.some(hasMean)) return [];
    const span = {...weekOf(monday), since: addDays(monday, -7)};
    const counter = await countAnswers(call, team.id, span);
    return counter === undefined ? [] : compareWeeks(counter.list(team.questions), monday);
  }

  return {
    /** Returns a team's week for a message or a mail; undefined if no run has closed, or without a team. */
    async findWeek(
      call: RequestContext,
      suffix: IdSuffix<'team'>,
      monday: string,
    ): Promise<Omit<WeekContent, 'links'> | undefined> {
      const team = (await teams.all(call)).bySuffix(suffix);
      if (team === undefined) return undefined;
      const participation = await listParticipation(call, team, monday);
      const last = participation.by_date.at(-1)?.date;
      if (last === undefined) return undefined;
      const blockers = await listLatestBlockers(call, team.id);
      return {
        team: suffix,
        monday,
        participation,
        namesMissing: team.names_missing,
        blockers: await summarizeBlockers(call, team, monday, {blockers, last}),
        trends: {
          questions: await compareAnswers(call, team, monday),
          hours: countBlockersOf(team, blockers, weekOf(monday))[0]?.median_hours ?? null,
        },
      };
    },

    /** Returns a team's week from Monday to Sunday. Errors: `not_found`; `invalid_parameter` for another day. */
    async findTeamWeek(call: TeamReader, reference: string, monday: string): Promise<TeamWeek> {
      const team = await requireTeam(teams, call, reference);
      requireMonday(monday);
      const sunday = findSundayOf(monday);
      const span = {since: addDays(monday, -7 * weeksBefore), until: sunday, by: 'week'} as const;
      const participation = await listParticipation(call, team, monday);
      const counter = await countAnswers(call, team.id, span);
      const blockers = await listLatestBlockers(call, team.id);
      const today = zones.dayIn(team.timezone, clock.now());
      const last = participation.by_date.at(-1)?.date ?? (today < sunday ? today : sunday);
      return {
        object: 'team_week',
        team: team.slug,
        team_id: team.id,
        monday,
        sunday,
        participation,
        blockers: await summarizeBlockers(call, team, monday, {blockers, last}),
        trends:
          counter === undefined
            ? null
            : presentTrends(team, span, counter, countBlockersOf(team, blockers, span)),
      };
    },
  };
}

export type TeamWeeks = ReturnType<typeof createTeamWeeks>;

function weekOf(monday: string): TrendSpan {
  return {since: monday, until: findSundayOf(monday), by: 'week'};
}

function requireMonday(date: string): void {
  requireDate(date);
  const monday = findMondayOf(date);
  if (date === monday) return;
  const detail = `The date in the address must be a Monday, such as ${monday}; ${date} is another day.`;
  throw createParameterError('monday', detail);
}
