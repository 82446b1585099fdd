import type {GlobalShortcut, MessageShortcut} from '@slack/bolt';
import {createPrivateMarkupAnswer} from '../blocks/blocks.js';
import {openForm} from '../form/open-form.js';
import {listenToShortcut} from '../core/listeners.js';
import type {SlackContext, SlackRequest} from '../core/context.js';
import {shortcuts} from '../blocks/names.js';
import {findNames} from '../core/find-names.js';
import {namesFromRequest, type SlackNames} from '../rich-text/names.js';
import {composeAddition, isPrivateMessage} from './compose-addition.js';

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
      const text = composeAddition(
        request.translation,
        shortcut,
        await findNamesIn(context, request, shortcut),
      );
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

/** Finds the names of members only, from our store: Slack is not asked before the form is open. */
async function findNamesIn(
  context: SlackContext,
  {origin, translation: {texts}}: SlackRequest,
  {message}: MessageShortcut,
): Promise<SlackNames> {
  const deadline = performance.now() + context.timeouts.names.shortcut;
  const named = [message.text, message['blocks'], {type: 'user', user_id: message.user}];
  const findSlackWorkspace = () => context.identities.findSlackWorkspace(origin, deadline);
  const asked = {texts, deadline, inSlack: false} as const;
  return findNames(context, findSlackWorkspace, named, asked).catch(() => namesFromRequest(texts));
}
