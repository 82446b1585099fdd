/** The states by which the list of mails is filtered. */
export const mailStates = ['queued', 'sent', 'failed', 'uncertain', 'dropped', 'kept'] as const;
export type MailStateName = (typeof mailStates)[number];

/** Whether a mail may have come back: only one that was sent can. */
export function mayBounce(state: string): boolean {
  return state === 'sent' || state === 'uncertain';
}
