import {describe, expect, it} from '@jest/globals';
import {readCalendarFile} from '../../src/calendar/calendar-file.js';
import {measureCpuMs} from '../support/stopwatch.js';

const time = {from: '2025-01-01', until: '2031-12-31'};

function calendar(...events: (readonly string[])[]): string {
  const lines = events.flatMap((event) => ['BEGIN:VEVENT', ...event, 'END:VEVENT']);
  return ['BEGIN:VCALENDAR', 'VERSION:2.0', ...lines, 'END:VCALENDAR', ''].join('\r\n');
}

async function read(...events: (readonly string[])[]): Promise<Record<string, string>> {
  const found = await readCalendarFile(calendar(...events), time);
  if ('error' in found) throw new Error(found.error);
  return Object.fromEntries(found.days.map(({date, name}) => [date, name]));
}

async function errorOf(file: string): Promise<string> {
  const found = await readCalendarFile(file, time);
  return 'error' in found ? found.error : `no fault, ${found.days.length} days`;
}

const dates = async (...events: (readonly string[])[]) => Object.keys(await read(...events));

describe('the days off of an event', () => {
  it('exclude the end date of a whole-day event, and are one day if the event has no end', async () => {
    const bridge = ['DTSTART;VALUE=DATE:20261224', 'DTEND;VALUE=DATE:20261227', 'SUMMARY:Bridge\\, days'];
    expect(await read(bridge)).toEqual({
      '2026-12-24': 'Bridge, days',
      '2026-12-25': 'Bridge, days',
      '2026-12-26': 'Bridge, days',
    });
    expect(await dates(['DTSTART;VALUE=DATE:20261224'])).toEqual(['2026-12-24']);
    expect(await dates(['DTSTART;VALUE=DATE:20261224', 'DURATION:P2D'])).toEqual([
      '2026-12-24',
      '2026-12-25',
    ]);
  });

  it('are the full days from midnight to midnight in the event’s own time zone if it has times', async () => {
    const timed = (from: string, to: string) =>
      dates([`DTSTART;TZID=Pacific/Auckland:${from}`, `DTEND;TZID=Pacific/Auckland:${to}`]);
    expect(await timed('20261224T000000', '20261225T000000')).toEqual(['2026-12-24']);
    expect(await timed('20261224T000000', '20261224T235900')).toEqual(['2026-12-24']);
    expect(await timed('20261224T120000', '20261226T120000')).toEqual(['2026-12-25']);
    await expect(timed('20261224T090000', '20261224T170000')).rejects.toThrow(/no whole day off/);
  });

  it('are none if the event is cancelled', async () => {
    const kept = ['DTSTART;VALUE=DATE:20261226'];
    expect(await dates(['DTSTART;VALUE=DATE:20261224', 'STATUS:CANCELLED'], kept)).toEqual(['2026-12-26']);
  });

  it('are one day if the event ends on its start date', async () => {
    const day = ['DTSTART;VALUE=DATE:20261224', 'DTEND;VALUE=DATE:20261224'];
    expect(await dates(day)).toEqual(['2026-12-24']);
    expect(await dates(['DTSTART;VALUE=DATE:20261224', 'DURATION:PT0S'])).toEqual(['2026-12-24']);
  });

  it('are days in the time zone of X-WR-TIMEZONE if the event’s times are in UTC', async () => {
    const inZone = (zone: string) =>
      readCalendarFile(
        calendar(['DTSTART:20261223T230000Z', 'DTEND:20261224T230000Z', 'EXDATE:20251223T230000Z']).replace(
          'VERSION:2.0',
          `VERSION:2.0\r\nX-WR-TIMEZONE:${zone}`,
        ),
        time,
      );
    expect(await inZone('Europe/Berlin')).toEqual({days: [{date: '2026-12-24', name: 'Holiday'}]});
    expect(await inZone('UTC')).toEqual({error: expect.stringMatching(/no whole day off/)});
    expect(await inZone('Mars/Olympus')).toEqual({
      error: expect.stringMatching(/X-WR-TIMEZONE.*Mars\/Olympus/),
    });
  });

  it('are read from every calendar in the file', async () => {
    const two = [calendar(['DTSTART;VALUE=DATE:20261224']), calendar(['DTSTART;VALUE=DATE:20261226'])];
    expect(await errorOf(two.join(''))).toBe('no fault, 2 days');
  });
});

describe('a repeating event', () => {
  const founding = ['UID:a', 'DTSTART;VALUE=DATE:20200901', 'SUMMARY:Founding day'];

  it.each<[string, string[]]>([
    ['FREQ=YEARLY;UNTIL=20270901', ['2025-09-01', '2026-09-01', '2027-09-01']],
    ['FREQ=YEARLY;COUNT=7', ['2025-09-01', '2026-09-01']],
    ['FREQ=YEARLY;INTERVAL=5', ['2025-09-01', '2030-09-01']],
    ['FREQ=YEARLY;BYMONTH=11;BYDAY=4TH;COUNT=7', ['2025-11-27', '2026-11-26']],
    ['FREQ=YEARLY;BYMONTH=5;BYDAY=-1MO;COUNT=7', ['2025-05-26', '2026-05-25', '2027-05-31']],
    ['FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=24,31;COUNT=12', ['2025-12-24', '2025-12-31']],
    ['FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29', ['2028-02-29']],
  ])('is expanded for %s', async (rule, expected) => {
    expect(await dates([...founding, `RRULE:${rule}`])).toEqual(expected);
  });

  it('regression: gives no day off for an occurrence that is cancelled on its own', async () => {
    const cancelled = ['UID:a', 'STATUS:CANCELLED', 'RECURRENCE-ID;VALUE=DATE:20270901'];
    const found = await dates(
      [...founding, 'RRULE:FREQ=YEARLY;UNTIL=20280901'],
      [...cancelled, 'DTSTART;VALUE=DATE:20270901'],
    );
    expect(found).toEqual(['2025-09-01', '2026-09-01', '2028-09-01']);
  });

  it('is read even if its date lacks VALUE=DATE', async () => {
    expect(await dates(['DTSTART:20261224', 'DTEND:20261226'])).toEqual(['2026-12-24', '2026-12-25']);
  });

  it('omits dates that the file excludes or replaces, and includes dates that it adds', async () => {
    const more = ['RRULE:FREQ=YEARLY;UNTIL=20280901', 'EXDATE;VALUE=DATE:20260901'];
    const moved = [
      'UID:a',
      'RECURRENCE-ID;VALUE=DATE:20270901',
      'DTSTART;VALUE=DATE:20270906',
      'SUMMARY:Moved',
    ];
    const found = await read([...founding, ...more, 'RDATE;VALUE=DATE:20251001'], moved);
    expect(found).toEqual({
      '2025-09-01': 'Founding day',
      '2025-10-01': 'Founding day',
      '2027-09-06': 'Moved',
      '2028-09-01': 'Founding day',
    });
  });
});

describe('an error in a calendar file', () => {
  const event = (...lines: string[]) => calendar(['DTSTART;VALUE=DATE:20261224'], lines);
  it.each([
    ['hello', /BEGIN:VCALENDAR/],
    [calendar(), /no event/],
    [event('SUMMARY:No start'), /^line 6: the event that begins there has no DTSTART/],
    [event('DTSTART;VALUE=DATE:20261224', 'RRULE:FREQ=SECONDLY'), /^line 6: .*every year/],
    [event('DTSTART;VALUE=DATE:20261224', 'RRULE:FREQ=YEARLY;BYSETPOS=1;BYMONTH=1;BYDAY=MO'), /BYSETPOS/],
    [event('DTSTART;VALUE=DATE:20261224', 'RRULE:FREQ=YEARLY;BYDAY=MO'), /without a month/],
    [event('DTSTART;VALUE=DATE:20261224', 'RRULE:RSCALE=CHINESE;FREQ=YEARLY'), /^line 6: .*RSCALE/],
    [event('DTSTART;VALUE=DATE:20261224', 'RRULE:FREQ=YEARLY', ' ;X-MOON=FULL'), /^line 6: .*X-MOON/],
    [
      event('DTSTART;VALUE=DATE:20261224', 'RRULE:FREQ=YEARLY', 'RRULE:FREQ=YEARLY;BYMONTH=1'),
      /second RRULE/,
    ],
    [event('DTSTART;VALUE=DATE:20261224', 'EXRULE:FREQ=YEARLY'), /EXRULE/],
    [event('DTSTART;VALUE=DATE:20261224', 'DTSTART;VALUE=DATE:20261225'), /second DTSTART/],
    [
      event('DTSTART;VALUE=DATE:20261224', 'RDATE;VALUE=PERIOD:20261225T000000Z/P1D'),
      /RDATE with other values/,
    ],
    [
      event('UID:a', 'RECURRENCE-ID;RANGE=THISANDFUTURE;VALUE=DATE:20261224', 'DTSTART;VALUE=DATE:20261225'),
      /RANGE of RECURRENCE-ID/,
    ],
    [
      calendar(['DTSTART;VALUE=DATE:20260230', 'RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30']),
      /no whole day off/,
    ],
    [calendar(['DTSTART;VALUE=DATE:19990101']), /has no whole day off from 2025-01-01 to 2031-12-31/],
    [calendar(['DTSTART:20261224T090000', 'DTEND:20261224T100000']), /has no whole day off/],
    [event('DTSTART;VALUE=DATE:20260101', 'DTEND;VALUE=DATE:20270101'), /longer than 31 days/],
    [event('DTSTART;VALUE=DATE:20260101', 'DURATION:P999999999W'), /longer than 31 days/],
    [event('DTSTART;VALUE=DATE:20260101', 'this is no line of a calendar'), /line 8/],
  ])('is reported, with its line if it has one: case %#', async (file, expected) => {
    expect(await errorOf(file)).toMatch(expected);
  });

  it('is reported for more days than one file may have', async () => {
    const month = Array.from({length: 60}, (_, i) => {
      const year = 2025 + Math.floor(i / 12);
      return [`DTSTART;VALUE=DATE:${year}${String((i % 12) + 1).padStart(2, '0')}01`, 'DURATION:P28D'];
    });
    expect(await errorOf(calendar(...month))).toMatch(/at most 500/);
  });

  it('regression: is reported for a date that no parser accepts, instead of a 500', async () => {
    const file = calendar(['DTSTART;VALUE=DATE:20261224'], ['DTSTART:2026-12-24']);
    expect(await errorOf(file)).toMatch(/^line 6: the event that begins there cannot be read/);
  });

  it('regression: many events with old rules do not block the service', async () => {
    const old = ['UID:a', 'RECURRENCE-ID;VALUE=DATE:20270901', 'DTSTART;VALUE=DATE:00010101'];
    const rule = ['DTSTART;VALUE=DATE:00010101', 'RRULE:FREQ=YEARLY;INTERVAL=4;BYMONTH=1;BYDAY=1MO'];
    const counted = [...rule.slice(0, 1), `${rule[1]};COUNT=1000`];
    const many = (event: readonly string[]) => calendar(...Array.from({length: 200}, () => event));
    for (const file of [many(old), many(rule), many(counted)]) {
      // Each of these files once took tens of seconds.
      expect(await measureCpuMs(() => errorOf(file))).toBeLessThan(3_000);
    }
    expect(await errorOf(many(counted))).toMatch(/too often/);
    // The limit does not count days before the requested period.
    expect(await errorOf(many(rule))).toBe('no fault, 2 days');
  });

  it('is reported quickly for a rule that begins long ago and repeats too often', async () => {
    const old = ['DTSTART;VALUE=DATE:00010101', 'RRULE:FREQ=YEARLY;COUNT=9999;BYMONTH=1,2,3;BYDAY=MO,TU'];
    const ms = await measureCpuMs(async () => {
      expect(await errorOf(calendar(old))).toMatch(/too often/);
    });
    expect(ms).toBeLessThan(1_000);
  });
});

it('a holiday that begins in December each year includes its January days in the first year, too', async () => {
  const event = ['DTSTART;VALUE=DATE:20201230', 'DTEND;VALUE=DATE:20210103', 'RRULE:FREQ=YEARLY'];
  expect((await dates(event)).slice(0, 3)).toEqual(['2025-01-01', '2025-01-02', '2025-12-30']);
});
