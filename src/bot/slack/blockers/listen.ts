import {privateAnswer} from '../blocks/blocks.js';
import {listenToButton} from '../core/listeners.js';
import type {SlackContext} from '../core/context.js';
import {actions} from '../blocks/names.js';
import {changeBlocker} from './change-blocker.js';

/**
 * Listens to the buttons under a blocker in a channel: saves first, then answers the person privately. The
 * resulting event updates the message.
 */
export function listenToBlockers(deps: SlackContext): void {
  const listen = (action: string, state: 'acknowledged' | 'resolved') =>
    listenToButton(deps, action, async ({request, value: {blocker}}, answer) => {
      if (typeof blocker !== 'string') return;
      await answer(privateAnswer(await changeBlocker(deps, request, blocker, state)));
      deps.refreshHome(request.origin, request.user);
    });
  listen(actions.acknowledgeBlocker, 'acknowledged');
  listen(actions.resolveBlocker, 'resolved');
}
