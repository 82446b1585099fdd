import type {Services} from '../../service/services.js';
import {type Route, defineRoute} from '../http/route.js';
import {meSchema} from '../../domain/members/me.js';
import {noQuerySchema} from '../http/shared-schemas.js';

export function createMeRoutes({findMe}: Services): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/v1/me',
      operation: 'getMe',
      tag: 'Me',
      summary: 'Get the holder of the access token',
      description:
        'Returns the member or service account of the token, with their role, time zone and teams, by name. A service account acts for the whole workspace and is in no team. `teams` is null without the scope `teams:read`.',
      query: noQuerySchema,
      success: {status: 200, schema: meSchema},
      errors: [],
      handle: async ({call}) => ({status: 200, body: JSON.stringify(await findMe(call))}),
    }),
  ];
}
