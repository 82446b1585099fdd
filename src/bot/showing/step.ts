import type {Settlement} from './channel-work.js';
import type {Failure} from './chat.js';

/** The outcome of one message. */
export type Step =
  /** It stands there, and that is recorded. */
  | {readonly kind: 'there'; readonly ts: string}
  /** Nobody has posted it; its mark is gone. */
  | {readonly kind: 'absent'}
  /** The chat did not take it. `mark`: what has to become of its mark. Nothing is recorded yet. */
  | {readonly kind: 'failed'; readonly failure: Failure; readonly mark: Mark}
  /** It could not be found out whether it is there. Nothing is recorded yet. */
  | {readonly kind: 'unseen'; readonly failure: Failure; readonly token: string}
  /** Somebody else works on the channel, or it has to wait. */
  | {readonly kind: 'not-now'};

export type Mark = Pick<Settlement, 'token' | 'clear'>;

/** The fields of a mark. */
export const markFields: readonly string[] = ['sending', 'part'];

/** No error of the chat's: nothing it has answered told where the direct messages with a person stand. */
export const channelUnknown = 'channel_unknown';
