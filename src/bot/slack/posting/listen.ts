import type {BlockAction, ButtonAction} from '@slack/bolt';
import {privately} from '../blocks/blocks.js';
import {type Kit, originOf} from '../door/kit.js';
import {actions} from '../blocks/names.js';
import {explain} from '../door/refusals.js';

/** The buttons of the message that tells of a channel which shows nothing. That message itself says what has become of it. */
export function listenToPosting(kit: Kit): void {
  for (const id of [actions.tryAgain, actions.postAgain]) {
    kit.bolt.action<BlockAction<ButtonAction>>(
      {type: 'block_actions', action_id: id},
      async ({body, action, ack}) => {
        await kit.answering(ack, undefined, async (answer) => {
          const deadline = kit.visitors.answerBy();
          await answer();
          const origin = originOf(body);
          const reader = kit.visitors.readerOf(origin, {id: body.user.id, name: ''});
          let sentence: string = reader.words.trouble.trying;
          try {
            const {workspace} = await kit.visitors.findPlace(origin, deadline);
            await kit.services.slackTroubles.resume(workspace, action.value ?? '', deadline);
          } catch (error) {
            ({sentence} = explain(error, kit.log, kit.drawReference(), reader.words));
          }
          await kit.respondTo(body.response_url, {...privately(sentence), replace_original: false});
        });
      },
    );
  }
}
