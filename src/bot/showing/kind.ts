import type {SlackItem} from '../../domain/slack/slack-post.js';
import type {ChannelLease, Settlement} from './channel-work.js';
import type {ChatMessage, ChatFailure, FoundMessage, FoundMetadata, MessageReference} from './chat.js';
import type {Policy} from './policies.js';
import {createHash} from 'node:crypto';

export interface MessagePart {
  readonly ts: string;
  /** The fingerprint of the message's content; undefined while unknown. */
  readonly shown: string | undefined;
  /** Returns true if the wanted content has the same text as this message and differs only in other parts. */
  readonly isSame?: (want: {readonly shown: string}) => boolean;
}

/** The messages of one item, such as a standup or a report, that we know to exist. */
export interface PostingState {
  /** The posted messages, by number from 1. */
  readonly parts: ReadonlyMap<number, MessagePart>;
  /** The token saved before a post whose outcome is unknown, and the number of its message. */
  readonly sending: string | undefined;
  readonly sendingPart: number;
  /** The first message of the thread in which the last message was, or was to be, posted. */
  readonly parent: string | undefined;
  readonly failures: number;
  /** The reason why the item is not shown, if recorded. */
  readonly failed: string | undefined;
  /** True if a person has removed a message of the item: no more are posted. */
  readonly removed: boolean;
}

function toSingleMessageState({
  ts,
  shown,
  ...known
}: Pick<MessagePart, 'shown'> &
  Pick<PostingState, 'sending' | 'failures'> &
  Partial<Pick<PostingState, 'failed' | 'removed'>> & {readonly ts: string | undefined}): PostingState {
  const {sending, failures, failed, removed = false} = known;
  const parts = new Map(ts === undefined ? [] : [[1, {ts, shown}]]);
  return {parts, sending, sendingPart: 1, parent: undefined, failures, failed, removed};
}

export const singleMessage = {
  shownOf: toSingleMessageState,
  fieldsOf: (_number: number, shown: string) => ({set: {shown}, clear: []}),
};

export interface DesiredMessage<M extends ChatMessage> {
  readonly message: M;
  readonly shown: string;
  /** True if an edit has low priority, since only a detail has changed. */
  readonly behind?: boolean;
  /** Fields of the item's record that are set (`set`) or removed (`clear`) once the message is posted. */
  readonly set?: Readonly<Record<string, string | number>>;
  readonly clear?: readonly string[];
  /** The changes to record if a person has removed the message, before we post it again. */
  readonly again?: Partial<Settlement>;
}

export type DesiredMessages<M extends ChatMessage> =
  /** Records this result without a call to the chat. */
  | {readonly kind: 'record'; readonly settlement: Settlement}
  /** Does nothing, since the step has already been done and recorded. */
  | {readonly kind: 'done'}
  /** Removes one message of the item, then records `after`. */
  | {readonly kind: 'remove'; readonly number: number; readonly after: Settlement}
  | {
      readonly kind: 'messages';
      readonly messages: readonly DesiredMessage<M>[];
      /** The time of the item's next step after a message was posted or edited. Default: at once. */
      readonly next?: Settlement['next'];
      /** The changes to record if we stop posting although some of the item's messages are missing. */
      readonly end: Partial<Settlement>;
      /** Called when all messages of the item are up to date. */
      readonly finish: () => Promise<void>;
    };

/** Reports to a team that something cannot be shown in the team's channel. */
export interface FailureReporter {
  /** Records the failure as the channel's delivery problem, unless this failure needs no report. */
  readonly note: (code: string, isLost: boolean) => Promise<void>;
  /** Emits the event that reports the failure. A repeated call emits no second event. */
  readonly report: (code: string) => Promise<void>;
}

/** The rules for one kind of message: how we find, present and record it. `R`: the type of its record. */
export interface MessageKind<I extends SlackItem, R, M extends ChatMessage> {
  readonly policy: (found: R) => Policy;
  /** Returns the record of an item; undefined if the item never had anything to show. */
  readonly find: (lease: ChannelLease, item: I) => Promise<R | undefined>;
  readonly shownOf: (found: R) => PostingState;
  readonly isOurs: (found: R, number: number, metadata: FoundMetadata | undefined) => boolean;
  readonly desire: (lease: ChannelLease, item: I, found: R) => Promise<DesiredMessages<M>>;
  /** Returns the fields that record which content a message shows. */
  readonly fieldsOf: (
    number: number,
    shown: string,
  ) => {readonly set: Readonly<Record<string, string | number>>; readonly clear: readonly string[]};
  /** Returns the fingerprint of a message found in the chat. Without this function it counts as unknown. */
  readonly readShown?: (found: FoundMessage) => string;
  /** Returns the channel of the item's messages if not that of the lease; undefined while it is unknown. */
  readonly channelOf?: (lease: ChannelLease, found: R) => Promise<string | undefined>;
  readonly thread?: {
    /** Ensures that the thread's first message exists. Undefined: the item's own first message starts it. */
    readonly ensureRoot: (lease: ChannelLease, item: I, found: R) => Promise<MessageOutcome | undefined>;
    readonly rootOf: (found: R) => SlackItem;
    /** Returns the message under which all messages after the first are posted. */
    readonly of: (found: R) => string | undefined;
  };
  readonly recordPosted?: (
    found: R,
    step: {readonly number: number; readonly posted: MessageReference; readonly token: string | undefined},
  ) => Partial<Settlement>;
  /** Called before the success of a call is recorded. */
  readonly noteShown?: (lease: ChannelLease, found: R) => Promise<void>;
  /** Returns true if the chat's failure is final, so that no further attempt is made. */
  readonly isFinal?: (failure: ChatFailure, found: R) => boolean;
  /** Called before a failure is recorded. */
  readonly noteFailure?: (lease: ChannelLease, found: R, code: string) => Promise<void>;
  readonly failureReporter?: (lease: ChannelLease, item: I, found: R) => FailureReporter;
  /** Returns further fields to record when we stop trying to show the item. */
  readonly recordLost?: (found: R) => Partial<Settlement>;
  /** Decides what to record if a post may or may not have happened. Undefined: the policy decides. */
  readonly whenUnsure?: (
    lease: ChannelLease,
    found: R,
    token: string | undefined,
    failure: ChatFailure,
  ) => Promise<Settlement | undefined>;
}

/** One item of a channel, its record, and the rules of its kind. */
export interface Task<I extends SlackItem, R, M extends ChatMessage> {
  readonly kind: MessageKind<I, R, M>;
  readonly lease: ChannelLease;
  readonly item: I;
  readonly found: R;
}

export function hashContent(content: unknown): string {
  return createHash('sha256').update(JSON.stringify(content)).digest('base64url').slice(0, 22);
}

export type MessageOutcome =
  /** The message exists and is recorded. */
  | {readonly kind: 'there'; readonly ts: string}
  /** The message was not posted, and its mark (the token saved before the call) has been removed. */
  | {readonly kind: 'absent'}
  /** The chat refused the message. `mark`: the changes to record about its token. Nothing is recorded yet. */
  | {readonly kind: 'failed'; readonly failure: ChatFailure; readonly mark: SettlementMark}
  /** It is unknown whether the message exists. Nothing is recorded yet. */
  | {readonly kind: 'unseen'; readonly failure: ChatFailure; readonly token: string}
  /** Nothing was done: another process works on the channel, or the channel has to wait. */
  | {readonly kind: 'not-now'};

export type SettlementMark = Pick<Settlement, 'token' | 'clear'>;

/** The fields that describe a mark: the token saved before a call, and the number of its message. */
export const markFields: readonly string[] = ['sending', 'part'];

/** Our own error code for a direct message to a person whose channel we do not know. */
export const channelUnknown = 'channel_unknown';
