import {listenToButton, listenToView} from '../door/listeners.js';
import type {Kit} from '../door/kit.js';
import {actions, views} from '../blocks/names.js';
import {showPicked} from './choose-team.js';
import {parseRequest} from './form-request.js';
import {openForm, replaceForm} from './open-form.js';
import {refuseForm, submitForm} from './submit-form.js';

/** The form: opened by a button, emptied by another, and submitted. */
export function listenToForm(kit: Kit): void {
  listenToButton(kit, actions.openForm, async ({visit, value, view}, answer) => {
    await answer();
    if (view?.type === 'modal') return replaceForm(kit, visit, view, parseRequest(value));
    await openForm(kit, visit, parseRequest(value));
  });

  listenToButton(kit, actions.newUpdate, async ({visit, value, view}, answer) => {
    await answer();
    if (view !== undefined) await replaceForm(kit, visit, view, parseRequest(value));
  });

  listenToButton(kit, actions.chooseTeam, async ({visit, view}, answer) => {
    await answer();
    if (view?.callback_id === views.standup) await showPicked(kit, visit, view);
  });

  listenToView(
    kit,
    views.standup,
    async ({visit, view, onUnserved}, answer) => {
      const {response, tell} = await submitForm({...kit, onUnserved}, view, visit);
      await answer(response);
      await tell?.();
    },
    (sentence, {visit, view}) => refuseForm(view, visit.reader, sentence),
  );
}
