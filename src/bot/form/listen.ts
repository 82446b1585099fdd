import type {ViewResponseAction} from '@slack/bolt';
import {type Answer, type Kit, originOf} from '../kit.js';
import {actions, views} from '../names.js';
import {openForm} from './open-form.js';
import {refuseForm, submitForm} from './submit-form.js';

/** The form: asked for by a button, and handed in. */
export function listenToForm(kit: Kit): void {
  const {bolt, visitors} = kit;

  bolt.action(actions.openForm, async ({body, ack}) => {
    await kit.answering(
      () => ack(),
      undefined,
      async (answer) => {
        await answer();
        if (body.type !== 'block_actions') return;
        const origin = originOf(body);
        const user = {id: body.user.id, name: body.user.name ?? body.user.username};
        await openForm(kit, {
          origin,
          user,
          channel: body.channel?.id ?? '',
          triggerId: body.trigger_id,
          reader: visitors.readerOf(origin, user),
          respond: (message) => kit.respondTo(body.response_url, message),
        });
      },
    );
  });

  bolt.view({callback_id: views.standup, type: 'view_submission'}, async ({body, view, ack, context}) => {
    const parts = {...kit, onUnserved: () => kit.forget(context)};
    await kit.answering(ack as Answer<ViewResponseAction>, refuseForm, async (answer) => {
      const user = {id: body.user.id, name: body.user.name};
      await answer(await submitForm(parts, view, {origin: originOf(body), user}));
    });
  });
}
