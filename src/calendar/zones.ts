// Zone data, public holidays and calendar files: facts that code cannot know. No other folder may use the
// packages for them.
// Nothing here decides; services get these as parameters.
import {Temporal} from 'temporal-polyfill';
import {createCalendar} from '../domain/core/dates.js';
import type {Zones} from '../domain/core/zones.js';

/** The time between two changes of a zone's clocks: they show UTC plus `ahead` ms. */
interface OffsetPeriod {
  readonly from: number;
  /** The next change of its clocks; infinite when none is known. */
  readonly until: number;
  readonly ahead: number;
}

const hourMs = 3_600_000;
/** Further from UTC than any clock. */
const farthestMs = 26 * hourMs;
/** Caches are cleared when they exceed this: real use never needs so many years, or zones. */
const maxSpans = 100;
const maxZones = 2_000;

/**
 * Reads the platform's zone data through Temporal, whose calls take about 100 µs. A preview of a large team
 * needs ten thousand instants, but clocks change only twice a year. So Temporal is asked only for the
 * changes, which are kept.
 */
export function createZones(): Zones {
  const known = new Map<string, OffsetPeriod[]>();

  function offsetPeriodAt(timezone: string, ms: number): OffsetPeriod {
    // Names of zones ignore case.
    const name = timezone.toLowerCase();
    const spans = known.get(name) ?? [];
    const kept = spans.find(({from, until}) => from <= ms && ms < until);
    if (kept !== undefined) return kept;
    if (spans.length >= maxSpans) spans.length = 0;
    if (known.size >= maxZones) known.clear();
    known.set(name, spans);
    // From the start of a year, so that the spans of a zone overlap little, whichever instant is asked for
    // first.
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
      let span = offsetPeriodAt(timezone, shown - farthestMs);
      for (;;) {
        const instant = shown - span.ahead;
        // The clocks jumped over this time when this span began.
        if (instant < span.from) return span.from;
        if (instant < span.until) return instant;
        span = offsetPeriodAt(timezone, span.until);
      }
    },
    clockAt(timezone, ms) {
      const shown = new Date(ms + offsetPeriodAt(timezone, ms).ahead).toISOString();
      return {date: shown.slice(0, 10), time: shown.slice(11, 16)};
    },
  };
}

function readOffsetPeriod(timezone: string, from: number): OffsetPeriod {
  const start = Temporal.Instant.fromEpochMilliseconds(from).toZonedDateTimeISO(timezone);
  const change = start.getTimeZoneTransition('next');
  return {from, until: change?.epochMilliseconds ?? Infinity, ahead: start.offsetNanoseconds / 1e6};
}
