import {formatMoment, formatSince, formatTime, type Instant, formatOwnTime} from '../texts/format.ts';
import {useNow} from './use-now.ts';

/**
 * A time of day with the full date in its title; shows the day if it is not `date`. `relative` shows the time
 * since then, and updates it.
 */
export function Stamp({
  instant,
  zone,
  date,
  relative = false,
}: {
  readonly instant: Instant;
  readonly zone?: string | undefined;
  readonly date?: string | undefined;
  readonly relative?: boolean | undefined;
}) {
  return (
    <time dateTime={new Date(instant).toISOString()} title={formatMoment(instant, zone)}>
      {relative ? (
        <Relative instant={instant} />
      ) : date === undefined ? (
        formatTime(instant, zone)
      ) : (
        formatOwnTime(instant, date, zone)
      )}
    </time>
  );
}

function Relative({instant}: {readonly instant: Instant}) {
  return formatSince(instant, useNow(20_000));
}
