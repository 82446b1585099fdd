import type {SlackItem} from '../../domain/slack/slack-post.js';
import type {ChannelLease, Settlement} from './channel-work.js';
import type {ChatMessage, ChatFailure, FoundMessage, FoundMetadata, MessageReference} from './chat.js';
import type {Policy} from './policies.js';
import type {MessageOutcome} from './step.js';

/** One message that exists in the chat. */
export interface MessagePart {
  readonly ts: string;
  /** The fingerprint of its content; undefined while unknown. */
  readonly shown: string | undefined;
  /** True when the wanted content differs only in parts beside the message's text. */
  readonly isSame?: (want: {readonly shown: string}) => boolean;
}

/** The messages of an item, as far as they are known. */
export interface PostingState {
  /** By number from 1. */
  readonly parts: ReadonlyMap<number, MessagePart>;
  /** The mark of a call that posts, until its outcome is known, and the number of its message. */
  readonly sending: string | undefined;
  readonly sendingPart: number;
  /** The root of the last message that was, or was to be, posted. */
  readonly parent: string | undefined;
  readonly failures: number;
  /** Why it is not shown, if that has been recorded. */
  readonly failed: string | undefined;
  /** A person has removed one of its messages: it gets no more. */
  readonly removed: boolean;
}

/** The `PostingState` of an item that takes one message. */
export function singleMessageState({
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

/** One message that should exist in the chat. */
export interface DesiredMessage<M extends ChatMessage> {
  readonly message: M;
  /** The fingerprint of its content. */
  readonly shown: string;
  /** Further fields that are set, and those that are cleared, once the message is posted. */
  readonly set?: Readonly<Record<string, string | number>>;
  readonly clear?: readonly string[];
  /** Recorded when a person has removed it and it is to be posted again. */
  readonly again?: Partial<Settlement>;
}

/** The messages that an item should show now. */
export type DesiredMessages<M extends ChatMessage> =
  /** Nothing is asked of the chat in this step. */
  | {readonly kind: 'record'; readonly settlement: Settlement}
  /** The step is already made and recorded. */
  | {readonly kind: 'done'}
  /** Removes one of its messages, then records `after`. */
  | {readonly kind: 'remove'; readonly number: number; readonly after: Settlement}
  | {
      readonly kind: 'messages';
      readonly messages: readonly DesiredMessage<M>[];
      /** When the item is due again after one of them is posted or edited. Default: at once. */
      readonly next?: Settlement['next'];
      /** Recorded when it ends without all of them. */
      readonly end: Partial<Settlement>;
      /** Runs when all messages are as they should be. */
      readonly finish: () => Promise<void>;
    };

/** Reports to the team of a channel that something is not shown there. */
export interface FailureReporter {
  /** Records it as the delivery problem of the channel; does nothing when no report is needed. */
  readonly note: (code: string, isLost: boolean) => Promise<void>;
  /** Emits an event, once. */
  readonly report: (code: string) => Promise<void>;
}

/** Describes how a kind of message is found, presented and recorded. `R`: its record. */
export interface MessageKind<I extends SlackItem, R, M extends ChatMessage> {
  readonly policy: (found: R) => Policy;
  /** Undefined when it was never wanted. */
  readonly find: (lease: ChannelLease, item: I) => Promise<R | undefined>;
  readonly shownOf: (found: R) => PostingState;
  /** True for the metadata of its message of that number. */
  readonly isOurs: (found: R, number: number, metadata: FoundMetadata | undefined) => boolean;
  readonly desire: (lease: ChannelLease, item: I, found: R) => Promise<DesiredMessages<M>>;
  /** The fields that record what a message shows. */
  readonly fieldsOf: (
    number: number,
    shown: string,
  ) => {readonly set: Readonly<Record<string, string | number>>; readonly clear: readonly string[]};
  /** Returns the fingerprint of a message that has been found; left out: it is unknown. */
  readonly readShown?: (found: FoundMessage) => string;
  /** The channel of its messages, if not the one that is worked on; undefined while unknown. */
  readonly channelOf?: (lease: ChannelLease, found: R) => Promise<string | undefined>;
  /** The thread of its messages. */
  readonly thread?: {
    /** Ensures that the root exists; undefined: the first message is the root. */
    readonly ensureRoot: (lease: ChannelLease, item: I, found: R) => Promise<MessageOutcome | undefined>;
    readonly rootOf: (found: R) => SlackItem;
    /** The root of the second and the further messages. */
    readonly of: (found: R) => string | undefined;
  };
  /** Recorded in addition once a message is posted. */
  readonly recordPosted?: (
    found: R,
    step: {readonly number: number; readonly posted: MessageReference; readonly token: string | undefined},
  ) => Partial<Settlement>;
  /** Runs before the success of a call is recorded. */
  readonly noteShown?: (lease: ChannelLease, found: R) => Promise<void>;
  /** True when the chat's answer is final, whatever waits are left. */
  readonly isFinal?: (failure: ChatFailure) => boolean;
  /** Runs before a failure is recorded. */
  readonly noteFailure?: (lease: ChannelLease, found: R, code: string) => Promise<void>;
  readonly failureReporter?: (lease: ChannelLease, item: I, found: R) => FailureReporter;
  /** Recorded in addition when the item is given up. */
  readonly recordLost?: (found: R) => Partial<Settlement>;
  /** Returns the next step when a search for a message is impossible, where it differs from the policy's. */
  readonly whenUnsure?: (
    lease: ChannelLease,
    found: R,
    token: string | undefined,
    failure: ChatFailure,
  ) => Promise<Settlement | undefined>;
}
