import {privateAnswer} from '../blocks/blocks.js';
import {listenToButton} from '../core/listeners.js';
import {admitRequester} from '../core/requester.js';
import type {SlackContext} from '../core/context.js';
import {actions} from '../blocks/names.js';

/** Listens to the buttons of the message about a channel that shows nothing, which shows the outcome. */
export function listenToPosting(context: SlackContext): void {
  for (const action of [actions.tryAgain, actions.postAgain]) {
    listenToButton(
      context,
      action,
      async ({request, text}, answer) => {
        await answer();
        const deadline = context.identities.answerBy();
        const {call} = await admitRequester(context, request, deadline);
        // The message is also for authors, who may not lead the team, if nobody else can be told.
        await context.services.slackTroubles.resume(call.workspace, text, deadline);
        await answer(privateAnswer(request.translation.texts.trouble.trying));
      },
      'view',
    );
  }
}
