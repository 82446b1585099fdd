import type {Settlement} from './channel-work.js';
import type {ChatFailure} from './chat.js';

/** The outcome of the step for one message. */
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
