import {listenToButton, listenToView} from '../core/listeners.js';
import type {SlackContext} from '../core/context.js';
import {actions, ownFields, views} from '../blocks/names.js';
import {presentFieldErrors} from '../blocks/inputs.js';
import {openOwnSettings} from './open-own.js';
import {submitOwnSettings} from './submit-own.js';

/** Listens to a person's own settings: opened by `/standup settings` or on the Home tab, and submitted. */
export function listenToOwnSettings(deps: SlackContext): void {
  listenToButton(deps, actions.openOwn, async ({request}, answer) => {
    await answer();
    await openOwnSettings(deps, request);
  });

  listenToView(
    deps,
    views.own,
    (submission, answer) => submitOwnSettings(deps, submission, answer),
    (sentence) => presentFieldErrors({[ownFields.reminded]: sentence}),
  );
}
