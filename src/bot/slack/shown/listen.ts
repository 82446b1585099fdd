import type {ViewResponseAction} from '@slack/bolt';
import {listenToButton} from '../door/buttons.js';
import {openForm} from '../form/open-form.js';
import {type Answer, type Kit, originOf, type Visit} from '../door/kit.js';
import {actions, views} from '../blocks/names.js';
import {askToDelete, deleteChosen} from './delete-standup.js';
import {parseChoice} from './standup-menu.js';

/** The menu of a standup in its channel, and the question that comes before it is deleted. */
export function listenToShown(kit: Kit): void {
  const {bolt, visitors} = kit;

  listenToButton(kit, actions.standupMenu, async ({visit, value}, answer) => {
    await answer();
    const choice = parseChoice(value);
    if (choice === undefined) return;
    if (choice.act === 'delete') return askToDelete(kit, visit, choice.standup);
    const {id, revision} = choice.standup;
    await openForm(kit, visit, {mode: 'edit', standup: id, ofOthers: true, deleted: {standup: id, revision}});
  });

  bolt.view({callback_id: views.deleteStandup, type: 'view_submission'}, async ({body, view, ack}) => {
    const origin = originOf(body);
    const user = {id: body.user.id, name: body.user.name};
    const reader = visitors.readerOf(origin, user);
    const visit: Visit = {
      origin,
      user,
      channel: '',
      triggerId: '',
      reader,
      respond: () => Promise.resolve(),
    };
    await kit.answering(
      ack as Answer<ViewResponseAction>,
      undefined,
      async (answer) => {
        const {response, tell} = await deleteChosen(kit, view, visit);
        await answer(response);
        await tell?.();
      },
      reader.words,
    );
  });
}
