import {listParticipationRows} from '../../domain/runs/participation.js';
import type {Services} from '../../service/services.js';
import {
  absenceColumns,
  listColumnNames,
  participationColumns,
  standupColumns,
} from '../http/export-columns.js';
import {exportText, exportTypes, presentExport} from '../http/exports.js';
import {type Route, defineRoute} from '../http/route.js';
import {absenceExportSchema} from '../absences/schemas.js';
import {participationExportSchema} from '../runs/participation-schemas.js';
import {exportQuerySchema, createStandupFilter} from './schemas.js';

const whole = 'After an error the connection is closed early, so the download fails.';

export function createExportRoutes({standups, absences, findParticipation}: Services): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/v1/export',
      operation: 'exportStandups',
      tag: 'Standups',
      summary: 'Export standups',
      description: `Returns every standup that matches the filters, as one download of any length. NDJSON has one line for each, as in the list. CSV (RFC 4180) has a head and the columns ${listColumnNames(standupColumns)}; \`metadata\` is JSON. ${exportText}\n\nA standup that exists from the beginning to the end of the export is included once. ${whole}`,
      scope: 'standups:read',
      query: exportQuerySchema,
      success: {status: 200, mediaTypes: exportTypes},
      errors: ['team_not_found'],
      async handle({call, query, admits}) {
        const {day, pages} = await standups.exportStandups(call, createStandupFilter(query));
        return presentExport({wanted: query.format, admits}, `standups-${day}`, standupColumns, pages());
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/v1/export/absences',
      operation: 'exportAbsences',
      tag: 'Absences',
      summary: 'Export absences',
      description: `Returns every absence that matches the filters, as one download of any length. NDJSON has one line for each, as in the list. CSV (RFC 4180) has a head and the columns ${listColumnNames(absenceColumns)}. ${exportText} ${whole}`,
      scope: 'members:read',
      query: absenceExportSchema,
      success: {status: 200, mediaTypes: exportTypes},
      errors: ['team_not_found'],
      async handle({call, query: {format, ...filter}, admits}) {
        const pages = await absences.exportAbsences(call, filter);
        return presentExport({wanted: format, admits}, 'absences', absenceColumns, pages);
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/v1/export/participation',
      operation: 'exportParticipation',
      tag: 'Runs',
      summary: 'Export the participation of a team',
      description: `Returns the counts of \`GET /v1/teams/{team}/participation\` as rows: one for each date (\`by\` is \`date\`), then one for each member. CSV (RFC 4180) has a head and the columns ${listColumnNames(participationColumns)}. ${exportText}`,
      scope: 'standups:read',
      query: participationExportSchema,
      success: {status: 200, mediaTypes: exportTypes},
      errors: ['not_found'],
      async handle({call, query: {format, team, ...time}, admits}) {
        const found = await findParticipation(call, team, time);
        const name = `participation-${found.team}-${found.since}-${found.until}`;
        const rows = listParticipationRows(found).map((row) => JSON.stringify(row));
        return presentExport({wanted: format, admits}, name, participationColumns, createOnePage(rows));
      },
    }),
  ];
}

async function* createOnePage<T>(rows: T): AsyncGenerator<T, void, void> {
  yield rows;
}
