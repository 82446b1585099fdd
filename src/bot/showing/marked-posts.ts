import {type SlackItem, formatSlackMessageField} from '../../domain/slack/slack-post.js';
import {type ChannelWork, computeMarkedTimeRange, type Settlement} from './channel-work.js';
import {
  type Chat,
  type ChatMessage,
  type FoundMessage,
  type ChatResult,
  type MessageReference,
  isThreadGone,
} from './chat.js';
import {
  type MessageKind,
  type DesiredMessage,
  channelUnknown,
  markFields,
  type Task,
  type MessageOutcome,
} from './kind.js';

/** Recorded for a message of unknown content. No content has this fingerprint, so the message is edited. */
export const unknownContent = '0';

export interface NumberedMessage<M extends ChatMessage> {
  readonly number: number;
  readonly want: DesiredMessage<M>;
  readonly next: Settlement['next'];
}

/** The refusal reported if the channel is unknown: without a channel we cannot search for a message. */
export const unknownChannel = {kind: 'refused', code: channelUnknown, reason: 'nowhere'} as const;

/** Posts a message at most once: by a mark and, if in doubt, a search. The caller records failures. */
export function createMarkedPosts<M extends ChatMessage>(
  {calls}: Chat<M>,
  {sendMarked, record, recordPosted}: ChannelWork,
) {
  async function postMarked<I extends SlackItem, R>(
    {kind, lease, item, found}: Task<I, R, M>,
    {number, want, parent, next}: NumberedMessage<M> & {parent: string | undefined},
  ): Promise<MessageOutcome> {
    const sent = await sendMarked(lease, item, {parent, part: number}, () =>
      calls.post(lease.channel, want.message, parent),
    );
    if (sent === undefined) return {kind: 'not-now'};
    const {token, result} = sent;
    if (result.kind !== 'done') {
      const isMarked = token !== undefined;
      const clear = isMarked && result.kind !== 'unknown' ? {clear: markFields} : {};
      return {kind: 'failed', failure: result, mark: {...(isMarked && {token}), ...clear}};
    }
    const {value} = result;
    await kind.noteShown?.(lease, found);
    const settlement = buildPostedMessageRecord(kind, found, {number, posted: value, want, token, next});
    const findTs = async () => {
      const now = await kind.find(lease, item);
      return now && kind.shownOf(now).parts.get(number)?.ts;
    };
    const isOurs = await recordPosted(lease, item, settlement, {...value, findTs});
    return isOurs ? {kind: 'there', ts: value.ts} : {kind: 'not-now'};
  }

  function buildPostedMessageRecord<I extends SlackItem, R>(
    kind: MessageKind<I, R, M>,
    found: R,
    step: Omit<NumberedMessage<M>, 'want'> & {
      posted: MessageReference & Partial<FoundMessage>;
      want: Omit<DesiredMessage<M>, 'message'>;
      token: string | undefined;
    },
  ): Settlement {
    const {number, posted, want, token, next} = step;
    const fields = kind.fieldsOf(number, want.shown);
    const more = kind.recordPosted?.(found, {number, posted, token}) ?? {};
    return {
      ...more,
      token,
      clear: [...markFields, 'failures', 'failed', ...fields.clear, ...(want.clear ?? [])],
      set: {[formatSlackMessageField('ts', number)]: posted.ts, ...fields.set, ...want.set, ...more.set},
      next,
      success: true,
    };
  }

  /** Searches the chat for the message of a call whose outcome is unknown, by the mark saved before the call. */
  async function searchMarked<I extends SlackItem, R>(
    task: Task<I, R, M>,
    token: string,
    next: Settlement['next'],
  ): Promise<MessageOutcome> {
    const {kind, lease, item, found} = task;
    const {sendingPart: number, parent} = kind.shownOf(found);
    const channel = await findMessageChannel(task);
    const scope = {thread: parent, ...computeMarkedTimeRange(token)};
    const seen: ChatResult<FoundMessage | undefined> =
      channel === undefined
        ? unknownChannel
        : await calls.find(channel, scope, (metadata) => kind.isOurs(found, number, metadata));
    if (seen.kind !== 'done' && !isThreadGone(seen)) return {kind: 'unseen', failure: seen, token};
    if (seen.kind !== 'done' || seen.value === undefined) {
      await record(lease, item, {token, clear: markFields, next});
      return {kind: 'absent'};
    }
    await kind.noteShown?.(lease, found);
    const {ts} = seen.value;
    const posted = {channel: channel ?? lease.channel, ...seen.value};
    const want = {shown: kind.readShown?.(seen.value) ?? unknownContent};
    await record(lease, item, buildPostedMessageRecord(kind, found, {number, posted, want, token, next}));
    return {kind: 'there', ts};
  }

  return {post: postMarked, look: searchMarked};
}

/** Returns the channel of an item's messages; undefined while unknown. */
export async function findMessageChannel<I extends SlackItem, R, M extends ChatMessage>({
  kind,
  lease,
  found,
}: Task<I, R, M>): Promise<string | undefined> {
  return kind.channelOf === undefined ? lease.channel : kind.channelOf(lease, found);
}
