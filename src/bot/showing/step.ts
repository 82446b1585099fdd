import type {Settlement} from './channel-work.js';
import type {Failure} from './chat.js';

/** The outcome of one message. */
export type Step =
  /** It exists, and that is recorded. */
  | {readonly kind: 'there'; readonly ts: string}
  /** It was not posted; its mark is cleared. */
  | {readonly kind: 'absent'}
  /** The chat did not take it. `mark`: how its mark is to be recorded. Nothing is recorded yet. */
  | {readonly kind: 'failed'; readonly failure: Failure; readonly mark: Mark}
  /** Its existence could not be determined. Nothing is recorded yet. */
  | {readonly kind: 'unseen'; readonly failure: Failure; readonly token: string}
  /** Another process works on the channel, or it has to wait. */
  | {readonly kind: 'not-now'};

export type Mark = Pick<Settlement, 'token' | 'clear'>;

/** The fields of a mark. */
export const markFields: readonly string[] = ['sending', 'part'];

/** Our own code, not the chat's: no answer has revealed the channel of the direct messages with a person. */
export const channelUnknown = 'channel_unknown';
