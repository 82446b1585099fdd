import type {RequestContext} from '../../domain/core/access.js';
import type {Blocker} from '../../domain/blockers/blocker.js';
import {createParameterError} from '../../domain/core/errors.js';
import type {Id} from '../../domain/core/ids.js';
import {limits} from '../../domain/core/limits.js';
import {lists} from '../../domain/core/lists.js';
import {parseWire} from '../../domain/core/resource.js';
import {
  type AnswerCounter,
  beginAnswerCount,
  countBlockers,
  type Trends,
  type TrendSpan,
  type TrendStep,
} from '../../domain/runs/trends.js';
import type {Team} from '../../domain/teams/team.js';
import type {ServiceContext} from '../core/context.js';
import type {TeamReader} from '../core/reach.js';
import {createDayRange, readPages} from '../core/paging.js';
import {chooseDateRange, type DateRangeQuery} from './participation-runs.js';
import {requireTeam} from './run-views.js';

export interface TrendQuery extends DateRangeQuery {
  readonly by?: TrendStep | undefined;
}

/** The days of a blocker, which are counted. */
export type DatedBlocker = Pick<Blocker, 'created_at' | 'resolved_at'>;

/** The number of rows read at once. Other work gets a turn after each page. */
const page = 100;

/** `most`: the maximum number of standups, and of blockers, that one answer reads. */
export function createTrendReader(context: ServiceContext, most: number = limits.trendRows) {
  const {records, zones, nextSlice} = context;

  return {
    /** Counts the answers in a team's standups; undefined if there are too many standups. */
    async countAnswers(
      call: RequestContext,
      team: Id<'team'>,
      span: TrendSpan,
    ): Promise<AnswerCounter | undefined> {
      const counter = beginAnswerCount(span);
      const {since, until} = span;
      const range = {list: lists.standupsOfTeam(team), ...createDayRange(since, until), upward: true};
      let read = 0;
      for await (const rows of readPages(records, call, {...range, limit: page})) {
        read += rows.length;
        if (read > most) return undefined;
        for (const {json} of rows) {
          const {date, answers} = parseWire(json);
          counter.add(date, answers);
        }
        await nextSlice(call.workspace);
      }
      return counter;
    },

    /** Lists the latest blockers of a team: any of them may have been open in a span. */
    async listLatestBlockers(call: RequestContext, team: Id<'team'>): Promise<readonly DatedBlocker[]> {
      const found: DatedBlocker[] = [];
      for await (const rows of readPages(records, call, {list: lists.blockersOfTeam(team), limit: page})) {
        for (const {json} of rows) {
          const {created_at, resolved_at} = parseWire(json);
          found.push({created_at, resolved_at});
        }
        if (found.length >= most) break;
        await nextSlice(call.workspace);
      }
      return found;
    },

    countBlockersOf({timezone}: Team, blockers: readonly DatedBlocker[], span: TrendSpan) {
      return countBlockers(blockers, span, (instant) => zones.dayIn(timezone, Date.parse(instant)));
    },
  };
}

export function createTrends(context: ServiceContext, most: number = limits.trendRows) {
  const {teams, zones, clock} = context;
  const {countAnswers, listLatestBlockers, countBlockersOf} = createTrendReader(context, most);

  /**
   * Returns the answers and blockers of a team by day or week, by default of the last 30 days by week. Errors:
   * `not_found`; `invalid_parameter` for more than 366 days or too many standups.
   */
  return async function findTrends(
    call: TeamReader,
    reference: string,
    {by = 'week', ...given}: TrendQuery,
  ): Promise<Trends> {
    const team = await requireTeam(teams, call, reference);
    const span = {...chooseDateRange(given, zones.dayIn(team.timezone, clock.now())), by};
    const counter = await countAnswers(call, team.id, span);
    if (counter === undefined) throw createTooManyStandupsError(span, most);
    const blockers = countBlockersOf(team, await listLatestBlockers(call, team.id), span);
    return presentTrends(team, span, counter, blockers);
  };
}

export function presentTrends(
  team: Team,
  span: TrendSpan,
  counter: AnswerCounter,
  blockers: Trends['blockers'],
): Trends {
  return {
    object: 'trends',
    team: team.slug,
    team_id: team.id,
    ...span,
    questions: counter.list(team.questions),
    blockers,
  };
}

function createTooManyStandupsError({since, until}: TrendSpan, most: number) {
  const detail = `From ${since} to ${until} there are more than ${most.toLocaleString('en')} standups: ask for fewer days at once.`;
  return createParameterError('since', detail);
}
