import type {Failure, Outcome, RefusalReason, Refused} from './chat.js';

/** The message of the call is not there: as a rule since a person has removed it. */
export function isGone(outcome: Outcome<unknown>): boolean {
  return outcome.kind === 'refused' && outcome.reason === 'message-gone';
}

/** The message that a reply was to stand under is not there. */
export function isThreadGone(outcome: Outcome<unknown>): boolean {
  return outcome.kind === 'refused' && outcome.reason === 'thread-gone';
}

/** The message that was to be changed is not there any more. */
export function isAbsent(outcome: Outcome<unknown>): boolean {
  return isGone(outcome) || isThreadGone(outcome);
}

/** Nothing is taken in the channel before somebody acts. */
const closed: ReadonlySet<RefusalReason> = new Set(['token', 'closed', 'permission', 'nowhere']);

/** Whether what was refused may be taken later. */
export function mayPass({reason}: Pick<Refused, 'reason'>): boolean {
  return closed.has(reason) || reason === 'held';
}

/** Whether other messages to the same channel would be refused, too. */
export function concernsChannel({reason}: Pick<Refused, 'reason'>): boolean {
  return closed.has(reason);
}

/** Whether a direct message was refused for its person alone: others of the workspace get theirs. */
export function concernsPerson({reason}: Pick<Refused, 'reason'>): boolean {
  return reason === 'person' || reason === 'nowhere';
}

/**
 * Whether somebody may look later for what they may not look for now. A missing permission is no end that
 * one should wait for.
 */
export function mayLookLater(refused: Pick<Refused, 'reason'>): boolean {
  return mayPass(refused) && refused.reason !== 'permission';
}

/** Whether what was looked for is never found. */
export function isHidden(failure: Failure): boolean {
  return failure.kind === 'refused' && !mayLookLater(failure);
}
