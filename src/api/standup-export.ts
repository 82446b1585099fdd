import type {WireJson} from '../domain/resource.js';
import type {Standup} from '../domain/standup.js';
import type {Stream} from './route.js';

const columns: readonly [name: string, cell: (standup: Standup) => string][] = [
  ['id', ({id}) => id],
  ['date', ({date}) => date],
  ['team', ({team}) => team],
  ['team_id', ({team_id}) => team_id],
  ['author_type', ({author}) => author.type],
  ['author_id', ({author}) => author.id],
  ['author_name', ({author}) => author.name],
  ['source', ({source}) => source],
  ['late', ({late}) => String(late)],
  ['edited', ({edited}) => String(edited)],
  ['update', ({update}) => update],
  ['answers', ({answers}) => JSON.stringify(answers)],
  ['metadata', ({metadata}) => JSON.stringify(metadata)],
  ['revision', ({revision}) => String(revision)],
  ['created_at', ({created_at}) => created_at],
  ['updated_at', ({updated_at}) => updated_at],
  ['posted_by_id', ({posted_by: poster}) => poster?.id ?? ''],
  ['edited_by_id', ({edited_by: editor}) => editor?.id ?? ''],
];

/** Names of the columns, as documented. */
export const exportColumns: readonly string[] = columns.map(([name]) => name);

/** The forms of an export, each with what makes it from rows. */
export const exportFormats = {
  ndjson: {mediaType: 'application/x-ndjson', contentType: 'application/x-ndjson', head: '', row: toLine},
  csv: {
    mediaType: 'text/csv',
    contentType: 'text/csv; charset=utf-8; header=present',
    head: `${exportColumns.join(',')}\r\n`,
    row: toCsvRow,
  },
} as const;

export type ExportFormat = keyof typeof exportFormats;

/** Text that is sent at once when it has become this long, so that little waits for a slow reader. */
const chunkLength = 64 * 1024;

/** Writes pages of standups, as fast as the reader takes them. */
export function streamStandups(format: ExportFormat, pages: AsyncIterable<readonly WireJson[]>): Stream {
  const {head, row} = exportFormats[format];
  return async function writeStandups({write}) {
    let text: string = head;
    for await (const page of pages) {
      for (const json of page) {
        text += row(json);
        if (text.length < chunkLength) continue;
        await write(text);
        text = '';
      }
      // What few rows match is on its way at once, and a search that finds none ends when its reader goes.
      await write(text);
      text = '';
    }
  };
}

function toLine(json: WireJson): string {
  return `${json}\n`;
}

function toCsvRow(json: WireJson): string {
  const standup = JSON.parse(json) as Standup;
  return `${columns.map(([, cell]) => toCell(cell(standup))).join(',')}\r\n`;
}

/** What a spreadsheet may take for a formula, also behind spaces and quotes, and in full-width letters. */
const formula = /^[\s"']*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r]/;

/** One cell of RFC 4180. An apostrophe in front keeps a spreadsheet from running what somebody wrote as an update. */
function toCell(value: string): string {
  const safe = formula.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
