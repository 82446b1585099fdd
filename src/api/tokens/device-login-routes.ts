import {deviceDecisionSchema, deviceLoginSchema} from '../../domain/tokens/device-login.js';
import type {Services} from '../../service/services.js';
import {presentAnswer} from '../http/present.js';
import {type Route, defineRoute} from '../http/route.js';
import {noQuerySchema} from '../http/shared-schemas.js';
import {newDeviceDecisionSchema} from './device-login-schemas.js';

const single = '/v1/device-logins/{user_code}';
const tag = 'Device logins';
const scope = 'tokens:manage';

export function createDeviceLoginRoutes({deviceLogins}: Services): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: single,
      operation: 'getDeviceLogin',
      tag,
      summary: 'Get the sign-in of a program by its code',
      description:
        'Returns what a program asks for that shows this code. Show it to the person before they decide: name, scopes, and both network addresses. Five wrong codes of a member within a minute, or 50 of a workspace, refuse every code for the rest of it.',
      scope,
      query: noQuerySchema,
      success: {status: 200, schema: deviceLoginSchema, tagged: false},
      errors: ['not_found', 'forbidden'],
      handle: async ({call, params, address}) => ({
        status: 200,
        body: JSON.stringify(await deviceLogins.findLogin(call, params['user_code'] ?? '', address)),
      }),
    }),
    defineRoute({
      method: 'POST',
      path: single,
      operation: 'decideDeviceLogin',
      tag,
      summary: 'Approve or deny the sign-in of a program',
      description:
        'Approving creates an access token for you with the name and scopes that the program asks for, none of which your token may lack. It lives for 90 days, and the program gets it. The first decision stays: a repeat by the same person has the same effect, and everyone else gets `not_found`. Only members can decide.',
      scope,
      query: noQuerySchema,
      body: newDeviceDecisionSchema,
      success: {status: 200, schema: deviceDecisionSchema, tagged: false},
      errors: ['not_found', 'forbidden', 'scope_escalation', 'limit_reached'],
      handle: async ({call, params, body}) =>
        presentAnswer(await deviceLogins.decide(call, params['user_code'] ?? '', body.decision)),
    }),
  ];
}
