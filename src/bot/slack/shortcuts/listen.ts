import type {GlobalShortcut, MessageShortcut} from '@slack/bolt';
import {createPrivateMarkupAnswer} from '../blocks/blocks.js';
import {openForm} from '../form/open-form.js';
import {listenToShortcut} from '../core/listeners.js';
import type {SlackContext} from '../core/context.js';
import {shortcuts} from '../blocks/names.js';
import {composeAddition, isPrivateMessage} from './compose-addition.js';
import {findNamesWithin} from '../core/find-names.js';

/** Listens to the entries in Slack's own menus: they open the form, empty or with the text of a message. */
export function listenToShortcuts(context: SlackContext): void {
  listenToShortcut<GlobalShortcut>(
    context,
    {type: 'shortcut', callback_id: shortcuts.post},
    async (request, _, answer) => {
      await answer();
      await openForm(context, request, {mode: 'auto'});
    },
  );

  listenToShortcut<MessageShortcut>(
    context,
    {type: 'message_action', callback_id: shortcuts.addMessage},
    async (request, shortcut, answer) => {
      await answer();
      const {message} = shortcut;
      const named = [message.text, message['blocks'], {type: 'user', user_id: message.user}];
      // Slack is not asked for names before the form is open.
      const names = await findNamesWithin(context, request, named, context.timeouts.names.shortcut, false);
      const text = composeAddition(request.translation, shortcut, names);
      if (text === undefined)
        return answer(createPrivateMarkupAnswer(request.translation.texts.shortcuts.noText));
      await openForm(context, request, {
        mode: 'add',
        text,
        ...(isPrivateMessage(shortcut) && {fromPrivate: true as const}),
      });
    },
  );
}
