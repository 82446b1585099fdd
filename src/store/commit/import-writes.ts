import type {ImportWrite} from '../../domain/commit/writes.js';
import {deleteKeysLua, keepImportKeyLua, keepImportPeopleLua} from '../core/compiled/lua.js';
import {createPlainStep, type StepsOf} from './step.js';

export const importSteps: StepsOf<ImportWrite> = {
  // The script of a commit has the head already.
  'keep-import-key': ({key}) => createPlainStep(keepImportKeyLua, [], [key]),
  'keep-import-people': ({import: of, people}, {keys}) =>
    people === null
      ? createPlainStep(deleteKeysLua, [keys.importPeople(of)])
      : createPlainStep(keepImportPeopleLua, [keys.importPeople(of)], [JSON.stringify(people)]),
};
