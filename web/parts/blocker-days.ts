import type {Schema} from '../api/schema.ts';
import {dateInZone} from '../texts/format.ts';
import {daysBetween} from './days.ts';

/** Age in days from which a blocker is red, that is from its third day. */
export const longDays = 2;

/** Number of midnights, by the viewer's clock, since a blocker was raised, until its resolution or now. */
export function countDaysOpen(
  {created_at: raised, resolved_at: resolved}: Pick<Schema<'Blocker'>, 'created_at' | 'resolved_at'>,
  now: number,
): number {
  return Math.max(0, daysBetween(dateInZone(raised), dateInZone(resolved ?? now)));
}
