import {privately} from '../blocks/blocks.js';
import {listenToButton} from '../door/listeners.js';
import type {Kit} from '../door/kit.js';
import {actions} from '../blocks/names.js';
import {changeBlocker} from './change-blocker.js';

/**
 * The buttons under a blocker in a channel: saves first, then answers the person privately. The event updates
 * the message.
 */
export function listenToBlockers(kit: Kit): void {
  const listen = (action: string, state: 'acknowledged' | 'resolved') =>
    listenToButton(kit, action, async ({visit, value: {blocker}}, answer) => {
      if (typeof blocker !== 'string') return;
      await answer(privately(await changeBlocker(kit, visit, blocker, state)));
      kit.refreshHome(visit.origin, visit.user);
    });
  listen(actions.acknowledgeBlocker, 'acknowledged');
  listen(actions.resolveBlocker, 'resolved');
}
