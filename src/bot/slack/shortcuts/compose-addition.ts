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
  const channelName = formatChannelName(channel);
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
  // The text from here on is the person's own. None of it may contain the marks that isolate the direction of
  // our text.
  const from = removeIsolates(origin);
  return from === '' ? shown : `${from}\n${shown}`;
}

/** The names that Slack sends for channels without a visible name. */
const nameless: ReadonlySet<string> = new Set(['directmessage', 'privategroup']);

/** True if not everyone in the workspace can read the message. */
export function isPrivateMessage({channel: {id, name}}: MessagePayload): boolean {
  return !id.startsWith('C') || name === undefined || nameless.has(name) || name.startsWith('mpdm-');
}

function formatChannelName({name}: MessagePayload['channel']): string | undefined {
  return name === undefined || nameless.has(name) || name.startsWith('mpdm-') ? undefined : cleanName(name);
}
