import {callSession} from './session.ts';

/** The day of a reminder, as the holder of a link in its mail sees it. */
export interface ReminderDay {
  readonly member: string;
  readonly name: string;
  readonly date: string;
  readonly state: 'open' | 'snoozed' | 'skipped' | 'posted' | 'over';
  readonly teams: readonly string[];
  readonly until: string | null;
}

/** The mails that a link ends. */
export interface Subscription {
  readonly from: 'reminders' | 'daily' | 'weekly' | 'notices';
  readonly email: string;
  readonly active: boolean;
}

export type ReminderAct = {readonly look: true} | {readonly snooze: 30} | {readonly skip: true};

export function followReminder(token: string, act: ReminderAct): Promise<ReminderDay> {
  return callSession('POST', '/app/reminder', {token, ...act}) as Promise<ReminderDay>;
}

export function fetchSubscription(token: string): Promise<Subscription> {
  return callSession('POST', '/app/unsubscribe', {token}) as Promise<Subscription>;
}

export async function endSubscription(token: string): Promise<void> {
  await callSession('POST', `/app/unsubscribe/${encodeURIComponent(token)}`, {});
}
