// test/calendar/: time zones, holidays and calendar files, compared with facts from independent sources.
import {describe, expect, it} from '@jest/globals';
import fc from 'fast-check';
import {createZones} from '../../src/calendar/zones.js';

const zones = createZones();
const minute = 60_000;

/** Every twelfth time zone, because the first lookup of a zone by `Intl` is slow. */
const someZones = Intl.supportedValuesOf('timeZone').filter((_, i) => i % 12 === 0);
const anyZone = fc.constantFrom(...someZones, 'Australia/Lord_Howe', 'Pacific/Apia', 'Africa/Casablanca');
const anyMinute = fc
  .integer({min: Date.UTC(2011, 0, 1) / minute, max: Date.UTC(2029, 0, 1) / minute})
  .map((count) => count * minute);

const formats = new Map<string, Intl.DateTimeFormat>();

/** The local time by `Intl`, which computes it from the zone data without Temporal. */
function platformClock(timeZone: string, ms: number): string {
  let format = formats.get(timeZone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('sv-SE', {timeZone, dateStyle: 'short', timeStyle: 'short'});
    formats.set(timeZone, format);
  }
  return format.format(ms);
}

function clock(timezone: string, ms: number): string {
  const {date, time} = zones.clockAt(timezone, ms);
  return `${date} ${time}`;
}

describe('the clocks of a time zone', () => {
  it('show what the clocks of Node.js show, in any zone at any minute', () => {
    fc.assert(
      fc.property(anyZone, anyMinute, (zone, ms) => {
        expect(clock(zone, ms)).toBe(platformClock(zone, ms));
        expect(zones.dayIn(zone, ms)).toBe(zones.clockAt(zone, ms).date);
      }),
      {numRuns: 100},
    );
  });

  it('show the same whatever times were looked up before, in any year', () => {
    const asked: [string, number][] = [];
    for (let year = 2040; year > 1970; year -= 3) {
      for (const zone of ['Europe/Berlin', 'America/Santiago']) asked.push([zone, Date.UTC(year, 6, 1)]);
    }
    const seen = () => asked.map(([zone, ms]) => clock(zone, ms));
    expect(seen()).toEqual(asked.map(([zone, ms]) => platformClock(zone, ms)));
    expect(seen()).toEqual(asked.map(([zone, ms]) => createZones().clockAt(zone, ms)).map(joined));
  });

  it('are exact to the second where the offset from UTC was not a whole number of minutes', () => {
    // Dublin Mean Time was 25 minutes and 21 seconds behind until 1916-05-15.
    expect(zones.clockAt('Europe/Dublin', Date.UTC(1910, 0, 1, 12, 25, 20))).toEqual({
      date: '1910-01-01',
      time: '11:59',
    });
  });
});

describe('the instant of a date and time in a time zone', () => {
  it('is the first instant at which clocks there show that date and time', () => {
    fc.assert(
      fc.property(anyZone, anyMinute, (zone, ms) => {
        const {date, time} = zones.clockAt(zone, ms);
        const instant = zones.instantOf(zone, date, time);
        expect(clock(zone, instant)).toBe(`${date} ${time}`);
        expect(instant).toBeLessThanOrEqual(ms);
        // If `ms` is later, clocks show this time twice. A clock goes back by 24 hours at most.
        if (instant < ms) expect(ms - instant).toBeLessThanOrEqual(24 * 60 * minute);
      }),
      {numRuns: 100},
    );
  });

  it('is the first minute after the gap if clocks there skip that date and time', () => {
    let gaps = 0;
    for (const zone of someZones) {
      for (const [date, time] of leftOut(zone, 2026)) {
        const instant = zones.instantOf(zone, date, time);
        expect([zone, clock(zone, instant - minute) < `${date} ${time}`]).toEqual([zone, true]);
        expect([zone, clock(zone, instant) > `${date} ${time}`]).toEqual([zone, true]);
        gaps += 1;
      }
    }
    expect(gaps).toBeGreaterThan(5);
  });

  it('is never earlier for a later date and time', () => {
    const times = fc.tuple(
      fc.integer({min: 0, max: 23}),
      fc.integer({min: 0, max: 59}),
      fc.integer({min: 0, max: 180}),
    );
    fc.assert(
      fc.property(anyZone, anyMinute, times, (zone, ms, [hour, min, later]) => {
        const start = Date.UTC(2000, 0, 1, hour, min) + Math.floor(ms / 86_400_000) * 86_400_000;
        const at = (shown: number) => {
          const text = new Date(shown).toISOString();
          return zones.instantOf(zone, text.slice(0, 10), text.slice(11, 16));
        };
        expect(at(start + later * minute)).toBeGreaterThanOrEqual(at(start));
      }),
      {numRuns: 100},
    );
  });
});

function joined({date, time}: {date: string; time: string}): string {
  return `${date} ${time}`;
}

/** Finds dates and times that the clocks of a time zone skip in a year, one for each skip, by `Intl`. */
function leftOut(zone: string, year: number): [string, string][] {
  const found: [string, string][] = [];
  const ahead = (ms: number) => Date.parse(`${platformClock(zone, ms).replace(' ', 'T')}:00Z`) - ms;
  const day = 24 * 60 * minute;
  const offsets = Array.from({length: 53}, (_, week) => ahead(Date.UTC(year, 0, 1) + week * 7 * day));
  for (const [week, offset] of offsets.entries()) {
    const next = offsets[week + 1];
    if (next === undefined || next <= offset) continue;
    let [from, to] = [Date.UTC(year, 0, 1) + week * 7 * day, Date.UTC(year, 0, 1) + (week + 1) * 7 * day];
    while (to - from > minute) {
      const middle = Math.floor((from + to) / 2 / minute) * minute;
      if (ahead(middle) === offset) from = middle;
      else to = middle;
    }
    const text = new Date(to + offset + 5 * minute).toISOString();
    found.push([text.slice(0, 10), text.slice(11, 16)]);
  }
  return found;
}
