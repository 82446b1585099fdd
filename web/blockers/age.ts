import {dayOf} from '../words/format.ts';
import type {Blocker} from './queries.ts';

/** From this many days on a blocker is red: its third day. */
export const longDays = 2;

/** How many midnights of this reader have passed since a blocker was raised, up to its end or now. */
export function daysOf({created_at: raised, resolved_at: resolved}: Blocker, now: number): number {
  return Math.max(0, dayNumber(dayOf(resolved ?? now)) - dayNumber(dayOf(raised)));
}

function dayNumber(date: string): number {
  return Math.round(Date.parse(`${date}T00:00:00Z`) / 86_400_000);
}
