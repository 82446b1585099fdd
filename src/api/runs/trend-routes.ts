import {limits} from '../../domain/core/limits.js';
import {teamWeekSchema} from '../../domain/runs/team-week.js';
import {trendsSchema} from '../../domain/runs/trends.js';
import type {Services} from '../../service/services.js';
import {type Route, defineRoute} from '../http/route.js';
import {noQuerySchema} from '../http/shared-schemas.js';
import {trendQuerySchema} from './participation-schemas.js';

const most = limits.trendRows.toLocaleString('en');

export function createTrendRoutes({findTrends, findTeamWeek}: Services): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/v1/teams/{team}/trends',
      operation: 'getTrends',
      tag: 'Runs',
      summary: 'Get the trends of a team',
      description: `Returns the answers to questions of type \`mood\`, \`number\`, \`choice\` and \`yes_no\`, and the blockers, by day or week. It counts the current standups and blockers at each request, and names no one. A span with more than ${most} standups is refused; of the team’s blockers, the latest ${most} count. Days are by the team’s clock, and times run from the first raising of a blocker.`,
      scope: 'standups:read',
      query: trendQuerySchema,
      success: {status: 200, schema: trendsSchema, tagged: false},
      errors: ['not_found'],
      handle: async ({call, params, query}) => ({
        status: 200,
        body: JSON.stringify(await findTrends(call, params['team'] ?? '', query)),
      }),
    }),
    defineRoute({
      method: 'GET',
      path: '/v1/teams/{team}/weeks/{monday}',
      operation: 'getTeamWeek',
      tag: 'Runs',
      summary: 'Get the week of a team',
      description:
        'Returns a week from Monday to Sunday: the participation in its closed runs, its blockers, and its trends with the three weeks before. Everything is counted at each request, and days are by the team’s clock.',
      scope: 'standups:read',
      query: noQuerySchema,
      success: {status: 200, schema: teamWeekSchema, tagged: false},
      errors: ['not_found'],
      handle: async ({call, params: {team = '', monday = ''}}) => ({
        status: 200,
        body: JSON.stringify(await findTeamWeek(call, team, monday)),
      }),
    }),
  ];
}
