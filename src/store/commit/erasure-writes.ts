import type {ErasureWrite} from '../../domain/commit/writes.js';
import {suffixOf} from '../../domain/core/ids.js';
import {lists} from '../../domain/core/lists.js';
import {noteErasureLua, startErasureLua} from '../core/compiled/lua.js';
import {createPlainStep, type StepsOf} from './step.js';

export const erasureSteps: StepsOf<ErasureWrite> = {
  'start-erasure': ({suffix, member, revoked}, {keys}) =>
    createPlainStep(
      startErasureLua,
      [keys.erasure(suffix), keys.list(lists.erasures())],
      [suffix, suffixOf(member), String(revoked)],
    ),
  'note-erasure': ({erasure, state, erased}, {keys}) => {
    const counts = Object.entries(erased).flatMap(([kind, count]) => [kind, String(count)]);
    return createPlainStep(noteErasureLua, [keys.erasure(erasure)], [state, ...counts]);
  },
};
