import type {ModalView} from '@slack/types';
import {notFound} from '../../../domain/core/errors.js';
import {formatPlainSentence, formatText} from '../blocks/reach.js';
import type {SlackContext, SlackRequest} from '../core/context.js';
import {errorCodeOf} from '../core/clients.js';
import {nameTeamInRefusal, explainError} from '../core/refusals.js';
import {slackKey} from '../core/slack-identities.js';
import {presentWaitingText} from './setup-view.js';

export interface WaitingText {
  readonly team: string | undefined;
  readonly text: string;
  /** The id of the modal with the button: if the button is pressed twice, the text is posted once. */
  readonly viewId: string;
}

/**
 * Posts the update for which the team was set up, and says so in the modal. After a failure the text and the
 * button stay.
 */
export async function postWaitingText(
  deps: SlackContext,
  request: SlackRequest,
  waiting: WaitingText,
): Promise<void> {
  const deadline = deps.identities.answerBy();
  const view = await postText(deps, request, waiting, deadline);
  try {
    const client = await deps.identities.findClient(request.origin, deps.identities.answerBy());
    await client.views.update({view_id: waiting.viewId, view});
  } catch (error) {
    deps.log.warn({code: errorCodeOf(error)}, 'could not show the result of a text');
  }
}

async function postText(
  context: SlackContext,
  {origin, user, translation}: SlackRequest,
  {team: reference, text, viewId}: WaitingText,
  deadline: number,
): Promise<ModalView> {
  const {identities, services, refreshHome} = context;
  const {texts} = translation;
  try {
    const slackWorkspace = await identities.findSlackWorkspace(origin, deadline);
    const call = await identities.admit(slackWorkspace, user, deadline);
    const team = reference === undefined ? undefined : slackWorkspace.directory.byReference(reference);
    if (team === undefined) throw notFound('team');
    const idempotency = slackKey(call, 'setup-text', viewId, text);
    const input = {team: team.slug, update: text, source: 'slack'} as const;
    await services.standups.postStandup({...call, idempotency}, input).catch((error: unknown) => {
      throw nameTeamInRefusal(error, translation, slackWorkspace.directory);
    });
    refreshHome(origin, user);
    return presentWaitingText(
      texts,
      formatText(({where}) => texts.setup.posted({where: where(team)})),
      {text},
    );
  } catch (error) {
    const {sentence, uncertain} = explainError(context, error, texts);
    return presentWaitingText(
      texts,
      formatPlainSentence(uncertain ? sentence : texts.setup.notPosted({sentence})),
      {
        text,
        again: reference,
      },
    );
  }
}
