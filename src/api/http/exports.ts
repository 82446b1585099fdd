import type {WireJson} from '../../domain/core/resource.js';
import {AppError} from '../../domain/core/errors.js';
import type {HandlerInput, HandlerResponse, Stream} from './route.js';

/** The file formats of an export. */
export const exportFormats = {
  ndjson: {mediaType: 'application/x-ndjson', contentType: 'application/x-ndjson'},
  csv: {mediaType: 'text/csv', contentType: 'text/csv; charset=utf-8; header=present'},
} as const;

export type ExportFormat = keyof typeof exportFormats;

export const exportTypes: readonly string[] = [exportFormats.ndjson.mediaType, exportFormats.csv.mediaType];

/** The columns of a CSV row, in their order. Each column has a name and a function for its value. */
export type Columns<Row> = readonly (readonly [name: string, cell: (row: Row) => string])[];

/** A note that is part of each export's description. */
export const exportText = `A cell that a spreadsheet could read as a formula gets an apostrophe in front. Such a cell begins with = + - @, tab or CR, also after spaces or quotes. The same applies to text after a line break, a tab, ; or |, where other separators begin a cell.`;

/** Presents a download in `format`, or else by `Accept`, which prefers NDJSON. Errors: `not_acceptable`. */
export function presentExport<Row>(
  {wanted, admits}: {readonly wanted: ExportFormat | undefined; readonly admits: HandlerInput['admits']},
  name: string,
  columns: Columns<Row>,
  pages: AsyncIterable<readonly WireJson[]>,
): HandlerResponse {
  const format = chooseFormat(wanted, admits);
  return {
    status: 200,
    headers: {
      'Content-Type': exportFormats[format].contentType,
      'Content-Disposition': `attachment; filename="${name}.${format}"`,
    },
    stream: format === 'csv' ? streamCsv(columns, pages) : streamNdjson(pages),
  };
}

function chooseFormat(wanted: ExportFormat | undefined, admits: HandlerInput['admits']): ExportFormat {
  const format = wanted ?? (admits(exportFormats.ndjson.mediaType) ? 'ndjson' : 'csv');
  const {mediaType} = exportFormats[format];
  if (admits(mediaType)) return format;
  const detail = `\`format=${format}\` is ${mediaType}, which \`Accept\` does not allow.`;
  throw new AppError('not_acceptable', detail, {
    inputErrors: [{code: 'not_acceptable', detail, header: 'Accept'}],
  });
}

/** A text of this length is sent at once, so that little is buffered for a slow client. */
const chunkLength = 64 * 1024;

/** Writes rows as lines of text, page by page, as fast as the client reads them. */
export function streamNdjson(pages: AsyncIterable<readonly WireJson[]>): Stream {
  return streamLines('', (json) => `${json}\n`, pages);
}

/** Writes rows as CSV (RFC 4180) below a header line. */
function streamCsv<Row>(columns: Columns<Row>, pages: AsyncIterable<readonly WireJson[]>): Stream {
  const head = `${columns.map(([name]) => name).join(',')}\r\n`;
  return streamLines(
    head,
    (json) => {
      const row = JSON.parse(json) as Row;
      return `${columns.map(([, cell]) => formatCsvCell(cell(row))).join(',')}\r\n`;
    },
    pages,
  );
}

function streamLines(
  head: string,
  toLine: (json: WireJson) => string,
  pages: AsyncIterable<readonly WireJson[]>,
): Stream {
  return async function writeLines({write}) {
    let text = head;
    for await (const page of pages) {
      for (const json of page) {
        text += toLine(json);
        if (text.length < chunkLength) continue;
        await write(text);
        text = '';
      }
      // Writes after each page, even an empty one: rare matches arrive early, and a lost client is noticed.
      await write(text);
      text = '';
    }
  };
}

/** Matches what a spreadsheet may run as a formula, also after spaces, quotes or a possible separator. */
const formula = /^(?=[\t\r])|(?<=^|[\r\n\t;|])(?=(?:[^\S\r\n\t]|["'])*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/g;

/** Writes one cell as in RFC 4180. An apostrophe keeps a spreadsheet from running it as a formula. */
function formatCsvCell(value: string): string {
  const safe = value.replaceAll(formula, "'");
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
