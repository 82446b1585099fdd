import {listenToButton} from '../door/listeners.js';
import type {Kit} from '../door/kit.js';
import {actions} from '../blocks/names.js';
import {showHistory} from './show-history.js';

/**
 * *Earlier*, under a list of a person's own standups: answers beside that list, which is still to be read; in
 * a modal it replaces it.
 */
export function listenToHistory(kit: Kit): void {
  listenToButton(
    kit,
    actions.history,
    async ({visit, value: {past}}, answer) => {
      const from = Number.isSafeInteger(past) ? Number(past) : undefined;
      await answer(await showHistory(kit, visit, from));
    },
    'place',
  );
}
