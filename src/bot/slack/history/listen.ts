import {listenToButton} from '../core/listeners.js';
import type {SlackContext} from '../core/context.js';
import {actions} from '../blocks/names.js';
import {showHistory} from './show-history.js';

/**
 * Listens to *Earlier* under a list of a person's own standups. The answer is a separate message, since the
 * person may still read the list; in a modal it replaces the list.
 */
export function listenToHistory(deps: SlackContext): void {
  listenToButton(
    deps,
    actions.history,
    async ({request, value: {past}}, answer) => {
      const from = Number.isSafeInteger(past) ? Number(past) : undefined;
      await answer(await showHistory(deps, request, from));
    },
    'modal',
  );
}
