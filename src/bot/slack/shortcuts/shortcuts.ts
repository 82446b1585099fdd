import type {GlobalShortcut, MessageShortcut} from '@slack/bolt';
import {createPrivateMarkupAnswer} from '../blocks/blocks.js';
import {openForm} from '../form/open-form.js';
import {listenToShortcut} from '../core/listeners.js';
import type {SlackContext} from '../core/context.js';
import {shortcuts} from '../blocks/names.js';
import {findNamesWithin, isChannelName} from '../core/find-names.js';
import {cleanName, removeIsolates} from '../../texts/bidi.js';
import type {SlackNames} from '../rich-text/names.js';
import type {SlackTranslation} from '../blocks/slack-translation.js';
import {
  findMessageAuthor,
  cutTextWithMark,
  buildMessagePermalink,
  extractPlainText,
  type ShownMessage,
} from './message-text.js';

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

export interface MessagePayload {
  readonly message: ShownMessage;
  readonly channel: {readonly id: string; readonly name?: string};
  readonly team?: {readonly domain?: string} | null;
  readonly user: {readonly id: string; readonly name?: string; readonly username?: string};
}

/** The maximum length of an added message, which leaves room for the person's own text. */
const textLength = 2_500;

/** Returns the text that "Add to my standup" adds; undefined for a message without text. */
export function composeAddition(
  {texts}: SlackTranslation,
  {message, channel, team, user}: MessagePayload,
  known: SlackNames,
): string | undefined {
  const channelName = isChannelName(channel.name) ? cleanName(channel.name) : undefined;
  const names: SlackNames = {
    ...known,
    user: (id, given) =>
      known.user(id) ?? (id === user.id ? (user.name ?? user.username) : undefined) ?? given,
    channel: (id, given) => given ?? (id === channel.id ? channelName : known.channel(id)),
    domain: team?.domain,
  };
  const text = extractPlainText(message, names);
  if (text === '') return undefined;
  const {cut, cutWithoutLink} = texts.shortcuts;
  const link = buildMessagePermalink(team?.domain, channel.id, message);
  const author = findMessageAuthor(message, names);
  const shown = cutTextWithMark(text, textLength, link === undefined ? cutWithoutLink : cut);
  const origin = texts.text.addedFrom({
    author: author && cleanName(author),
    channel: channelName && `#${channelName}`,
    link,
  });
  // From here on, the text is the person's own: our marks that isolate directions must not be in it.
  const from = removeIsolates(origin);
  return from === '' ? shown : `${from}\n${shown}`;
}

/** True if not everyone in the workspace can read the message. */
function isPrivateMessage({channel: {id, name}}: MessagePayload): boolean {
  return !id.startsWith('C') || !isChannelName(name);
}
