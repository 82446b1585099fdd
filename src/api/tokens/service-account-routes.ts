import {limits} from '../../domain/core/limits.js';
import type {Services} from '../../service/services.js';
import {presentAnswer, presentPage} from '../http/present.js';
import {type Route, route} from '../http/route.js';
import {serviceAccountSchema} from './service-account-schemas.js';
import {noQuerySchema, pageQuerySchema} from '../http/shared-schemas.js';

const collection = '/v1/service-accounts';
const tag = 'Tokens';
const scope = 'tokens:manage';

export function serviceAccountRoutes({accountList}: Pick<Services, 'accountList'>): Route[] {
  return [
    route({
      method: 'GET',
      path: collection,
      operation: 'listServiceAccounts',
      tag,
      summary: 'List service accounts',
      description: 'Newest first. For owners, admins and service accounts.',
      scope,
      query: pageQuerySchema,
      success: {status: 200, schema: serviceAccountSchema, list: true},
      errors: ['forbidden', 'invalid_cursor'],
      handle: async (handled) => {
        const {limit = limits.pageDefault, cursor} = handled.query;
        const page = {past: handled.cursors.open(cursor), limit};
        const {rows, next} = await accountList.listAccounts(handled.call, page);
        return presentPage(rows, next, handled);
      },
    }),
    route({
      method: 'DELETE',
      path: `${collection}/{service_account}`,
      operation: 'deleteServiceAccount',
      tag,
      summary: 'Delete a service account',
      description:
        'Its tokens, and those that it has made for others, are refused from the next request on (`token.revoked` tells of each). What it wrote stays, under its name. Another account may have the name then, with another id; so has the next token of a trusted issuer that speaks for it. For owners, admins and service accounts.',
      scope,
      query: noQuerySchema,
      success: {status: 204},
      errors: ['forbidden', 'not_found', 'precondition_failed'],
      handle: async ({call, params, expected}) =>
        presentAnswer(await accountList.deleteAccount(call, params['service_account'] ?? '', expected)),
    }),
  ];
}
