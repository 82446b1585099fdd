import type {ChatFailure, ChatResult, ChatRefusalReason, ChatRefusal} from './chat.js';

type Refused = Pick<ChatRefusal, 'reason'>;

/** True when the call's message does not exist; usually a person has removed it. */
export function isMessageGone(outcome: ChatResult<unknown>): boolean {
  return outcome.kind === 'refused' && outcome.reason === 'message-gone';
}

/** True when the first message of the thread does not exist. */
export function isThreadGone(outcome: ChatResult<unknown>): boolean {
  return outcome.kind === 'refused' && outcome.reason === 'thread-gone';
}

/** True when the message to be edited or removed does not exist. */
export function isMessageOrThreadGone(outcome: ChatResult<unknown>): boolean {
  return isMessageGone(outcome) || isThreadGone(outcome);
}

/** The reasons for which the chat refuses everything in a channel until a person acts. */
const closed: ReadonlySet<ChatRefusalReason> = new Set(['token', 'closed', 'permission', 'nowhere']);

export function isTemporaryRefusal({reason}: Refused): boolean {
  return closed.has(reason) || reason === 'held';
}

/** True when other messages to the same channel would be refused too. */
export function concernsChannel({reason}: Refused): boolean {
  return closed.has(reason);
}

/** True when a direct message was refused for this person only: other people of the workspace get theirs. */
export function concernsPerson({reason}: Refused): boolean {
  return reason === 'person' || reason === 'nowhere';
}

/** True if a refused search may be allowed later. A missing permission is not expected to be granted. */
export function mayLookLater(refused: Refused): boolean {
  return isTemporaryRefusal(refused) && refused.reason !== 'permission';
}

export function isSearchHopeless(failure: ChatFailure): boolean {
  return failure.kind === 'refused' && !mayLookLater(failure);
}
