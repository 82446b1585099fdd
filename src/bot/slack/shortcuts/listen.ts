import type {GlobalShortcut, MessageShortcut} from '@slack/bolt';
import {privatelyMarked} from '../blocks/blocks.js';
import {openForm} from '../form/open-form.js';
import {listenToShortcut} from '../door/listeners.js';
import type {Kit, Visit} from '../door/kit.js';
import {shortcuts} from '../blocks/names.js';
import {findNames} from '../rich-text/find-names.js';
import {givenNames, type SlackNames} from '../rich-text/names.js';
import {composeAddition, isPrivate} from './compose-addition.js';

/** The entries in Slack's own menus: the form from anywhere, and the form with a message in it. */
export function listenToShortcuts(kit: Kit): void {
  listenToShortcut<GlobalShortcut>(
    kit,
    {type: 'shortcut', callback_id: shortcuts.post},
    async (visit, _, answer) => {
      await answer();
      await openForm(kit, visit, {mode: 'auto'});
    },
  );

  listenToShortcut<MessageShortcut>(
    kit,
    {type: 'message_action', callback_id: shortcuts.addMessage},
    async (visit, shortcut, answer) => {
      await answer();
      const text = composeAddition(visit.reader, shortcut, await findNamesIn(kit, visit, shortcut));
      if (text === undefined) return answer(privatelyMarked(visit.reader.words.shortcuts.noText));
      await openForm(kit, visit, {
        mode: 'add',
        text,
        ...(isPrivate(shortcut) && {fromPrivate: true as const}),
      });
    },
  );
}

/** Names of members only, from the store: Slack is not asked before the form is open. */
async function findNamesIn(
  kit: Kit,
  {origin, reader: {words}}: Visit,
  {message}: MessageShortcut,
): Promise<SlackNames> {
  const deadline = performance.now() + kit.patience.names.shortcut;
  const named = [message.text, message['blocks'], {type: 'user', user_id: message.user}];
  const findPlace = () => kit.visitors.findPlace(origin, deadline);
  const asked = {words, deadline, inSlack: false} as const;
  return findNames(kit, findPlace, named, asked).catch(() => givenNames(words));
}
