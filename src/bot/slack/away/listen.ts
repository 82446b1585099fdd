import {isId} from '../../../domain/core/ids.js';
import {listenToButton} from '../door/listeners.js';
import type {Kit} from '../door/kit.js';
import {actions} from '../blocks/names.js';
import {undoAbsences} from './away.js';

/** The buttons in the answers to `/standup ooo` and `/standup skip`. */
export function listenToAway(kit: Kit): void {
  listenToButton(kit, actions.undoAbsence, async ({visit, value: {absences}}, answer) => {
    const ids = Array.isArray(absences) ? absences.map(String).filter((id) => isId('absence', id)) : [];
    if (ids.length > 0) await answer(await undoAbsences(kit, visit, ids));
  });
}
