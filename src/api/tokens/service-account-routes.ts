import {limits} from '../../domain/core/limits.js';
import type {Services} from '../../service/services.js';
import {presentAnswer, presentPage} from '../http/present.js';
import {type Route, defineRoute} from '../http/route.js';
import {serviceAccountSchema} from '../../domain/workspaces/workspace.js';
import {noQuerySchema, pageQuerySchema} from '../http/shared-schemas.js';

const collection = '/v1/service-accounts';
const tag = 'Tokens';
const scope = 'tokens:manage';

export function createServiceAccountRoutes({accountList}: Services): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: collection,
      operation: 'listServiceAccounts',
      tag,
      summary: 'List service accounts',
      description: 'Returns the newest first. Only owners, admins and service accounts can read the list.',
      scope,
      query: pageQuerySchema,
      success: {status: 200, schema: serviceAccountSchema, list: true},
      errors: ['forbidden', 'invalid_cursor'],
      handle: async (input) => {
        const {limit = limits.pageDefault, cursor} = input.query;
        const page = {past: input.cursors.open(cursor), limit};
        const {rows, next} = await accountList.listAccounts(input.call, page);
        return presentPage(rows, next, input);
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: `${collection}/{service_account}`,
      operation: 'deleteServiceAccount',
      tag,
      summary: 'Delete a service account',
      description:
        'Its tokens, and those it created for others, are rejected from the next request on, with a `token.revoked` for each. What it wrote is kept under its name. Another account can then use the name, with another id; the next token of a trusted issuer with that name creates one. Only owners, admins and service accounts can delete one.',
      scope,
      query: noQuerySchema,
      success: {status: 204},
      errors: ['forbidden', 'not_found', 'precondition_failed'],
      handle: async ({call, params, expected}) =>
        presentAnswer(await accountList.deleteAccount(call, params['service_account'] ?? '', expected)),
    }),
  ];
}
