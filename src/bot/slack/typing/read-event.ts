import {limits} from '../../../domain/core/limits.js';
import {countCodePoints} from '../../../domain/core/text.js';
import type {ConversationEvent} from '../../../service/slack/conversation-changes.js';
import {parseCommand} from '../../typed/parse-command.js';
import type {SlackNames} from '../rich-text/names.js';
import {extractPlainText} from '../shortcuts/message-text.js';

/** The fields of a `message` event that we read. Slack: https://docs.slack.dev/reference/events/message.im */
export interface MessageEvent {
  readonly channel?: string;
  readonly channel_type?: string;
  readonly subtype?: string;
  readonly user?: string;
  readonly bot_id?: string;
  readonly app_id?: string;
  readonly hidden?: boolean;
  readonly text?: string;
  readonly blocks?: unknown;
  readonly files?: readonly unknown[];
  readonly ts?: string;
  readonly thread_ts?: string;
  /** The author of the message that starts the thread. */
  readonly parent_user_id?: string;
  readonly edited?: {readonly ts?: string};
  readonly message?: MessageEvent;
  readonly previous_message?: MessageEvent;
  readonly deleted_ts?: string;
}

/** Returns a person's message as text, with its author; undefined for anything that no person typed. */
export function readEvent(
  event: MessageEvent,
  names: SlackNames,
): {readonly user: string; readonly heard: ConversationEvent} | undefined {
  const {channel, channel_type: type, subtype, ts} = event;
  if (type !== 'im' || channel === undefined || !hasValidFields(event)) return undefined;
  switch (subtype) {
    case 'message_changed': {
      const {message, previous_message: before} = event;
      const user = readPerson(message);
      const at = message?.edited?.ts;
      // Slack also sends an event when it has added link previews.
      if (user === undefined || message?.ts === undefined || at === undefined) return undefined;
      if (message.subtype === 'tombstone') return toDeletionEvent(channel, message.ts, user);
      if (before !== undefined && before.text === message.text) return undefined;
      const location = readLocation(channel, message);
      const text = readMessageText(message, names);
      const isLong = countCodePoints(text) > limits.update;
      return {
        user,
        heard: {
          kind: 'edited',
          key: `edit/${message.ts}/${at}`,
          ...location,
          ts: message.ts,
          at,
          text: isLong ? '' : text,
          unfit: isLong ? 'long' : undefined,
        },
      };
    }
    case 'message_deleted': {
      const {previous_message: before, deleted_ts: deleted} = event;
      const user = readPerson(before);
      const was = deleted ?? before?.ts;
      if (user === undefined || was === undefined) return undefined;
      return toDeletionEvent(channel, was, user, before);
    }
    default:
      return subtype !== undefined && notes.test(subtype)
        ? undefined
        : readTypedMessage(event, {channel, ts: ts ?? ''}, names);
  }
}

/** Slack's own notes. All other kinds contain typed text, such as `/me …`, so an unknown kind is read. */
export const notes =
  /^(?:app_|assistant_|bot_|channel_|document_|ekm_|group_|huddle_|joiner_|pinned_|unpinned_|reminder_|sh_room_|file_comment$|file_mention$|message_replied$|reply_broadcast$|tombstone$)/;

/** True if each field has its documented type. Otherwise the message could never be answered. */
export function hasValidFields(event: MessageEvent): boolean {
  const {channel, user, text, files, ts, thread_ts, deleted_ts, edited, message, previous_message} = event;
  const texts: unknown[] = [channel, user, text, event.parent_user_id];
  const times: unknown[] = [ts, thread_ts, deleted_ts, edited?.ts];
  const within: unknown[] = [edited, message, previous_message];
  return (
    texts.every((one) => one === undefined || one === null || typeof one === 'string') &&
    times.every((one) => one === undefined || (typeof one === 'string' && time.test(one))) &&
    within.every((one) => one === undefined || typeof one === 'object') &&
    (files === undefined || Array.isArray(files)) &&
    [message, previous_message].every((one) => !one || hasValidFields(one))
  );
}

const time = /^\d{1,12}\.\d{1,9}$/;

function toDeletionEvent(channel: string, ts: string, user: string, message: MessageEvent = {}) {
  return {user, heard: {kind: 'deleted', key: `gone/${ts}`, ...readLocation(channel, message), ts} as const};
}

function readTypedMessage(
  event: MessageEvent,
  {channel, ts}: {channel: string; ts: string},
  names: SlackNames,
) {
  const user = readPerson(event);
  if (user === undefined || ts === '') return undefined;
  const text = readMessageText(event, names);
  const isLong = countCodePoints(text) > limits.update;
  const heard: ConversationEvent = {
    kind: 'typed',
    key: ts,
    ...readLocation(channel, event),
    ts,
    // A text that is too long is not stored; it remains in the Slack conversation.
    text: isLong ? '' : text,
    unfit: isLong ? 'long' : findUnfitReason(text, event.files ?? []),
    attached: (event.files ?? []).length > 0,
    command: !isLong && text !== '' && parseCommand(text).kind !== 'update',
  };
  return {user, heard};
}

function findUnfitReason(text: string, files: readonly unknown[]): 'file' | 'empty' | 'emoji' | undefined {
  if (text === '') return files.length > 0 ? 'file' : 'empty';
  const letters = text.replaceAll(/:[a-z0-9_+'-]+:/g, '').replaceAll(/[^\p{L}\p{N}]/gu, '');
  return letters === '' && text !== '?' ? 'emoji' : undefined;
}

export function readPerson(message: MessageEvent | undefined): string | undefined {
  const isPerson =
    message?.bot_id === undefined && message?.app_id === undefined && message?.user !== 'USLACKBOT';
  return isPerson ? message?.user : undefined;
}

function readLocation(
  channel: string,
  {thread_ts: thread}: MessageEvent,
): {channel: string; thread?: string} {
  return {channel, ...(thread !== undefined && {thread})};
}

function readMessageText({text, blocks}: MessageEvent, names: SlackNames): string {
  return extractPlainText({text, blocks}, names);
}
