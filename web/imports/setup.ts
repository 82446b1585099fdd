// The file that the person has chosen, and what they have decided about it. It outlives the page: a person may look
// at something else in between.
import type {Columns} from '../../packages/import-files/src/columns.js';
import type {MappedFile} from '../../packages/import-files/src/map-rows.js';
import type {FileTable} from '../../packages/import-files/src/read-csv.js';
import type {DateOrder} from '../../packages/import-files/src/read-day.js';
import {readDraft, saveDraft} from '../api/drafts.ts';
import {onSessionEnd} from '../api/session.ts';
import {createStore} from '../parts/store.ts';
import type {PersonChoices} from './people.ts';

/** A file as it was read: a table whose columns have to be mapped, or rows as the API takes them. */
export type ReadFile = {readonly name: string; readonly size: number} & (
  | {readonly table: FileTable}
  | {readonly rows: MappedFile}
);

export interface ImportSettings {
  readonly source: string;
  readonly columns: Columns;
  /** The team of all rows, if no column has it. */
  readonly team: string | undefined;
  readonly dateOrder: DateOrder | undefined;
  readonly twoDigitYears: boolean;
  /** Null: the zone of each team. */
  readonly timezone: string | null;
  /** Teams here by those of the file; null: left out. A team that is not named here is guessed. */
  readonly teams: Readonly<Record<string, string | null>>;
  readonly people: PersonChoices;
}

export interface ImportSetup {
  readonly file: ReadFile;
  readonly settings: ImportSettings;
  /** The rows, once the columns are confirmed. */
  readonly mapped: MappedFile | undefined;
}

export const importSetup = createStore<ImportSetup | undefined>(undefined);

onSessionEnd(() => importSetup.set(undefined));

export function changeSettings(change: Partial<ImportSettings>): void {
  const setup = importSetup.get();
  if (setup !== undefined) importSetup.set({...setup, settings: {...setup.settings, ...change}});
}

const draftKey = 'import';

interface KeptSettings extends ImportSettings {
  readonly header: string;
}

const toHeader = (file: ReadFile): string => JSON.stringify('table' in file ? file.table.header : []);

/** Returns what the person decided about the last file with the same columns, which may be this one. */
export function recallSettings(file: ReadFile): ImportSettings | undefined {
  const kept = readDraft<KeptSettings>(draftKey);
  return kept?.header === toHeader(file) ? kept : undefined;
}

export function keepSettings({file, settings}: ImportSetup): void {
  saveDraft(draftKey, {...settings, header: toHeader(file)} satisfies KeptSettings);
}
