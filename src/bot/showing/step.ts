import type {Settlement} from './channel-work.js';
import type {ChatFailure} from './chat.js';

/** The outcome of one message. */
export type MessageOutcome =
  /** It exists, and that is recorded. */
  | {readonly kind: 'there'; readonly ts: string}
  /** It was not posted; its mark is cleared. */
  | {readonly kind: 'absent'}
  /** The chat did not take it. `mark`: how its mark is to be recorded. Nothing is recorded yet. */
  | {readonly kind: 'failed'; readonly failure: ChatFailure; readonly mark: SettlementMark}
  /** Its existence could not be determined. Nothing is recorded yet. */
  | {readonly kind: 'unseen'; readonly failure: ChatFailure; readonly token: string}
  /** Another process works on the channel, or it has to wait. */
  | {readonly kind: 'not-now'};

export type SettlementMark = Pick<Settlement, 'token' | 'clear'>;

/** The fields of a mark. */
export const markFields: readonly string[] = ['sending', 'part'];

/** Our own code, not the chat's: no answer has revealed the channel of the direct messages with a person. */
export const channelUnknown = 'channel_unknown';
