import type {z} from 'zod';
import {limits} from '../../domain/core/limits.js';
import type {Services} from '../../service/services.js';
import {presentPage} from '../http/present.js';
import {type Route, defineRoute} from '../http/route.js';
import {
  memberParticipationSchema,
  participationSchema,
  teamParticipationSchema,
} from '../../domain/runs/participation.js';
import {
  memberParticipationQuerySchema,
  participationListSchema,
  participationQuerySchema,
  runQuerySchema,
} from './participation-schemas.js';
import {runSchema, runSummarySchema} from '../../domain/runs/run.js';
import {noQuerySchema} from '../http/shared-schemas.js';

const tag = 'Runs';
const team = '/v1/teams/{team}';

export function createRunReportRoutes({
  runViews,
  findParticipation,
  findMemberParticipation,
  listParticipation,
}: Services): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: `${team}/runs`,
      operation: 'listRuns',
      tag,
      summary: 'List the runs of a team',
      description:
        'Returns runs with their status counts, the latest date first (`order=asc`: the earliest). With `state`, a page can have fewer rows than `limit`, or none, while `has_more` is true.',
      scope: 'standups:read',
      query: runQuerySchema,
      success: {status: 200, schema: runSummarySchema, list: true},
      errors: ['not_found', 'invalid_cursor'],
      handle: async (input) => {
        const {limit = limits.pageDefault, cursor, since, until, state, order} = input.query;
        const after = input.cursors.open(cursor);
        const filter = {since, until, state, upward: order === 'asc', after, limit};
        const {rows, next} = await runViews.listRuns(input.call, input.params['team'] ?? '', filter);
        return presentPage(
          rows.map((row) => JSON.stringify(row)),
          next,
          input,
        );
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${team}/runs/{date}`,
      operation: 'getRun',
      tag,
      summary: 'Get the report of a run',
      description:
        'Returns the members who have posted, are late, away or missing, with what they posted. For an open run it returns the current state. Absences entered afterwards count.',
      scope: 'standups:read',
      query: noQuerySchema,
      success: {status: 200, schema: runSchema, tagged: false},
      errors: ['not_found'],
      handle: async ({call, params}) => {
        const {team: reference = '', date = ''} = params;
        return {status: 200, body: JSON.stringify(await runViews.findRun(call, reference, date))};
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${team}/participation`,
      operation: 'getParticipation',
      tag,
      summary: 'Get the participation of a team',
      description:
        'Returns participation by date and by member, over the closed runs: posted or late divided by expected. Away, holiday and skipped are not counted. Late standups and absences entered afterwards count.',
      scope: 'standups:read',
      query: participationQuerySchema,
      success: {status: 200, schema: participationSchema, tagged: false},
      errors: ['not_found'],
      handle: async ({call, params, query}) => {
        const found = await findParticipation(call, params['team'] ?? '', createParticipationQuery(query));
        return {status: 200, body: JSON.stringify(found)};
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/v1/members/{member}/participation',
      operation: 'getMemberParticipation',
      tag,
      summary: 'Get the participation of a member',
      description:
        'Returns the participation of one member in each of their teams, counted as in `GET /v1/teams/{team}/participation`. A reference other than an id or `me` also needs the scope `members:read`.',
      scope: 'standups:read',
      query: memberParticipationQuerySchema,
      success: {status: 200, schema: memberParticipationSchema, tagged: false},
      errors: ['not_found'],
      handle: async ({call, params, query}) => {
        const found = await findMemberParticipation(
          call,
          params['member'] ?? '',
          createParticipationQuery(query),
        );
        return {status: 200, body: JSON.stringify(found)};
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/v1/participation',
      operation: 'listParticipation',
      tag,
      summary: 'List the participation of teams',
      description:
        'Returns one row for each team, the newest team first, counted as in `GET /v1/teams/{team}/participation`. A page can have fewer rows than `limit` while `has_more` is true: a response counts at most 60,000 entries of members in runs.',
      scope: 'standups:read',
      query: participationListSchema,
      success: {status: 200, schema: teamParticipationSchema, list: true},
      errors: ['invalid_cursor'],
      handle: async (input) => {
        const {limit = limits.pageDefault, cursor, member} = input.query;
        const query = {
          ...createParticipationQuery(input.query),
          member,
          past: input.cursors.open(cursor),
          limit,
        };
        const {rows, next} = await listParticipation(input.call, query);
        return presentPage(
          rows.map((row) => JSON.stringify(row)),
          next,
          input,
        );
      },
    }),
  ];
}

function createParticipationQuery({since, until, include}: z.infer<typeof participationQuerySchema>) {
  return {since, until, days: include === 'days'};
}
