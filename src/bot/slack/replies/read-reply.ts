import type {SlackLocation} from '../../../domain/slack/known-message.js';
import {hasValidFields, type MessageEvent, notes, readPerson} from '../typing/read-event.js';

/** A person's reply in a thread of a channel, as Slack reports it. */
export type HeardReply = SlackLocation & {readonly thread: string | undefined} & (
    | {
        readonly kind: 'said';
        readonly thread: string;
        readonly user: string;
        /** Slack's time of the edit; empty for a reply that was not edited. */
        readonly editedAt: string;
        readonly message: MessageEvent;
      }
    | {readonly kind: 'deleted'}
  );

/**
 * Returns a reply that a person typed, edited or deleted below a message of the bot; undefined for anything else.
 * That is nearly all that is typed in a channel, so it costs no look-up. `bot`: the bot's user id.
 */
export function readReply(event: MessageEvent, bot: string | undefined): HeardReply | undefined {
  const {channel, channel_type: type, subtype} = event;
  if ((type !== 'channel' && type !== 'group') || channel === undefined || !hasValidFields(event))
    return undefined;
  if (subtype === 'message_changed') return readEdit(channel, event, bot);
  if (subtype === 'message_deleted') return readDeletion(channel, event, bot);
  return subtype !== undefined && notes.test(subtype) ? undefined : readSaid(channel, event, bot, '');
}

function readEdit(
  channel: string,
  {message, previous_message: before}: MessageEvent,
  bot: string | undefined,
) {
  const at = message?.edited?.ts;
  // Slack also sends an event when it has added link previews.
  if (message === undefined || at === undefined || before?.edited?.ts === at) return undefined;
  return message.subtype === 'tombstone' ? undefined : readSaid(channel, message, bot, at);
}

function readDeletion(
  channel: string,
  {previous_message: before, deleted_ts: deleted}: MessageEvent,
  bot: string | undefined,
): HeardReply | undefined {
  const ts = deleted ?? before?.ts;
  if (ts === undefined || (before !== undefined && !isReply(before, bot))) return undefined;
  return {kind: 'deleted', channel, ts, thread: before?.thread_ts};
}

function readSaid(
  channel: string,
  message: MessageEvent,
  bot: string | undefined,
  editedAt: string,
): HeardReply | undefined {
  const {ts, thread_ts: thread, text = ''} = message;
  const user = readPerson(message);
  if (user === undefined || ts === undefined || thread === undefined || !isReply(message, bot))
    return undefined;
  // A message that begins with the bot's name is a command, which mentions/ answers.
  if (bot !== undefined && text.trimStart().startsWith(`<@${bot}`)) return undefined;
  return {kind: 'said', channel, ts, thread, user, editedAt, message};
}

/** True for a reply by a person below a message of the bot, as far as the event says. */
function isReply(message: MessageEvent, bot: string | undefined): boolean {
  const {ts, thread_ts: thread, parent_user_id: parent} = message;
  const isOurs = bot === undefined || parent === undefined || parent === bot;
  return thread !== undefined && thread !== ts && isOurs && readPerson(message) !== undefined;
}
