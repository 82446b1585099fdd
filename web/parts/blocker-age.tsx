import {longDays} from './blocker-days.ts';
import styles from './blocker-age.module.css';

/** The age of a blocker as three segments, one filled per day; red from the third day. */
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
