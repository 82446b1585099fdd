import {AppError} from '../../../domain/core/errors.js';
import type {SlackContext, SlackRequest} from '../core/context.js';
import {explainError} from '../core/refusals.js';
import {slackKey} from '../core/slack-identities.js';

/**
 * Acknowledges or resolves a blocker for the person who pressed the button; returns the outcome as text.
 * Never throws.
 */
export async function changeBlocker(
  {
    identities,
    services,
    log,
    generateReference,
  }: Pick<SlackContext, 'identities' | 'services' | 'log' | 'generateReference'>,
  {origin, user, translation, triggerId}: Pick<SlackRequest, 'origin' | 'user' | 'translation' | 'triggerId'>,
  id: string,
  state: 'acknowledged' | 'resolved',
): Promise<string> {
  const texts = translation.texts.blockers;
  const deadline = identities.answerBy();
  try {
    const call = await identities.admit(
      await identities.findSlackWorkspace(origin, deadline),
      user,
      deadline,
    );
    const before = await services.blockers.findBlocker(call, id);
    if (before.state === 'resolved') return texts.isResolved;
    if (before.state === state) return texts.isAcknowledged;
    const idempotency = slackKey(call, 'blocker', triggerId, `${id} ${state}`);
    await services.blockers.changeBlocker({...call, idempotency}, id, {state});
    return state === 'resolved' ? texts.resolved : texts.acknowledged;
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return texts.gone;
    const {sentence, uncertain} = explainError(error, log, generateReference(), translation.texts);
    return uncertain ? sentence : texts.notChanged({reason: sentence});
  }
}
