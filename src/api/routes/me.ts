import type {Services} from '../../service/services.js';
import {type Route, route} from '../route.js';
import {meSchema} from '../schemas/me.js';
import {noQuerySchema} from '../schemas/shared.js';

export function meRoutes({workspaces}: Pick<Services, 'workspaces'>): Route[] {
  return [
    route({
      method: 'GET',
      path: '/v1/me',
      operation: 'getMe',
      tag: 'Me',
      summary: 'Who the access token speaks for',
      query: noQuerySchema,
      success: {status: 200, schema: meSchema},
      errors: [],
      handle: async ({call}) => {
        const {id, slug, name} = await workspaces.findWorkspace(call);
        const me = {
          object: 'me',
          principal: call.principal,
          workspace: {id, slug, name},
          scopes: [...call.scopes],
          expires_at: new Date(call.token.expiresAt).toISOString(),
        };
        return {status: 200, body: JSON.stringify(me)};
      },
    }),
  ];
}
