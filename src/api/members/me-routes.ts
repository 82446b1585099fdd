import type {Services} from '../../service/services.js';
import {type Route, route} from '../http/route.js';
import {meSchema} from './me-schemas.js';
import {noQuerySchema} from '../http/shared-schemas.js';

export function meRoutes({findMe}: Pick<Services, 'findMe'>): Route[] {
  return [
    route({
      method: 'GET',
      path: '/v1/me',
      operation: 'getMe',
      tag: 'Me',
      summary: 'Who the access token speaks for',
      description:
        'With the role of its holder, their time zone, and all teams that they are in, by name. A service account acts for the whole workspace and is in no team. Without the scope `teams:read` `teams` is null.',
      query: noQuerySchema,
      success: {status: 200, schema: meSchema},
      errors: [],
      handle: async ({call}) => ({status: 200, body: JSON.stringify(await findMe(call))}),
    }),
  ];
}
