import {guessColumns} from '../../packages/import-files/src/columns.js';
import {decodeFile, readCsv} from '../../packages/import-files/src/read-csv.js';
import {isNdjson, readNdjson} from '../../packages/import-files/src/read-ndjson.js';
import {importSetup, type ImportSettings, type ReadFile, recallSettings} from './setup.ts';

/** The largest file (bytes) that the page reads: it holds all of it in memory. */
export const mostBytes = 50_000_000;

/** Reads a file, and guesses what it means. Errors: `FileError`, and those of the browser. */
export async function openImportFile(chosen: File): Promise<void> {
  const text = decodeFile(new Uint8Array(await chosen.arrayBuffer()));
  // Decoding and reading a large file are two tasks, so that the page gets its turn in between.
  await new Promise<void>((resolve) => setTimeout(resolve));
  const {name, size} = chosen;
  const file: ReadFile = isNdjson(text)
    ? {name, size, rows: readNdjson(text)}
    : {name, size, table: readCsv(text)};
  const settings = recallSettings(file) ?? guessSettings(file);
  importSetup.set({file, settings, mapped: 'rows' in file ? file.rows : undefined});
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
