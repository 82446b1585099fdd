import {privateAnswer} from '../blocks/blocks.js';
import {listenToButton} from '../core/listeners.js';
import type {SlackContext} from '../core/context.js';
import {actions} from '../blocks/names.js';

/** Listens to the buttons of the message about a channel that shows nothing, which shows the outcome. */
export function listenToPosting(context: SlackContext): void {
  for (const action of [actions.tryAgain, actions.postAgain]) {
    listenToButton(
      context,
      action,
      async ({request, text}, answer) => {
        const deadline = context.identities.answerBy();
        await answer();
        const {workspace} = await context.identities.findSlackWorkspace(request.origin, deadline);
        await context.services.slackTroubles.resume(workspace, text, deadline);
        await answer(privateAnswer(request.translation.texts.trouble.trying));
      },
      'view',
    );
  }
}
