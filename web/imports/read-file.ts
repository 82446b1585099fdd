import {guessColumns} from '../../packages/import-files/src/columns.js';
import {decodeFile, readCsv} from '../../packages/import-files/src/read-csv.js';
import {isNdjson, readNdjson} from '../../packages/import-files/src/read-ndjson.js';
import {importSetup, type ImportSettings, type ReadFile, recallSettings} from './setup.ts';

/** The largest file (bytes) that the page reads: it holds all of it in memory. */
export const mostBytes = 50_000_000;

/** Reads a file, and guesses what it means. Errors: `FileError`, `ArchiveError`, and those of the browser. */
export async function openImportFile(chosen: File): Promise<void> {
  const bytes = new Uint8Array(await chosen.arrayBuffer());
  if (isArchive(bytes)) throw new ArchiveError();
  const text = decodeFile(bytes);
  // Decoding and reading a large file are two tasks, so that the page gets its turn in between.
  await new Promise<void>((resolve) => setTimeout(resolve));
  const {name, size} = chosen;
  const file: ReadFile = isNdjson(text)
    ? {name, size, rows: readNdjson(text)}
    : {name, size, table: readCsv(text)};
  const settings = recallSettings(file) ?? guessSettings(file);
  importSetup.set({file, settings, mapped: 'rows' in file ? file.rows : undefined});
}

/** A zip archive, such as a file of a spreadsheet program: it holds no text. */
export class ArchiveError extends Error {}

function isArchive([first, second, third]: Uint8Array): boolean {
  return first === 0x50 && second === 0x4b && third === 3;
}

function guessSettings(file: ReadFile): ImportSettings {
  return {
    source: 'csv',
    columns: 'table' in file ? guessColumns(file.table) : [],
    team: undefined,
    dateOrder: undefined,
    twoDigitYears: false,
    timezone: null,
    teams: {},
    people: {},
  };
}
