import type {ChatFailure, ChatResult, ChatRefusalReason, ChatRefusal} from './chat.js';

/** True when the message of the call does not exist: as a rule a person has removed it. */
export function isGone(outcome: ChatResult<unknown>): boolean {
  return outcome.kind === 'refused' && outcome.reason === 'message-gone';
}

/** True when the root of a reply does not exist. */
export function isThreadGone(outcome: ChatResult<unknown>): boolean {
  return outcome.kind === 'refused' && outcome.reason === 'thread-gone';
}

/** True when the message that was to be changed no longer exists. */
export function isAbsent(outcome: ChatResult<unknown>): boolean {
  return isGone(outcome) || isThreadGone(outcome);
}

/** Refusals of everything in the channel, before a person acts. */
const closed: ReadonlySet<ChatRefusalReason> = new Set(['token', 'closed', 'permission', 'nowhere']);

/** True when the refused call may be taken later. */
export function isTemporaryRefusal({reason}: Pick<ChatRefusal, 'reason'>): boolean {
  return closed.has(reason) || reason === 'held';
}

/** True when other messages to the same channel would be refused, too. */
export function concernsChannel({reason}: Pick<ChatRefusal, 'reason'>): boolean {
  return closed.has(reason);
}

/** True when a direct message was refused for its person alone: others of the workspace get theirs. */
export function concernsPerson({reason}: Pick<ChatRefusal, 'reason'>): boolean {
  return reason === 'person' || reason === 'nowhere';
}

/** True when a refused search may be allowed later. A missing permission has no end to wait for. */
export function mayLookLater(refused: Pick<ChatRefusal, 'reason'>): boolean {
  return isTemporaryRefusal(refused) && refused.reason !== 'permission';
}

/** True when a search never succeeds. */
export function isHidden(failure: ChatFailure): boolean {
  return failure.kind === 'refused' && !mayLookLater(failure);
}
