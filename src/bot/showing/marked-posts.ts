import {type SlackItem, slackPartField} from '../../domain/slack/slack-post.js';
import {type ChannelWork, type Hold, markedWithin, type Settlement} from './channel-work.js';
import type {Chat, ChatMessage, FoundMessage, Outcome, Posted} from './chat.js';
import type {Kind, Want} from './kind.js';
import {isThreadGone} from './refusals.js';
import {channelUnknown, markFields, type Step} from './step.js';

/** Recorded for a message whose content is unknown: it is edited next. */
export const unknownContent = '0';

/** One message that should exist: its number, and what follows once it does. */
export interface Wanted<M extends ChatMessage> {
  readonly number: number;
  readonly want: Want<M>;
  readonly next: Settlement['next'];
}

/** Without the channel no search is possible. */
export const unknownChannel = {kind: 'refused', code: channelUnknown, reason: 'nowhere'} as const;

/** Posts one message, and finds out whether one exists. The caller records failures. */
export interface MarkedPosts<M extends ChatMessage> {
  /** Sends one message under a mark, and records it. */
  post: <I extends SlackItem, R>(
    kind: Kind<I, R, M>,
    hold: Hold,
    item: I,
    found: R,
    message: Wanted<M> & {readonly parent: string | undefined},
  ) => Promise<Step>;
  /** Searches for the message of a mark whose call has no known outcome. */
  look: <I extends SlackItem, R>(
    kind: Kind<I, R, M>,
    hold: Hold,
    item: I,
    found: R,
    mark: {readonly token: string; readonly next: Settlement['next']},
  ) => Promise<Step>;
}

export function createMarkedPosts<M extends ChatMessage>({
  chat: {calls},
  work: {sendMarked, record, recordPosted},
}: {
  readonly chat: Chat<M>;
  readonly work: ChannelWork;
}): MarkedPosts<M> {
  async function post<I extends SlackItem, R>(
    kind: Kind<I, R, M>,
    hold: Hold,
    item: I,
    found: R,
    {number, want, parent, next}: Wanted<M> & {parent: string | undefined},
  ): Promise<Step> {
    const sent = await sendMarked(hold, item, {parent, part: number}, () =>
      calls.post(hold.channel, want.message, parent),
    );
    if (sent === undefined) return {kind: 'not-now'};
    const {token, result} = sent;
    if (result.kind !== 'done') {
      const isMarked = token !== undefined;
      const clear = isMarked && result.kind !== 'unknown' ? {clear: markFields} : {};
      return {kind: 'failed', failure: result, mark: {...(isMarked && {token}), ...clear}};
    }
    const {value} = result;
    await kind.noteShown?.(hold, found);
    const settlement = settlementOf(kind, found, {number, posted: value, want, token, next});
    const findTs = async () => {
      const now = await kind.find(hold, item);
      return now && kind.shownOf(now).parts.get(number)?.ts;
    };
    const isOurs = await recordPosted(hold, item, settlement, {...value, findTs});
    return isOurs ? {kind: 'there', ts: value.ts} : {kind: 'not-now'};
  }

  /** The record of a posted message. `want`: the content it shows, if known. */
  function settlementOf<I extends SlackItem, R>(
    kind: Kind<I, R, M>,
    found: R,
    {
      number,
      posted,
      want,
      token,
      next,
    }: {
      number: number;
      posted: Posted & Partial<FoundMessage>;
      want: Pick<Want<M>, 'shown' | 'set' | 'clear'>;
      token: string | undefined;
      next: Settlement['next'];
    },
  ): Settlement {
    const fields = kind.fieldsOf(number, want.shown);
    const more = kind.recordPosted?.(found, {number, posted, token}) ?? {};
    return {
      ...more,
      token,
      clear: [...markFields, 'failures', 'failed', ...fields.clear, ...(want.clear ?? [])],
      set: {[slackPartField('ts', number)]: posted.ts, ...fields.set, ...want.set, ...more.set},
      next,
      success: true,
    };
  }

  async function look<I extends SlackItem, R>(
    kind: Kind<I, R, M>,
    hold: Hold,
    item: I,
    found: R,
    {token, next}: {token: string; next: Settlement['next']},
  ): Promise<Step> {
    const {sendingPart: number, parent} = kind.shownOf(found);
    const channel = await channelOf(kind, hold, found);
    const place = {thread: parent, ...markedWithin(token)};
    const seen: Outcome<FoundMessage | undefined> =
      channel === undefined
        ? unknownChannel
        : await calls.find(channel, place, (metadata) => kind.isOurs(found, number, metadata));
    if (seen.kind !== 'done' && !isThreadGone(seen)) return {kind: 'unseen', failure: seen, token};
    if (seen.kind !== 'done' || seen.value === undefined) {
      await record(hold, item, {token, clear: markFields, next});
      return {kind: 'absent'};
    }
    await kind.noteShown?.(hold, found);
    const {ts} = seen.value;
    const posted = {channel: channel ?? hold.channel, ...seen.value};
    const want = {shown: kind.readShown?.(seen.value) ?? unknownContent};
    await record(hold, item, settlementOf(kind, found, {number, posted, want, token, next}));
    return {kind: 'there', ts};
  }

  return {post, look};
}

/** The channel of an item's messages; undefined while unknown. */
export function channelOf<I extends SlackItem, R, M extends ChatMessage>(
  kind: Kind<I, R, M>,
  hold: Hold,
  found: R,
): Promise<string | undefined> {
  return kind.channelOf === undefined ? Promise.resolve(hold.channel) : kind.channelOf(hold, found);
}
