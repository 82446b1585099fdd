import {listenToButton, listenToView} from '../door/listeners.js';
import {openForm} from '../form/open-form.js';
import type {Kit} from '../door/kit.js';
import {actions, views} from '../blocks/names.js';
import {askToDelete, deleteChosen} from './delete-standup.js';
import {parseChoice} from './standup-menu.js';

/** The menu of a standup in its channel, and the confirmation before it is deleted. */
export function listenToShown(kit: Kit): void {
  listenToButton(kit, actions.standupMenu, async ({visit, value}, answer) => {
    await answer();
    const choice = parseChoice(value);
    if (choice === undefined) return;
    if (choice.act === 'delete') return askToDelete(kit, visit, choice.standup);
    const {id, revision} = choice.standup;
    await openForm(kit, visit, {mode: 'edit-shown', standup: id, revision});
  });

  listenToView(kit, views.deleteStandup, async ({visit, view}, answer) => {
    const {response, tell} = await deleteChosen(kit, view, visit);
    await answer(response);
    await tell?.();
  });
}
