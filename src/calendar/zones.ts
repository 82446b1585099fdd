// What calendars know that code cannot: zone data, public holidays, calendar files. The only folder that may use the packages for them.
// Nothing here decides; services are given these as parameters.
import {Temporal} from 'temporal-polyfill';
import {createCalendar} from '../domain/dates.js';
import type {Zones} from '../domain/zones.js';

/** Reads the zone data of the platform through Temporal. */
export function createZones(): Zones {
  return {
    ...createCalendar(),
    instantOf(timezone, date, time) {
      const wanted = Temporal.PlainDateTime.from(`${date}T${time}`);
      const earlier = wanted.toZonedDateTime(timezone, {disambiguation: 'earlier'});
      if (earlier.toPlainDateTime().equals(wanted)) return earlier.epochMilliseconds;
      // Before a gap: the next transition is its end.
      return (earlier.getTimeZoneTransition('next') ?? earlier).epochMilliseconds;
    },
    clockAt(timezone, ms) {
      const clock = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timezone).toPlainDateTime();
      return {date: clock.toPlainDate().toString(), time: clock.toPlainTime().toString().slice(0, 5)};
    },
  };
}
