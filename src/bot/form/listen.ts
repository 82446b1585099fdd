import type {ViewResponseAction} from '@slack/bolt';
import {type Answer, type Kit, originOf, type Visit} from '../kit.js';
import {actions, views} from '../names.js';
import {parsePlace} from './form-place.js';
import {parseWish} from './form-wish.js';
import {openForm, replaceForm} from './open-form.js';
import {refuseForm, submitForm} from './submit-form.js';

/** The form: asked for by a button, emptied by another, and handed in. */
export function listenToForm(kit: Kit): void {
  const {bolt, visitors} = kit;

  bolt.action({action_id: actions.openForm, type: 'block_actions'}, async ({body, action, ack}) => {
    await kit.answering(
      () => ack(),
      undefined,
      async (answer) => {
        await answer();
        const origin = originOf(body);
        const user = {id: body.user.id, name: body.user.name ?? body.user.username};
        const visit: Visit = {
          origin,
          user,
          channel: body.channel?.id ?? '',
          triggerId: body.trigger_id,
          reader: visitors.readerOf(origin, user),
          responseUrl: body.response_url,
          respond: (message) => kit.respondTo(body.response_url, message),
        };
        await openForm(kit, visit, parseWish(action.type === 'button' ? action.value : undefined));
      },
    );
  });

  bolt.action({action_id: actions.newUpdate, type: 'block_actions'}, async ({body, action, ack}) => {
    await kit.answering(
      () => ack(),
      undefined,
      async (answer) => {
        await answer();
        if (body.view === undefined || action.type !== 'button') return;
        const origin = originOf(body);
        const user = {id: body.user.id, name: body.user.name ?? body.user.username};
        const url = parsePlace(body.view.private_metadata).answer?.url;
        const visit: Visit = {
          origin,
          user,
          channel: '',
          triggerId: body.trigger_id,
          reader: visitors.readerOf(origin, user),
          responseUrl: url,
          respond: async (message) => {
            if (url !== undefined) await kit.respondTo(url, message);
          },
        };
        const wish = parseWish(action.value);
        await replaceForm(kit, visit, body.view, {...wish, mode: 'new'});
      },
    );
  });

  bolt.view({callback_id: views.standup, type: 'view_submission'}, async ({body, view, ack, context}) => {
    const origin = originOf(body);
    const user = {id: body.user.id, name: body.user.name};
    const reader = visitors.readerOf(origin, user);
    const parts = {...kit, onUnserved: () => kit.forget(context)};
    const refuse = (sentence: string) => refuseForm(view, reader, sentence);
    await kit.answering(ack as Answer<ViewResponseAction>, refuse, async (answer) => {
      await answer(await submitForm(parts, view, {origin, user, reader}));
    });
  });
}
