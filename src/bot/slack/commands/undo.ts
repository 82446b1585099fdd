import type {RespondArguments} from '@slack/bolt';
import type {Call} from '../../../domain/core/access.js';
import {AppError} from '../../../domain/core/errors.js';
import {privateAnswer} from '../blocks/blocks.js';
import type {SlackContext, SlackRequest} from '../core/context.js';
import {explainError} from '../core/refusals.js';
import {presentDeletedStandup, presentUndoneStandup} from '../answers/standup-answers.js';
import {admitRequester} from '../core/requester.js';

/**
 * Deletes a standup; the answer contains its text. A repeated press gets the author the same answer. After a
 * failure the message with the button remains.
 */
export async function undoStandup(
  context: SlackContext,
  request: SlackRequest,
  {id, revision}: {readonly id: string; readonly revision: number},
  of: 'themselves' | 'anybody' = 'themselves',
  keyed: (call: Call) => Call = (call) => call,
): Promise<RespondArguments> {
  const {origin, user, translation} = request;
  const {standups} = context.services;
  const {command, shown} = translation.texts;
  try {
    const call = keyed((await admitRequester(context, request)).call);
    try {
      const standup = await standups.retractStandup(call, id, of);
      context.refreshHome(origin, user);
      const isOwn = standup.author.id === call.principal.id;
      const now = of === 'anybody' || standup.edited ? 'deleted' : 'undone';
      const undone = isOwn
        ? presentUndoneStandup(translation, standup, {now})
        : presentDeletedStandup(translation, standup);
      return {...undone, replace_original: true};
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'not_found') throw error;
      const gone = await standups.findDeleted(call, {id, revision});
      if (gone === undefined) return {...privateAnswer(command.gone), replace_original: false};
      return {...presentUndoneStandup(translation, gone, {now: false}), replace_original: true};
    }
  } catch (error) {
    const {sentence, uncertain} = explainError(context, error, translation.texts);
    const refuse = of === 'themselves' ? command.notUndone : shown.notDeleted;
    return {...privateAnswer(uncertain ? sentence : refuse({reason: sentence})), replace_original: false};
  }
}
