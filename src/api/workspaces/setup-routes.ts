import {setupSchema} from '../../domain/workspaces/setup.js';
import type {Services} from '../../service/services.js';
import {type Route, defineRoute} from '../http/route.js';
import {noQuerySchema} from '../http/shared-schemas.js';

export function createSetupRoutes({findSetup}: Services): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/v1/setup',
      operation: 'getSetup',
      tag: 'Workspace',
      summary: 'Get the steps of the first run',
      description:
        'Returns what a team still needs to get going. The steps are computed from the data, so it does not matter who did them, or in which channel. `team`: there is one, even paused. `workspace`: its name differs from its slug. `you`: you have a name of your own, and an address where e-mail is on. `timezone`: yours is set. `sign_in`: you can sign in by Slack, by a code or by a provider. `invite`: there are two members, or an open invite. `schedule`, `questions`: a team has its own. `first_standup`: there is one. `slack`: it is connected. `webhook`: there is one. Other members than owners and admins get only `you`, `timezone`, `sign_in` and `first_standup`, which then means their own. Service accounts get only the steps of the workspace.',
      scope: 'members:read',
      query: noQuerySchema,
      success: {status: 200, schema: setupSchema, tagged: false},
      errors: [],
      handle: async ({call}) => ({status: 200, body: JSON.stringify(await findSetup(call))}),
    }),
  ];
}
