import {isId} from '../../../domain/core/ids.js';
import {listenToButton} from '../core/listeners.js';
import type {SlackContext} from '../core/context.js';
import {actions} from '../blocks/names.js';
import {undoAbsences} from './away.js';

/** Handles the buttons in the answers to `/standup ooo` and `/standup skip`. */
export function listenToAway(deps: SlackContext): void {
  listenToButton(deps, actions.undoAbsence, async ({request, value: {absences}}, answer) => {
    const ids = Array.isArray(absences) ? absences.map(String).filter((id) => isId('absence', id)) : [];
    if (ids.length > 0) await answer(await undoAbsences(deps, request, ids));
  });
}
