import {listenToButton} from '../door/listeners.js';
import type {Kit} from '../door/kit.js';
import {actions} from '../blocks/names.js';
import {showHistory} from './show-history.js';

/**
 * *Earlier*, under one's own standups: beside what is shown, since that is still to be read; in a modal in
 * its place.
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
