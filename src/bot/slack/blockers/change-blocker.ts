import {AppError} from '../../../domain/core/errors.js';
import type {SlackContext, SlackRequest} from '../core/context.js';
import {explainError} from '../core/refusals.js';
import {slackKey} from '../core/slack-identities.js';
import {admitRequester} from '../core/requester.js';
import {privateAnswer} from '../blocks/blocks.js';
import {listenToButton} from '../core/listeners.js';
import {actions} from '../blocks/names.js';

/** Acknowledges or resolves a blocker, and returns the outcome as text. Never throws. */
export async function changeBlocker(
  context: SlackContext,
  request: SlackRequest,
  id: string,
  state: 'acknowledged' | 'resolved',
): Promise<string> {
  const {translation, triggerId} = request;
  const {blockers} = context.services;
  const texts = translation.texts.blockers;
  try {
    const {call} = await admitRequester(context, request);
    const before = await blockers.findBlocker(call, id);
    if (before.state === 'resolved') return texts.isResolved;
    if (before.state === state) return texts.isAcknowledged;
    const idempotency = slackKey(call, 'blocker', triggerId, `${id} ${state}`);
    await blockers.changeBlocker({...call, idempotency}, id, {state});
    return state === 'resolved' ? texts.resolved : texts.acknowledged;
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return texts.gone;
    const {sentence, uncertain} = explainError(context, error, translation.texts);
    return uncertain ? sentence : texts.notChanged({reason: sentence});
  }
}

/** Listens to the buttons under a blocker. The resulting event updates the message. */
export function listenToBlockers(context: SlackContext): void {
  const listen = (action: string, state: 'acknowledged' | 'resolved') =>
    listenToButton(context, action, async ({request, value: {blocker}}, answer) => {
      if (typeof blocker !== 'string') return;
      await answer(privateAnswer(await changeBlocker(context, request, blocker, state)));
      context.refreshHome(request.origin, request.user);
    });
  listen(actions.acknowledgeBlocker, 'acknowledged');
  listen(actions.resolveBlocker, 'resolved');
}
