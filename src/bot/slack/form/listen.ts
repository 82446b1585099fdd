import {listenToButton, listenToView} from '../core/listeners.js';
import type {SlackContext} from '../core/context.js';
import {actions, views} from '../blocks/names.js';
import {showFormOfPickedTeam} from './choose-team.js';
import {parseRequest} from '../answers/form-request.js';
import {openForm, replaceForm} from './open-form.js';
import {keepFormWithReason, submitForm} from './submit-form.js';

export function listenToForm(context: SlackContext): void {
  listenToButton(context, actions.openForm, async ({request, value, view}, answer) => {
    await answer();
    if (view?.type === 'modal') return replaceForm(context, request, view, parseRequest(value));
    await openForm(context, request, parseRequest(value));
  });

  listenToButton(context, actions.newUpdate, async ({request, value, view}, answer) => {
    await answer();
    if (view !== undefined) await replaceForm(context, request, view, parseRequest(value));
  });

  listenToButton(context, actions.chooseTeam, async ({request, view}, answer) => {
    await answer();
    if (view?.callback_id === views.standup) await showFormOfPickedTeam(context, request, view);
  });

  listenToView(
    context,
    views.standup,
    async (submission, answer) => {
      const {response, notify} = await submitForm(context, submission);
      await answer(response);
      await notify?.();
    },
    (sentence, {request, view}) => keepFormWithReason(view, request.translation, sentence),
  );
}
