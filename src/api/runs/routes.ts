import {parseWire} from '../../domain/core/resource.js';
import type {Services} from '../../service/services.js';
import {presentAnswer} from '../http/present.js';
import {type Route, defineRoute} from '../http/route.js';
import {runSchema} from '../../domain/runs/run.js';
import {requestedReminderSchema} from '../../domain/runs/requested-reminder.js';
import {newRunSchema} from './schemas.js';
import {emptySchema, noQuerySchema} from '../http/shared-schemas.js';

const tag = 'Runs';

export function createRunRoutes({runs}: Services): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/v1/teams/{team}/runs',
      operation: 'openRun',
      tag,
      summary: 'Open a run now',
      description:
        "Opens a run for today outside the team's schedule; the team needs no schedule. A team has one run for each date: today's scheduled run does not open if it has not opened yet.",
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
    defineRoute({
      method: 'POST',
      path: '/v1/teams/{team}/reminders',
      operation: 'remindTeam',
      tag,
      summary: 'Remind members who have not posted',
      description:
        'Sends reminders for the open run, or for each of several. `members` lists those who get one, with the channel; `unreachable` lists those that no channel reaches. Members who are away or have turned reminders off are not reminded; `not_reminded` lists them with the reason. Reminders are sent in the background; the event `run.reminded` is sent when they are done. At most one request in five minutes is accepted.',
      scope: 'teams:write',
      query: noQuerySchema,
      body: emptySchema.optional(),
      success: {status: 202, schema: requestedReminderSchema, tagged: false},
      errors: ['forbidden', 'not_found', 'no_open_run'],
      handle: async ({call, params}) => presentAnswer(await runs.remind(call, params['team'] ?? '')),
    }),
  ];
}
