import type {Settlement} from './channel-work.js';
import type {ChatFailure} from './chat.js';

/** The outcome of the step for one message. */
export type MessageOutcome =
  /** The message exists and is recorded. */
  | {readonly kind: 'there'; readonly ts: string}
  /** The message was not posted, and its mark is cleared. */
  | {readonly kind: 'absent'}
  /** The chat refused the message. `mark`: how to record the message's mark. Nothing is recorded yet. */
  | {readonly kind: 'failed'; readonly failure: ChatFailure; readonly mark: SettlementMark}
  /** It is unknown whether the message exists. Nothing is recorded yet. */
  | {readonly kind: 'unseen'; readonly failure: ChatFailure; readonly token: string}
  /** Nothing was done: another process works on the channel, or the channel has to wait. */
  | {readonly kind: 'not-now'};

export type SettlementMark = Pick<Settlement, 'token' | 'clear'>;

/** The fields of a record that contain a mark: the token of a call, saved before the call. */
export const markFields: readonly string[] = ['sending', 'part'];

/** Our own error code, not the chat's: we do not know the channel of the direct messages with this person. */
export const channelUnknown = 'channel_unknown';
