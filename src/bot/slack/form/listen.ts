import {listenToButton, listenToView} from '../core/listeners.js';
import type {SlackContext} from '../core/context.js';
import {actions, views} from '../blocks/names.js';
import {showFormOfPickedTeam} from './choose-team.js';
import {parseRequest} from '../answers/form-request.js';
import {openForm, replaceForm} from './open-form.js';
import {keepFormWithReason, submitForm} from './submit-form.js';

/** Listens to the buttons that open or clear the form, and to its submission. */
export function listenToForm(deps: SlackContext): void {
  listenToButton(deps, actions.openForm, async ({request, value, view}, answer) => {
    await answer();
    if (view?.type === 'modal') return replaceForm(deps, request, view, parseRequest(value));
    await openForm(deps, request, parseRequest(value));
  });

  listenToButton(deps, actions.newUpdate, async ({request, value, view}, answer) => {
    await answer();
    if (view !== undefined) await replaceForm(deps, request, view, parseRequest(value));
  });

  listenToButton(deps, actions.chooseTeam, async ({request, view}, answer) => {
    await answer();
    if (view?.callback_id === views.standup) await showFormOfPickedTeam(deps, request, view);
  });

  listenToView(
    deps,
    views.standup,
    async ({request, view, onUnserved}, answer) => {
      const {response, notify} = await submitForm({...deps, onUnserved}, view, request);
      await answer(response);
      await notify?.();
    },
    (sentence, {request, view}) => keepFormWithReason(view, request.translation, sentence),
  );
}
