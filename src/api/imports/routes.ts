import {z} from 'zod';
import {AppError} from '../../domain/core/errors.js';
import {lifetimes, limits} from '../../domain/core/limits.js';
import {oneOf} from '../../domain/core/schemas.js';
import {
  addedRowsSchema,
  type CheckedRow,
  importRowSchema,
  importRowsSchema,
  importSchema,
  newImportSchema,
} from '../../domain/imports/import.js';
import type {Services} from '../../service/services.js';
import {presentAnswer, presentPage, presentResource} from '../http/present.js';
import {type Route, defineRoute} from '../http/route.js';
import {noQuerySchema, pageQuerySchema} from '../http/shared-schemas.js';
import {parseBody} from '../http/validate.js';

const collection = '/v1/imports';
const single = `${collection}/{import}`;
const tag = 'Imports';
const scope = 'standups:write_any';

const cancelQuerySchema = z.strictObject({
  rows: oneOf(['keep', 'remove']).optional().meta({
    default: 'keep',
    description: '`remove` also takes back the standups of the import. Those that were edited here stay.',
  }),
});

export function createImportRoutes({imports}: Services): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: collection,
      operation: 'createImport',
      tag,
      summary: 'Begin an import',
      description:
        'Begins an import of standups from another product. Only owners, admins and service accounts can do this, and a workspace has one open import. Add rows, then finish it. With `dry_run`, rows are only checked and counted; there may be several of these.',
      scope,
      query: noQuerySchema,
      body: newImportSchema,
      success: {status: 201, schema: importSchema},
      errors: ['not_found', 'forbidden', 'limit_reached'],
      handle: async ({call, body}) => presentAnswer(await imports.createImport(call, body), collection),
    }),
    defineRoute({
      method: 'POST',
      path: `${single}/rows`,
      operation: 'addImportRows',
      tag,
      summary: 'Add rows to an import',
      description: `Creates a standup for each row that can be imported, in one step, and says what became of the others. A row that was imported before creates nothing, so a request can be repeated. No event, no message in Slack and no blocker is made. ${limits.importRows} rows count as ${limits.importRows / limits.importRowsPerWrite} requests. An author with an \`email\` that \`people\` does not name needs the scope \`members:read\`.`,
      scope,
      query: noQuerySchema,
      body: importRowsSchema,
      success: {status: 200, schema: addedRowsSchema, tagged: false},
      errors: ['forbidden', 'not_found', 'import_closed', 'insufficient_scope'],
      handle: async ({call, params, body}) =>
        presentAnswer(await imports.addRows(call, params['import'] ?? '', body.rows, checkRow)),
    }),
    defineRoute({
      method: 'POST',
      path: `${single}/finish`,
      operation: 'finishImport',
      tag,
      summary: 'Finish an import',
      description:
        'Ends an import, which takes no more rows. The event `import.completed` has its counts; a dry run has no event. A repeat changes nothing.',
      scope,
      query: noQuerySchema,
      success: {status: 200, schema: importSchema},
      errors: ['forbidden', 'not_found', 'import_closed'],
      handle: async ({call, params}) =>
        presentAnswer(await imports.finishImport(call, params['import'] ?? '')),
    }),
    defineRoute({
      method: 'GET',
      path: collection,
      operation: 'listImports',
      tag,
      summary: 'List imports',
      description: `Returns imports newest first. Each is kept for ${lifetimes.importKept / 86_400} days.`,
      scope,
      query: pageQuerySchema,
      success: {status: 200, schema: importSchema, list: true},
      errors: ['forbidden', 'invalid_cursor'],
      handle: async (input) => {
        const {limit = limits.pageDefault, cursor} = input.query;
        const page = {past: input.cursors.open(cursor), limit};
        const {rows, next} = await imports.listImports(input.call, page);
        return presentPage(rows, next, input);
      },
    }),
    defineRoute({
      method: 'GET',
      path: single,
      operation: 'getImport',
      tag,
      summary: 'Get an import',
      scope,
      query: noQuerySchema,
      success: {status: 200, schema: importSchema},
      errors: ['forbidden', 'not_found'],
      handle: async (input) =>
        presentResource(await imports.findImport(input.call, input.params['import'] ?? ''), input),
    }),
    defineRoute({
      method: 'DELETE',
      path: single,
      operation: 'cancelImport',
      tag,
      summary: 'Cancel an import, or take it back',
      description: `Ends an open import. With \`rows=remove\`, its standups are deleted in the background, also after it was finished, for ${lifetimes.importRemovable / 86_400} days. \`getImport\` shows the progress. Until then no other import may be open. Rows that were taken back can be imported again.`,
      scope,
      query: cancelQuerySchema,
      success: {status: 204},
      errors: ['forbidden', 'not_found', 'import_closed', 'limit_reached', 'precondition_failed'],
      handle: async ({call, params, query: {rows}, expected}) =>
        presentAnswer(await imports.cancelImport(call, params['import'] ?? '', rows === 'remove', expected)),
    }),
  ];
}

/** Checks a row alone, so that the others are imported although it has errors. */
function checkRow(row: unknown): CheckedRow {
  try {
    return {row: parseBody(importRowSchema, row)};
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'validation_failed') throw error;
    return {errors: error.context.inputErrors ?? []};
  }
}
