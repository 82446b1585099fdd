// src/calendar/: data about time zones, public holidays and calendar files. Only this folder may use packages
// for them.
// Nothing here makes decisions; services get this data as parameters.
import {Temporal} from 'temporal-polyfill';
import {createCalendar} from '../domain/core/dates.js';
import type {Zones} from '../domain/core/zones.js';

/** A period without clock changes in a time zone. Its clocks show UTC plus `ahead` ms. */
interface OffsetPeriod {
  readonly from: number;
  /** The instant of the next clock change; infinite when none is known. */
  readonly until: number;
  readonly ahead: number;
}

const hourMs = 3_600_000;
/** A larger distance from UTC than that of any time zone. */
const farthestMs = 26 * hourMs;
/** The size at which a cache is cleared. Normal use never reaches it. */
const maxSpans = 100;
const maxZones = 2_000;

/**
 * Reads the platform's time zone data through Temporal, whose calls take about 100 µs. The preview of a large
 * team needs ten thousand instants. So Temporal is only asked for the clock changes, about two a year, and
 * the results are cached.
 */
export function createZones(): Zones {
  const known = new Map<string, OffsetPeriod[]>();

  function findOffsetPeriodAt(timezone: string, ms: number): OffsetPeriod {
    // Names of time zones ignore case.
    const name = timezone.toLowerCase();
    const spans = known.get(name) ?? [];
    const kept = spans.find(({from, until}) => from <= ms && ms < until);
    if (kept !== undefined) return kept;
    if (spans.length >= maxSpans) spans.length = 0;
    if (known.size >= maxZones) known.clear();
    known.set(name, spans);
    // The search starts at the beginning of a year, so that cached periods of a zone rarely overlap.
    let from = Date.UTC(new Date(ms).getUTCFullYear(), 0, 1);
    for (;;) {
      const span = readOffsetPeriod(timezone, from);
      spans.push(span);
      if (ms < span.until) return span;
      from = span.until;
    }
  }

  return {
    ...createCalendar(),
    instantOf(timezone, date, time) {
      const shown = Date.parse(`${date}T${time}:00Z`);
      let span = findOffsetPeriodAt(timezone, shown - farthestMs);
      for (;;) {
        const instant = shown - span.ahead;
        // The clocks skipped this time of day when this period began.
        if (instant < span.from) return span.from;
        if (instant < span.until) return instant;
        span = findOffsetPeriodAt(timezone, span.until);
      }
    },
    clockAt(timezone, ms) {
      const shown = new Date(ms + findOffsetPeriodAt(timezone, ms).ahead).toISOString();
      return {date: shown.slice(0, 10), time: shown.slice(11, 16)};
    },
  };
}

function readOffsetPeriod(timezone: string, from: number): OffsetPeriod {
  const start = Temporal.Instant.fromEpochMilliseconds(from).toZonedDateTimeISO(timezone);
  const change = start.getTimeZoneTransition('next');
  return {from, until: change?.epochMilliseconds ?? Infinity, ahead: start.offsetNanoseconds / 1e6};
}
