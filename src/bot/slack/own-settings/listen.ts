import type {ViewResponseAction} from '@slack/bolt';
import {listenToButton} from '../door/buttons.js';
import {type Answer, type Kit, originOf} from '../door/kit.js';
import {actions, ownFields, views} from '../blocks/names.js';
import {presentFaults} from '../setup/team-form.js';
import {openOwnSettings} from './open-own.js';
import {submitOwnSettings} from './submit-own.js';

/** One's own settings: opened by `/standup settings` or on the Home tab, and handed in. The menu of time zones is that of teams. */
export function listenToOwnSettings(kit: Kit): void {
  listenToButton(kit, actions.openOwn, async ({visit, view}, answer) => {
    await answer();
    await openOwnSettings(kit, {...visit, within: view?.type === 'modal' ? view.id : undefined});
  });

  kit.bolt.view({callback_id: views.own, type: 'view_submission'}, async ({body, view, ack, context}) => {
    const user = {id: body.user.id, name: body.user.name};
    const origin = originOf(body);
    await kit.answering(
      ack as Answer<ViewResponseAction>,
      (sentence) => presentFaults({[ownFields.reminded]: sentence}),
      (answer) => submitOwnSettings(kit, {view, origin, user, onUnserved: () => kit.forget(context)}, answer),
      kit.visitors.readerOf(origin, user).words,
    );
  });
}
