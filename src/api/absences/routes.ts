import {limits} from '../../domain/core/limits.js';
import type {Services} from '../../service/services.js';
import {presentAnswer, presentPage, presentResource} from '../http/present.js';
import {type Route, defineRoute} from '../http/route.js';
import {absenceChangeSchema, absenceSchema, newAbsenceSchema} from '../../domain/absences/absence.js';
import {absenceQuerySchema} from './schemas.js';
import {noQuerySchema} from '../http/shared-schemas.js';

const collection = '/v1/absences';
const single = `${collection}/{absence}`;
const tag = 'Absences';

export function createAbsenceRoutes({absences}: Services): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: collection,
      operation: 'createAbsence',
      tag,
      summary: 'Create an absence',
      description:
        'Members create their own absences. With `member`, the absence belongs to another member: owners, admins and service accounts can create it. A lead can create it only with the `team` they lead, and only if the member has accepted their membership there. An absence for past days changes the reports of those days.',
      scope: 'members:write',
      query: noQuerySchema,
      body: newAbsenceSchema,
      success: {status: 201, schema: absenceSchema},
      errors: ['not_found', 'forbidden', 'team_not_found', 'date_not_allowed', 'limit_reached'],
      handle: async ({call, body}) => presentAnswer(await absences.enterAbsence(call, body), collection),
    }),
    defineRoute({
      method: 'GET',
      path: collection,
      operation: 'listAbsences',
      tag,
      summary: 'List absences',
      description:
        'Returns absences without an end first, then by their last day, the latest first. A request reads a bounded number of absences: a page can have fewer rows than `limit`, or none, while `has_more` is true.',
      scope: 'members:read',
      query: absenceQuerySchema,
      success: {status: 200, schema: absenceSchema, list: true},
      errors: ['team_not_found', 'invalid_cursor'],
      handle: async (input) => {
        const {limit = limits.pageDefault, cursor, ...query} = input.query;
        const past = input.cursors.open(cursor);
        const {rows, next} = await absences.listAbsences(input.call, {...query, past, limit});
        return presentPage(rows, next, input);
      },
    }),
    defineRoute({
      method: 'GET',
      path: single,
      operation: 'getAbsence',
      tag,
      summary: 'Get an absence',
      scope: 'members:read',
      query: noQuerySchema,
      success: {status: 200, schema: absenceSchema},
      errors: ['not_found'],
      handle: async (input) => {
        const id = input.params['absence'] ?? '';
        const {absence, isWhole} = await absences.findAbsence(input.call, id);
        // Callers see different content for the same revision, so each kind needs its own entity tag.
        return presentResource(absence, input, isWhole ? undefined : 'without-reason');
      },
    }),
    defineRoute({
      method: 'PATCH',
      path: single,
      operation: 'changeAbsence',
      tag,
      summary: 'Change an absence',
      description:
        'The body is a JSON merge patch. The member cannot be changed. A change without effect creates no revision.',
      scope: 'members:write',
      query: noQuerySchema,
      body: absenceChangeSchema,
      success: {status: 200, schema: absenceSchema},
      errors: ['forbidden', 'not_found', 'team_not_found', 'date_not_allowed', 'precondition_failed'],
      handle: async ({call, params, body, expected}) =>
        presentAnswer(await absences.changeAbsence(call, params['absence'] ?? '', body, expected)),
    }),
    defineRoute({
      method: 'DELETE',
      path: single,
      operation: 'deleteAbsence',
      tag,
      summary: 'Delete an absence',
      description:
        'Deletes the absence: its days count as if the member had not been away. A member who returns early changes `until` instead.',
      scope: 'members:write',
      query: noQuerySchema,
      success: {status: 204},
      errors: ['forbidden', 'not_found', 'precondition_failed'],
      handle: async ({call, params, expected}) =>
        presentAnswer(await absences.deleteAbsence(call, params['absence'] ?? '', expected)),
    }),
  ];
}
