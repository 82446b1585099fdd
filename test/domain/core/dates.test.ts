import {describe, expect, it} from '@jest/globals';
import fc from 'fast-check';
import {
  addDays,
  createCalendar,
  dayNumber,
  isCalendarDate,
  isTimezone,
  toInstant,
} from '../../../src/domain/core/dates.js';

const days = fc
  .integer({min: 0, max: 36_524})
  .map((day) => new Date(Date.UTC(2000, 0, 1) + day * 86_400_000).toISOString().slice(0, 10));

describe('a calendar date', () => {
  it.each(['2026-11-23', '2024-02-29', '2000-02-29', '1999-12-31'])('is %s', (text) => {
    expect(isCalendarDate(text)).toBe(true);
  });

  it.each([
    '2026-02-29',
    '1900-02-29',
    '2026-04-31',
    '2026-00-10',
    '2026-13-01',
    '2026-1-1',
    '20261123',
    '2026-11-23T00:00',
    ' 2026-11-23',
    '+2026-11-23',
    '',
  ])('is not %j', (text) => {
    expect(isCalendarDate(text)).toBe(false);
  });

  it('is computed correctly across leap years and centuries', () => {
    fc.assert(
      fc.property(days, fc.integer({min: -400, max: 400}), (date, offset) => {
        expect(addDays(addDays(date, offset), -offset)).toBe(date);
        expect(addDays(date, 1) > date).toBe(true);
        expect(dayNumber(addDays(date, 1))).toBe(dayNumber(date) + 1);
      }),
    );
    expect(addDays('2024-02-28', 1)).toBe('2024-02-29');
    expect(addDays('2100-02-28', 1)).toBe('2100-03-01');
  });

  it('has a day number counted from 2000-01-01, which is 0 for earlier dates', () => {
    expect([dayNumber('2000-01-01'), dayNumber('2000-01-02'), dayNumber('1987-06-05')]).toEqual([0, 1, 0]);
  });
});

describe('the date in a time zone', () => {
  const {dayIn} = createCalendar();

  it.each([
    ['UTC', '2026-11-23T23:59:59.999Z', '2026-11-23'],
    ['Pacific/Kiritimati', '2026-11-23T10:00:00Z', '2026-11-24'],
    ['Pacific/Pago_Pago', '2026-11-23T10:59:59Z', '2026-11-22'],
    ['Asia/Kathmandu', '2026-11-23T18:15:00Z', '2026-11-24'],
    ['Asia/Kathmandu', '2026-11-23T18:14:59Z', '2026-11-23'],
    // Clocks go back at 01:00 UTC, and forward in March: both sides have the same date.
    ['Europe/Berlin', '2026-10-25T22:59:59Z', '2026-10-25'],
    ['Europe/Berlin', '2026-03-28T23:00:00Z', '2026-03-29'],
    // Samoa skipped 2011-12-30.
    ['Pacific/Apia', '2011-12-30T09:59:59Z', '2011-12-29'],
    ['Pacific/Apia', '2011-12-30T10:00:00Z', '2011-12-31'],
  ])('is, for %s at %s, %s', (timezone, at, day) => {
    expect(dayIn(timezone, Date.parse(at))).toBe(day);
  });
});

it('regression: a time zone has one formatter, whatever the case of its name', () => {
  const zone = 'America/Argentina/Buenos_Aires';
  const made = countFormatters(() => {
    const {dayIn} = createCalendar();
    for (let i = 0; i < zone.length; i += 1)
      for (const name of [
        zone.slice(0, i).toUpperCase() + zone.slice(i),
        zone.slice(0, i).toLowerCase() + zone.slice(i),
      ])
        expect(dayIn(name, Date.parse('2026-11-24T01:00:00Z'))).toBe('2026-11-23');
  });
  expect(made).toBe(1);
});

function countFormatters(run: () => void): number {
  const original = Intl.DateTimeFormat;
  let made = 0;
  Intl.DateTimeFormat = new Proxy(original, {
    construct(target, args: [string, Intl.DateTimeFormatOptions]) {
      made += 1;
      return new target(...args);
    },
  });
  try {
    run();
  } finally {
    Intl.DateTimeFormat = original;
  }
  return made;
}

describe('a time zone', () => {
  it.each(['UTC', 'Europe/Berlin', 'America/Argentina/Buenos_Aires', 'Etc/GMT+12'])('is %s', (name) => {
    expect(isTimezone(name)).toBe(true);
  });

  it.each(['', '+02:00', '-0800', 'Mars/Olympus', 'Europe', 'Europe/Berlin ', '2'])('is not %j', (name) => {
    expect(isTimezone(name)).toBe(false);
  });
});

it('an instant is formatted as RFC 3339 in UTC with milliseconds', () => {
  expect(toInstant(Date.UTC(2026, 10, 23, 9, 8, 7, 6))).toBe('2026-11-23T09:08:07.006Z');
});
