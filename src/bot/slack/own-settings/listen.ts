import {listenToButton, listenToView} from '../door/listeners.js';
import type {Kit} from '../door/kit.js';
import {actions, ownFields, views} from '../blocks/names.js';
import {presentFaults} from '../setup/team-form.js';
import {openOwnSettings} from './open-own.js';
import {submitOwnSettings} from './submit-own.js';

/**
 * A person's own settings: opened by `/standup settings` or on the Home tab, and submitted. The menu of time
 * zones is shared with teams.
 */
export function listenToOwnSettings(kit: Kit): void {
  listenToButton(kit, actions.openOwn, async ({visit}, answer) => {
    await answer();
    await openOwnSettings(kit, visit);
  });

  listenToView(
    kit,
    views.own,
    (submission, answer) => submitOwnSettings(kit, submission, answer),
    (sentence) => presentFaults({[ownFields.reminded]: sentence}),
  );
}
