import {formatMoment, formatTimeSince, formatTime, type Instant, formatTimeWithDay} from '../texts/format.ts';
import {useNow} from './use-now.ts';

/** Shows a time of day, with the day unless it is `date`. `relative`: shows the time elapsed instead. */
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
        <RelativeTime instant={instant} />
      ) : date === undefined ? (
        formatTime(instant, zone)
      ) : (
        formatTimeWithDay(instant, date, zone)
      )}
    </time>
  );
}

function RelativeTime({instant}: {readonly instant: Instant}) {
  return formatTimeSince(instant, useNow(20_000));
}
