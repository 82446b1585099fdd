import type {App} from '@slack/bolt';
import {actions, fieldValue, shortcuts, teamFields, views} from '../blocks/names.js';

/**
 * Answers at once all requests from Slack that nothing else handles. Slack shows an error after 3 s without
 * an answer.
 */
export function answerUnhandledRequests(bolt: App): void {
  const unknownActions = new RegExp(`^(?!(?:${Object.values(actions).join('|')})(?::|$))`);
  bolt.action(unknownActions, async ({ack}) => ack());
  const unknownViews = new RegExp(`^(?!(?:${Object.values(views).join('|')})$)`);
  bolt.view({callback_id: unknownViews, type: 'view_submission'}, async ({ack}) => ack());
  bolt.view({callback_id: /^/, type: 'view_closed'}, async ({ack}) => ack());
  bolt.options<'block_suggestion'>({action_id: /^/}, async ({options, ack}) => {
    const isZone = options.block_id === teamFields.zone && options.action_id === fieldValue;
    if (!isZone) await ack({options: []});
  });
  const unknownShortcuts = new RegExp(`^(?!(?:${Object.values(shortcuts).join('|')})$)`);
  bolt.shortcut(unknownShortcuts, async ({ack}) => ack());
}
