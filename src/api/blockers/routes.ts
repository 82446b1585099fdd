import type {NamedBlocker} from '../../domain/blockers/blocker.js';
import {limits} from '../../domain/core/limits.js';
import {parseWire} from '../../domain/core/resource.js';
import type {Services} from '../../service/services.js';
import {presentAnswer, presentPage, presentResource} from '../http/present.js';
import {type Route, defineRoute} from '../http/route.js';
import {blockerChangeSchema, namedBlockerSchema, newBlockerSchema} from '../../domain/blockers/blocker.js';
import {blockerQuerySchema} from './schemas.js';
import {noQuerySchema} from '../http/shared-schemas.js';

const collection = '/v1/blockers';
const single = `${collection}/{blocker}`;
const tag = 'Blockers';

export function createBlockerRoutes({blockers}: Services): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: collection,
      operation: 'raiseBlocker',
      tag,
      summary: 'Raise a blocker',
      description: `Raises a blocker in a team that you are a member of. With \`author\`, the blocker belongs to another member; only leads of the team, owners, admins and service accounts can do this. A team has at most ${limits.openBlockersPerTeam} that are not resolved. An answer to a question with \`raises_blocker\` raises a blocker automatically.`,
      scope: 'standups:write',
      query: noQuerySchema,
      body: newBlockerSchema,
      success: {status: 201, schema: namedBlockerSchema},
      errors: ['not_found', 'insufficient_scope', 'forbidden', 'team_not_found', 'limit_reached'],
      handle: async ({call, body}) => {
        const answer = await blockers.raiseBlocker(call, body);
        return presentAnswer(answer, collection, computeNamesTag(parseWire(answer.body)));
      },
    }),
    defineRoute({
      method: 'GET',
      path: collection,
      operation: 'listBlockers',
      tag,
      summary: 'List blockers',
      description:
        'Returns blockers newest first. A request reads a bounded number of blockers. With filters, a page can have fewer rows than `limit`, or none, while `has_more` is true. Continue with `next_cursor` until `has_more` is false.',
      scope: 'standups:read',
      query: blockerQuerySchema,
      success: {status: 200, schema: namedBlockerSchema, list: true},
      errors: ['team_not_found', 'invalid_cursor'],
      handle: async (input) => {
        const {limit = limits.pageDefault, cursor, team: teams, ...filter} = input.query;
        const past = input.cursors.open(cursor);
        const {rows, next} = await blockers.listBlockers(input.call, {...filter, teams, past, limit});
        return presentPage(rows, next, input);
      },
    }),
    defineRoute({
      method: 'GET',
      path: single,
      operation: 'getBlocker',
      tag,
      summary: 'Get a blocker',
      scope: 'standups:read',
      query: noQuerySchema,
      success: {status: 200, schema: namedBlockerSchema},
      errors: ['not_found'],
      handle: async (input) => {
        const blocker = await blockers.findBlocker(input.call, input.params['blocker'] ?? '');
        return presentResource(blocker, input, computeNamesTag(blocker));
      },
    }),
    defineRoute({
      method: 'PATCH',
      path: single,
      operation: 'changeBlocker',
      tag,
      summary: 'Acknowledge, resolve or change a blocker',
      description:
        'The body is a JSON merge patch. Every member of the team can acknowledge a blocker. The member who acknowledged it can withdraw that (`raised`). Its author, leads of the team, owners and admins can also resolve it, raise it again and change its text. A change without effect creates no revision and no event.',
      scope: 'standups:write',
      query: noQuerySchema,
      body: blockerChangeSchema,
      success: {status: 200, schema: namedBlockerSchema},
      errors: ['forbidden', 'not_found', 'precondition_failed', 'limit_reached'],
      handle: async ({call, params, body, expected}) => {
        const answer = await blockers.changeBlocker(call, params['blocker'] ?? '', body, expected);
        return presentAnswer(answer, undefined, computeNamesTag(parseWire(answer.body)));
      },
    }),
  ];
}

/** Returns an answer's names for its entity tag: they can change without a new revision of the blocker. */
function computeNamesTag({acknowledged_by, resolved_by}: NamedBlocker): string | undefined {
  if (acknowledged_by === null && resolved_by === null) return undefined;
  return JSON.stringify([acknowledged_by?.name, resolved_by?.name]);
}
