import {AppError} from '../../domain/errors.js';
import type {Services} from '../../service/services.js';
import {type Handled, type Route, route} from '../route.js';
import {exportQuerySchema, filterOf} from '../schemas/standups.js';
import {exportColumns, type ExportFormat, exportFormats, streamStandups} from '../standup-export.js';

const description = `Every standup that the filters of the list keep, as one download of any length. NDJSON has a line for each, as the list \
shows it. CSV (RFC 4180) has a head and the columns ${exportColumns.map((name) => `\`${name}\``).join(', ')}; \`metadata\` is JSON, and a \
cell that a spreadsheet might take for a formula (it begins with = + - @, tab or CR, also behind spaces or quotes) has an apostrophe in front, \
and so has what stands like that behind a line break, a tab, ; or |, where other separators begin a cell.

A standup that is there from the beginning to the end of the export is in it once. When something goes wrong on the way the connection is \
cut, so that the download fails instead of ending early.`;

export function exportRoutes({standups}: Pick<Services, 'standups'>): Route[] {
  return [
    route({
      method: 'GET',
      path: '/v1/export',
      operation: 'exportStandups',
      tag: 'Standups',
      summary: 'Export standups',
      description,
      scope: 'standups:read',
      query: exportQuerySchema,
      success: {
        status: 200,
        mediaTypes: [exportFormats.ndjson.mediaType, exportFormats.csv.mediaType],
      },
      errors: ['team_not_found'],
      async handle({call, query, admits}) {
        const format = chooseFormat(query.format, admits);
        const {day, pages} = await standups.exportStandups(call, filterOf(query));
        return {
          status: 200,
          headers: {
            'Content-Type': exportFormats[format].contentType,
            'Content-Disposition': `attachment; filename="standups-${day}.${format}"`,
          },
          stream: streamStandups(format, pages()),
        };
      },
    }),
  ];
}

function chooseFormat(wanted: ExportFormat | undefined, admits: Handled['admits']): ExportFormat {
  const format = wanted ?? (admits(exportFormats.ndjson.mediaType) ? 'ndjson' : 'csv');
  const {mediaType} = exportFormats[format];
  if (admits(mediaType)) return format;
  const detail = `\`format=${format}\` is ${mediaType}, which \`Accept\` does not admit.`;
  throw new AppError('not_acceptable', detail, {
    faults: [{code: 'not_acceptable', detail, header: 'Accept'}],
  });
}
