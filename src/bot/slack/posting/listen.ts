import {privately} from '../blocks/blocks.js';
import {listenToButton} from '../door/listeners.js';
import type {Kit} from '../door/kit.js';
import {actions} from '../blocks/names.js';

/** The buttons of the message about a channel that shows nothing. That message itself shows the outcome. */
export function listenToPosting(kit: Kit): void {
  for (const action of [actions.tryAgain, actions.postAgain]) {
    listenToButton(
      kit,
      action,
      async ({visit, text}, answer) => {
        const deadline = kit.visitors.answerBy();
        await answer();
        const {workspace} = await kit.visitors.findPlace(visit.origin, deadline);
        await kit.services.slackTroubles.resume(workspace, text, deadline);
        await answer(privately(visit.reader.words.trouble.trying));
      },
      'view',
    );
  }
}
