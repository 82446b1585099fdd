import type {Services} from '../../service/services.js';
import {presentContent} from '../http/present.js';
import {type Route, defineRoute} from '../http/route.js';
import {noQuerySchema} from '../http/shared-schemas.js';
import {teamDaySchema} from '../../domain/runs/team-day.js';

export function createTeamDayRoutes({findTeamDay}: Services): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/v1/teams/{team}/days/{date}',
      operation: 'getTeamDay',
      tag: 'Runs',
      summary: 'Get the status of a team on a day',
      description:
        'Returns every member of the team, and everyone else who posted or was expected, by name. Each has what they posted, or the reason why not, and the time the run closes for them. A day can have no run, or none yet: then no one has missed it. `today` in place of the date is the day of your next standup, as in `POST /v1/standups` without `date`. It is the date of the open run, or else today in the team’s zone, or in your zone where the schedule uses the zones of members. `date` in the response is that day. Standups of service accounts are not included. The `ETag` changes with the content.',
      scope: 'standups:read',
      query: noQuerySchema,
      success: {status: 200, schema: teamDaySchema},
      errors: ['not_found'],
      handle: async (input) => {
        const {team = '', date = ''} = input.params;
        return presentContent(await findTeamDay(input.call, team, date), input);
      },
    }),
  ];
}
