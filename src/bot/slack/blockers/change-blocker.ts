import {AppError} from '../../../domain/core/errors.js';
import type {Kit, Visit} from '../door/kit.js';
import {explain} from '../door/refusals.js';
import {slackKey} from '../door/visitors.js';

/**
 * Acknowledges or resolves a blocker for the person who pressed the button; returns the outcome as text.
 * Never throws.
 */
export async function changeBlocker(
  {visitors, services, log, drawReference}: Pick<Kit, 'visitors' | 'services' | 'log' | 'drawReference'>,
  {origin, user, reader, triggerId}: Pick<Visit, 'origin' | 'user' | 'reader' | 'triggerId'>,
  id: string,
  state: 'acknowledged' | 'resolved',
): Promise<string> {
  const words = reader.words.blockers;
  const deadline = visitors.answerBy();
  try {
    const call = await visitors.admit(await visitors.findPlace(origin, deadline), user, deadline);
    const before = await services.blockers.findBlocker(call, id);
    if (before.state === 'resolved') return words.isResolved;
    if (before.state === state) return words.isAcknowledged;
    const idempotency = slackKey(call, 'blocker', triggerId, `${id} ${state}`);
    await services.blockers.changeBlocker({...call, idempotency}, id, {state});
    return state === 'resolved' ? words.resolved : words.acknowledged;
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return words.gone;
    const {sentence, uncertain} = explain(error, log, drawReference(), reader.words);
    return uncertain ? sentence : words.notChanged(sentence);
  }
}
