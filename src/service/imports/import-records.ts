import {reviseWrite, type ReviseWrite, type Write} from '../../domain/commit/writes.js';
import {toInstant} from '../../domain/core/dates.js';
import {type IdSuffix, suffixOf} from '../../domain/core/ids.js';
import {lifetimes} from '../../domain/core/limits.js';
import {lists} from '../../domain/core/lists.js';
import {toDraft} from '../../domain/core/resource.js';
import type {Import, ImportState} from '../../domain/imports/import.js';
import type {Removal} from '../core/clear-up.js';

/** Changes the record of an import. Earlier revisions stay only as long as events. */
export function createReviseImportWrite(found: Import, change: Partial<Import>): ReviseWrite {
  return reviseWrite(found, {...toDraft(found), ...change}, {forEvents: true});
}

/** Ends an import: it takes no more rows. Another one may begin, unless this one is `removing`. */
export function createEndImportWrites(
  found: Import,
  state: ImportState,
  endedAt: string,
): readonly [ReviseWrite, ...Write[]] {
  const suffix = suffixOf(found.id);
  return [
    createReviseImportWrite(found, {state, ended_at: endedAt}),
    {do: 'relist', suffix, from: lists.openImports(), to: null},
    state === 'removing'
      ? {
          do: 'relist',
          suffix,
          from: null,
          to: {list: lists.importInProgress(), positionFrom: lists.imports()},
        }
      : createProgressEndWrite(suffix),
    {do: 'keep-import-people', import: suffix, people: null},
  ];
}

/** Returns the write after which another import may begin. */
export function createProgressEndWrite(suffix: IdSuffix): Write {
  return {do: 'relist', suffix, from: lists.importInProgress(), to: null};
}

/** Returns the instant (ms) at which an open import is abandoned. */
export function computeImportEnd({created_at: at}: Import): number {
  return Date.parse(at) + lifetimes.importOpen * 1_000;
}

export const abandonImport = (found: Import): Removal => ({
  writes: createEndImportWrites(found, 'abandoned', toInstant(computeImportEnd(found))),
});

/** Removes the record of an import that has ended. An open one is abandoned first. */
export function removeImport({id, revision: from, state}: Import): Removal | undefined {
  if (state === 'open') return undefined;
  const listed = [lists.imports(), lists.openImports(), lists.importInProgress()];
  return {writes: [{do: 'remove', how: 'erase', id, from, lists: listed, names: []}]};
}
