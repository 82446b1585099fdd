import type {Schema} from '../api/schema.ts';
import {dayOf} from '../words/format.ts';
import styles from './blocker-age.module.css';

/** The age in days from which a blocker is red: its third day. */
export const longDays = 2;

/** The number of midnights, by the viewer's clock, from raising a blocker to its resolution or now. */
export function daysOf(
  {created_at: raised, resolved_at: resolved}: Pick<Schema<'Blocker'>, 'created_at' | 'resolved_at'>,
  now: number,
): number {
  return Math.max(0, dayNumber(dayOf(resolved ?? now)) - dayNumber(dayOf(raised)));
}

/** Three segments, one filled per day; red from the third day. */
export function AgeBar({days}: {readonly days: number}) {
  const filled = Math.min(days, longDays) + 1;
  return (
    <span aria-hidden="true" className={styles['bar']} data-long={days >= longDays || undefined}>
      {[1, 2, 3].map((day) => (
        <span data-filled={day <= filled || undefined} key={day} />
      ))}
    </span>
  );
}

function dayNumber(date: string): number {
  return Math.round(Date.parse(`${date}T00:00:00Z`) / 86_400_000);
}
