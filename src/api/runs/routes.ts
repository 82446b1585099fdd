import {parseWire} from '../../domain/core/resource.js';
import type {Services} from '../../service/services.js';
import {presentAnswer} from '../http/present.js';
import {type Route, route} from '../http/route.js';
import {askedReminderSchema, newRunSchema, runSchema} from './schemas.js';
import {emptySchema, noQuerySchema} from '../http/shared-schemas.js';

const tag = 'Runs';

export function runRoutes({runs}: Pick<Services, 'runs'>): Route[] {
  return [
    route({
      method: 'POST',
      path: '/v1/teams/{team}/runs',
      operation: 'openRun',
      tag,
      summary: 'Open a run now',
      description:
        "A run of today that the team's schedule does not know of; works without a schedule too. There is one run of a team and date: where today's of the schedule has not opened yet, it will not.",
      scope: 'teams:write',
      query: noQuerySchema,
      body: newRunSchema.optional(),
      success: {status: 201, schema: runSchema},
      errors: ['forbidden', 'not_found', 'run_exists', 'team_paused'],
      handle: async ({call, params, body = {}}) => {
        const answer = await runs.openRun(call, params['team'] ?? '', body);
        const {team, date} = parseWire(answer.body);
        const reply = presentAnswer(answer);
        return {...reply, headers: {...reply.headers, Location: `/v1/teams/${team}/runs/${date}`}};
      },
    }),
    route({
      method: 'POST',
      path: '/v1/teams/{team}/reminders',
      operation: 'remindTeam',
      tag,
      summary: 'Remind those who have not posted',
      description:
        'Of the run that is open, and of each where several are; those who are away, want no reminders or cannot be reached in Slack are not reminded: `not_reminded` says who, and why. In the background: `run.reminded` tells when it is done. Once in five minutes at most.',
      scope: 'teams:write',
      query: noQuerySchema,
      body: emptySchema.optional(),
      success: {status: 202, schema: askedReminderSchema, tagged: false},
      errors: ['forbidden', 'not_found', 'no_open_run'],
      handle: async ({call, params}) => presentAnswer(await runs.remind(call, params['team'] ?? '')),
    }),
  ];
}
