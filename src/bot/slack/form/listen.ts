import type {ViewResponseAction} from '@slack/bolt';
import {listenToButton} from '../door/buttons.js';
import {type Answer, type Kit, originOf} from '../door/kit.js';
import {actions, views} from '../blocks/names.js';
import {showPicked} from './choose-team.js';
import {parseWish} from './form-wish.js';
import {openForm, replaceForm} from './open-form.js';
import {refuseForm, submitForm} from './submit-form.js';

/** The form: asked for by a button, emptied by another, and handed in. */
export function listenToForm(kit: Kit): void {
  const {bolt, visitors} = kit;

  listenToButton(kit, actions.openForm, async ({visit, value, view}, answer) => {
    await answer();
    if (view?.type === 'modal') return replaceForm(kit, visit, view, parseWish(value));
    await openForm(kit, visit, parseWish(value));
  });

  listenToButton(kit, actions.newUpdate, async ({visit, value, view}, answer) => {
    await answer();
    if (view !== undefined) await replaceForm(kit, visit, view, {...parseWish(value), mode: 'new'});
  });

  listenToButton(kit, actions.chooseTeam, async ({visit, view}, answer) => {
    await answer();
    if (view?.callback_id === views.standup) await showPicked(kit, visit, view);
  });

  bolt.view({callback_id: views.standup, type: 'view_submission'}, async ({body, view, ack, context}) => {
    const origin = originOf(body);
    const user = {id: body.user.id, name: body.user.name};
    const reader = visitors.readerOf(origin, user);
    const parts = {...kit, onUnserved: () => kit.forget(context)};
    const refuse = (sentence: string) => refuseForm(view, reader, sentence);
    await kit.answering(
      ack as Answer<ViewResponseAction>,
      refuse,
      async (answer) => {
        const {response, tell} = await submitForm(parts, view, {
          origin,
          user,
          reader,
          domain: body.team?.domain,
        });
        await answer(response);
        await tell?.();
      },
      reader.words,
    );
  });
}
