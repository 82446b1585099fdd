import {limits} from '../../domain/core/limits.js';
import type {Services} from '../../service/services.js';
import {presentPage} from '../http/present.js';
import {type Route, defineRoute} from '../http/route.js';
import {erasureSchema} from '../../domain/members/erasure.js';
import {noQuerySchema, pageQuerySchema} from '../http/shared-schemas.js';

export const erasuresPath = '/v1/erasures';
const tag = 'Members';
const scope = 'members:read';

export function createErasureRoutes({erasures}: Services): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: erasuresPath,
      operation: 'listErasures',
      tag,
      summary: 'List erasures',
      description: 'Returns the newest first. Only owners, admins and service accounts can read the list.',
      scope,
      query: pageQuerySchema,
      success: {status: 200, schema: erasureSchema, list: true},
      errors: ['forbidden', 'invalid_cursor'],
      handle: async (input) => {
        const {limit = limits.pageDefault, cursor} = input.query;
        const page = {past: input.cursors.open(cursor), limit};
        const found = await erasures.listErasures(input.call, page);
        const rows = found.erasures.map((erasure) => JSON.stringify(erasure));
        return presentPage(rows, found.next, input);
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${erasuresPath}/{erasure}`,
      operation: 'getErasure',
      tag,
      summary: 'Get an erasure',
      description:
        'Returns the progress of an erasure. `Location` of `DELETE /v1/members/{member}?erase=true` is this path. Only owners, admins and service accounts can read it.',
      scope,
      query: noQuerySchema,
      success: {status: 200, schema: erasureSchema, tagged: false},
      errors: ['forbidden', 'not_found'],
      handle: async ({call, params}) => ({
        status: 200,
        body: JSON.stringify(await erasures.findErasure(call, params['erasure'] ?? '')),
      }),
    }),
  ];
}
