import type {Reader} from '../words/words.js';
import {authorOf, cutWithMark, permalinkOf, plainTextOf, type ShownMessage} from './message-text.js';

/** The parts of a message shortcut's payload that matter here. */
export interface MessagePayload {
  readonly message: ShownMessage;
  readonly channel: {readonly id: string};
  readonly team?: {readonly domain?: string} | null;
  readonly user: {readonly id: string; readonly name?: string; readonly username?: string};
}

/** Of a message's text so much is added: an input of Slack's holds 3,000, and the person wants to say something too. */
const textLength = 2_500;

/** What "Add to my standup" adds: where a message is from, then its text; undefined for a message that says nothing. */
export function composeAddition(
  {words}: Reader,
  {message, channel, team, user}: MessagePayload,
): string | undefined {
  const names = new Map([[user.id, user.name ?? user.username ?? user.id]]);
  const text = plainTextOf(message, names);
  if (text === '') return undefined;
  const {addedFrom, addedFromNobody, addedBy, cut, cutWithoutLink} = words.shortcuts;
  const link = permalinkOf(team?.domain, channel.id, message);
  const author = authorOf(message, names);
  const shown = cutWithMark(text, textLength, link === undefined ? cutWithoutLink : cut);
  const from =
    link === undefined
      ? author && addedBy(author)
      : author === undefined
        ? addedFromNobody(link)
        : addedFrom(author, link);
  return from === undefined ? shown : `${from}\n${shown}`;
}
