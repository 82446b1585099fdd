import {formatMoment, formatSince, formatTime, type Instant} from '../words/format.ts';
import {useNow} from './use-now.ts';

/** A time of day, whole in its title. `relative` says how long ago something has happened, and keeps up. */
export function Stamp({
  instant,
  zone,
  relative = false,
}: {
  readonly instant: Instant;
  readonly zone?: string | undefined;
  readonly relative?: boolean | undefined;
}) {
  return (
    <time dateTime={new Date(instant).toISOString()} title={formatMoment(instant, zone)}>
      {relative ? <Relative instant={instant} /> : formatTime(instant, zone)}
    </time>
  );
}

function Relative({instant}: {readonly instant: Instant}) {
  return formatSince(instant, useNow(20_000));
}
