import type {PendingReplies} from '../../../service/slack/typing.js';
import {errorCodeOf} from '../core/clients.js';
import type {SlackContext} from '../core/context.js';
import {createMetadata, hasMetadata} from '../../showing/metadata.js';
import {isKnownRefusal, classifySlackError} from '../core/slack-errors.js';
import {composeReply, nextMessagesToAnswer} from './compose-reply.js';
import type {Conversation, NextMessage, TypedMessage} from './typed-messages.js';

/** The timeout (ms) of one step of an answer, not counting Slack's own time. */
const stepMs = 1_500;
const inert = {parse: 'none', link_names: false, unfurl_links: false, unfurl_media: false} as const;
/** The number of messages searched for an answer whose sender recorded no outcome. */
const lookedAt = 100;

/** Answers in order, by one process at a time. After an error, Slack sends the unanswered message again. */
export async function answerPendingMessages(
  context: SlackContext,
  conversation: Conversation,
  first: PendingReplies,
): Promise<void> {
  const {typing} = context.services;
  const {user} = conversation.request;
  const within = () => ({
    ...conversation,
    call: {...conversation.call, deadline: performance.now() + stepMs},
  });
  let pending: PendingReplies | undefined = first;
  try {
    while (pending !== undefined) {
      const now = within();
      const due = nextMessagesToAnswer(pending.due);
      const last = due.at(-1);
      if (last === undefined) {
        pending = await typing.said(now.call, user.id, pending);
        continue;
      }
      const isSaid = pending.earlier !== undefined && (await hasAnswerArrived(conversation, last));
      const next: NextMessage = isSaid ? {} : await composeReply(context, now, pending.record, due);
      const shown = await sendAnswer(conversation, last, next, pending.record.draft?.summary).catch(
        (error: unknown) => {
          // An answer that Slack never accepts must not block the answers after it.
          if (!isRefused(error)) throw error;
          context.log.warn({code: errorCodeOf(error)}, 'Slack rejected an answer to a typed message');
          return undefined;
        },
      );
      pending = await typing.said(within().call, user.id, {...pending, due}, shown);
    }
  } catch (error) {
    if (pending !== undefined) await typing.release(within().call, user.id, pending).catch(() => {});
    throw error;
  }
}

function isRefused(error: unknown): boolean {
  const code = errorCodeOf(error);
  return isKnownRefusal(code) && classifySlackError(code) !== 'token';
}

interface At {
  readonly key: string;
  readonly channel: string;
  readonly thread?: string;
}

async function sendAnswer(
  {slackWorkspace: {client}}: Conversation,
  {key, channel, thread}: At,
  {message, summary, shows}: NextMessage,
  shown: {readonly channel: string; readonly ts: string} | undefined,
): Promise<{draft: string; channel: string; ts: string} | undefined> {
  const metadata = createMetadata('typed', {key});
  const shape = ({text, blocks}: TypedMessage) => ({text, blocks, metadata, ...inert});
  let isUpdated = false;
  if (summary !== undefined && shown !== undefined) {
    const {text, blocks} = summary;
    try {
      await client.chat.update({...shown, text, blocks, parse: 'none', link_names: false});
      isUpdated = true;
    } catch (error) {
      // A summary that was deleted is posted again.
      if (!isRefused(error)) throw error;
    }
  }
  const said = message ?? (isUpdated ? undefined : summary);
  if (said === undefined) return undefined;
  const posted = {channel, ...shape(said), ...(thread !== undefined && {thread_ts: thread})};
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- Slack's method, not a window's
  const {ts} = await client.chat.postMessage(posted);
  return shows === undefined || ts === undefined ? undefined : {draft: shows, channel, ts};
}

/** True if the answer has already arrived in Slack, although its sender did not record that. */
async function hasAnswerArrived(
  {slackWorkspace: {client}}: Conversation,
  {key, channel, thread}: At,
): Promise<boolean> {
  const query = {channel, limit: lookedAt, include_all_metadata: true};
  const {messages = []} =
    thread === undefined
      ? await client.conversations.history(query)
      : await client.conversations.replies({...query, ts: thread});
  return messages.some(({metadata}) => hasMetadata(metadata, 'typed', {key}));
}
