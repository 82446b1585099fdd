import {listenToButton, listenToView} from '../core/listeners.js';
import {openForm} from '../form/open-form.js';
import type {SlackContext} from '../core/context.js';
import {actions, views} from '../blocks/names.js';
import {askToDelete, deleteChosenStandup} from './delete-standup.js';
import {parseMenuChoice} from './standup-menu.js';

/** Listens to the menu of a standup in its channel, and to the confirmation of its deletion. */
export function listenToShown(deps: SlackContext): void {
  listenToButton(deps, actions.standupMenu, async ({request, value}, answer) => {
    await answer();
    const choice = parseMenuChoice(value);
    if (choice === undefined) return;
    if (choice.act === 'delete') return askToDelete(deps, request, choice.standup);
    const {id, revision} = choice.standup;
    await openForm(deps, request, {mode: 'edit-shown', standup: id, revision});
  });

  listenToView(deps, views.deleteStandup, async ({request, view}, answer) => {
    const {response, notify} = await deleteChosenStandup(deps, view, request);
    await answer(response);
    await notify?.();
  });
}
