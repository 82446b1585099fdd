import {queryClient} from '../../api/queries.ts';
import {readQuery} from '../../api/read.ts';
import type {Schema} from '../../api/schema.ts';
import {send} from '../../api/send.ts';
import {readItem, storeItem} from '../../api/storage.ts';

export type OwnReminder = Schema<'OwnReminder'>;

export const ownReminderQuery = readQuery('getOwnReminder', '/v1/reminders/own', {});

/** The last snooze of a person in this browser. A change tells the other tabs to look again. */
export const snoozeKey = (person: string): string => `standup:snoozed:${person}`;

/** Puts the reminder off for 30 minutes, or as long as there is time to post. */
export async function snoozeReminder(person: string): Promise<OwnReminder> {
  const snoozed = await send('post', '/v1/reminders/snooze', {body: {minutes: 30}});
  queryClient.setQueryData(ownReminderQuery.queryKey, snoozed);
  storeItem(snoozeKey(person), snoozed.snoozed_until ?? '');
  for (const look of looks) look();
  return snoozed;
}

const looks = new Set<() => void>();

/** Calls the listener after a snooze in this tab. Returns a function that stops that. */
export function onSnooze(look: () => void): () => void {
  looks.add(look);
  return () => looks.delete(look);
}

/** The time (ms) of the last reminder that a tab of this browser has shown; 0 before the first. */
export function readShown(person: string): number {
  return Number(readItem(shownKey(person)) ?? 0);
}

export function storeShown(person: string, at: number): void {
  storeItem(shownKey(person), String(at));
}

const shownKey = (person: string): string => `standup:reminded:${person}`;
