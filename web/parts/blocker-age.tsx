import {longDays} from './blocker-days.ts';

const filledInForcedColours =
  'forced-color-adjust-none forced-colors:border-[CanvasText] forced-colors:bg-[CanvasText]';

/** The age of a blocker as three segments, one filled per day; red from the third day. */
export function AgeBar({days}: {readonly days: number}) {
  const filled = Math.min(days, longDays) + 1;
  const colour = days >= longDays ? 'border-missed bg-missed' : 'border-late bg-late';
  return (
    <span
      aria-hidden="true"
      className="grid h-2 w-19 grid-cols-3 gap-0.5"
      data-long={days >= longDays || undefined}
    >
      {[1, 2, 3].map((day) => (
        <span
          className={`rounded-[2px] border ${day <= filled ? `${colour} ${filledInForcedColours}` : 'border-edge'}`}
          key={day}
        />
      ))}
    </span>
  );
}
