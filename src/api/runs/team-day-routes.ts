import type {Services} from '../../service/services.js';
import {presentContent} from '../http/present.js';
import {type Route, route} from '../http/route.js';
import {noQuerySchema} from '../http/shared-schemas.js';
import {teamDaySchema} from './team-day-schemas.js';

export function teamDayRoutes({findTeamDay}: Pick<Services, 'findTeamDay'>): Route[] {
  return [
    route({
      method: 'GET',
      path: '/v1/teams/{team}/days/{date}',
      operation: 'getTeamDay',
      tag: 'Runs',
      summary: 'See how everybody of a team stands on a day',
      description:
        'Everybody of the team, and who else has posted or was expected, by name: what they have posted, or why they have not, and when the run closes for them. Also of a day that has no run, or none yet: then nobody has missed anything. `today` in place of the date is the day of your next standup here, as `POST /v1/standups` takes it without `date`: that of the open run, or else today by the team’s clock, or by yours where people go by their own. `date` of the answer says which day that is. Standups of programs are not in it. Its `ETag` changes with whatever it says.',
      scope: 'standups:read',
      query: noQuerySchema,
      success: {status: 200, schema: teamDaySchema},
      errors: ['not_found'],
      handle: async (handled) => {
        const {team = '', date = ''} = handled.params;
        return presentContent(await findTeamDay(handled.call, team, date), handled);
      },
    }),
  ];
}
