// Compares openings, reminders and closings of runs with times written by hand from public data about each
// time zone: its abbreviation, its offset and its clock changes. `PRINT_CLOCKS=1` prints the results.
import {afterAll, describe, expect, it} from '@jest/globals';
import fc from 'fast-check';
import {createZones} from '../../../src/calendar/zones.js';
import {addDays, type Weekday, weekdays} from '../../../src/domain/core/dates.js';
import {
  completeSchedule,
  isRunDay,
  findNextRunDay,
  type Schedule,
  runWindowOf,
} from '../../../src/domain/schedules/schedule.js';

const zones = createZones();
const minute = 60_000;
const day = 24 * 60 * minute;

const everyDay: Schedule = {
  frequency: 'weekly',
  interval: 1,
  days: weekdays,
  opens: '09:00',
  closes: '10:00',
  reminders: [],
  clock: 'team',
  starts_on: '2000-01-03',
};

/** Zone, date, local time of the opening, the expected instant, and its reason. */
type ClockCase = readonly [zone: string, date: string, time: string, expected: string, why: string];

const edges: readonly ClockCase[] = [
  ['Europe/Berlin', '2026-03-28', '02:30', '2026-03-28T01:30Z', 'CET'],
  ['Europe/Berlin', '2026-03-29', '01:59', '2026-03-29T00:59Z', 'last minute of CET'],
  ['Europe/Berlin', '2026-03-29', '02:00', '2026-03-29T01:00Z', 'left out: 03:00 CEST'],
  ['Europe/Berlin', '2026-03-29', '02:30', '2026-03-29T01:00Z', 'left out: 03:00 CEST'],
  ['Europe/Berlin', '2026-03-29', '03:00', '2026-03-29T01:00Z', 'first minute of CEST'],
  ['Europe/Berlin', '2026-03-29', '09:00', '2026-03-29T07:00Z', 'CEST'],
  ['Europe/Berlin', '2026-10-24', '09:00', '2026-10-24T07:00Z', 'CEST'],
  ['Europe/Berlin', '2026-10-25', '02:30', '2026-10-25T00:30Z', 'twice: the first, CEST'],
  ['Europe/Berlin', '2026-10-25', '03:00', '2026-10-25T02:00Z', 'CET'],
  ['Europe/Berlin', '2026-10-25', '09:00', '2026-10-25T08:00Z', 'CET'],
  ['Europe/Dublin', '2026-03-29', '01:30', '2026-03-29T01:00Z', 'left out: 02:00 IST, its standard time'],
  ['Europe/Dublin', '2026-10-25', '01:30', '2026-10-25T00:30Z', 'twice: the first, IST'],
  ['America/New_York', '2026-03-07', '09:00', '2026-03-07T14:00Z', 'EST'],
  ['America/New_York', '2026-03-08', '02:30', '2026-03-08T07:00Z', 'left out: 03:00 EDT'],
  ['America/New_York', '2026-03-08', '09:00', '2026-03-08T13:00Z', 'EDT'],
  ['America/New_York', '2026-11-01', '01:30', '2026-11-01T05:30Z', 'twice: the first, EDT'],
  ['America/New_York', '2026-11-01', '02:00', '2026-11-01T07:00Z', 'EST'],
  ['Australia/Sydney', '2026-04-04', '09:00', '2026-04-03T22:00Z', 'AEDT'],
  ['Australia/Sydney', '2026-04-05', '02:30', '2026-04-04T15:30Z', 'twice: the first, AEDT'],
  ['Australia/Sydney', '2026-04-05', '09:00', '2026-04-04T23:00Z', 'AEST'],
  ['Australia/Sydney', '2026-10-04', '02:30', '2026-10-03T16:00Z', 'left out: 03:00 AEDT'],
  ['Australia/Sydney', '2026-10-04', '09:00', '2026-10-03T22:00Z', 'AEDT'],
  ['America/Santiago', '2026-04-04', '23:30', '2026-04-05T02:30Z', 'twice, across midnight: the first, -03'],
  ['America/Santiago', '2026-04-05', '00:00', '2026-04-05T04:00Z', '-04'],
  ['America/Santiago', '2026-09-06', '00:30', '2026-09-06T04:00Z', 'left out, at midnight: 01:00 -03'],
  ['America/Santiago', '2026-09-06', '09:00', '2026-09-06T12:00Z', '-03'],
];

const oddities: readonly ClockCase[] = [
  ['Australia/Lord_Howe', '2026-04-05', '01:45', '2026-04-04T14:45Z', 'twice within half an hour: +11'],
  ['Australia/Lord_Howe', '2026-04-05', '02:00', '2026-04-04T15:30Z', '+10:30'],
  ['Australia/Lord_Howe', '2026-10-04', '02:15', '2026-10-03T15:30Z', 'half an hour left out: 02:30 +11'],
  ['Australia/Lord_Howe', '2026-10-04', '02:30', '2026-10-03T15:30Z', '+11'],
  ['Antarctica/Troll', '2026-03-29', '02:30', '2026-03-29T01:00Z', 'two hours left out: 03:00 +02'],
  ['Antarctica/Troll', '2026-10-25', '01:30', '2026-10-24T23:30Z', 'twice within two hours: +02'],
  ['Pacific/Kiritimati', '2026-11-23', '00:30', '2026-11-22T10:30Z', '+14: yesterday in UTC'],
  ['Pacific/Kiritimati', '2026-11-23', '23:30', '2026-11-23T09:30Z', '+14'],
  ['Pacific/Pago_Pago', '2026-11-23', '00:30', '2026-11-23T11:30Z', 'SST, -11'],
  ['Pacific/Pago_Pago', '2026-11-23', '23:30', '2026-11-24T10:30Z', 'SST, -11: tomorrow in UTC'],
  ['Asia/Kolkata', '2026-11-23', '09:00', '2026-11-23T03:30Z', 'IST, +05:30'],
  ['Asia/Kathmandu', '2026-11-23', '09:00', '2026-11-23T03:15Z', '+05:45'],
  ['America/St_Johns', '2026-03-08', '02:30', '2026-03-08T05:30Z', 'left out: 03:00 NDT, -02:30'],
  ['America/St_Johns', '2026-11-01', '01:30', '2026-11-01T04:00Z', 'twice: the first, NDT'],
  ['Australia/Adelaide', '2026-04-05', '02:30', '2026-04-04T16:00Z', 'twice: the first, ACDT, +10:30'],
  ['Australia/Adelaide', '2026-10-04', '02:30', '2026-10-03T16:30Z', 'left out: 03:00 ACDT'],
  ['Pacific/Chatham', '2026-09-27', '03:00', '2026-09-26T14:00Z', 'left out: 03:45 +13:45'],
  ['Africa/Cairo', '2026-04-24', '00:15', '2026-04-23T22:00Z', 'left out, at midnight: 01:00 EEST'],
  ['Asia/Beirut', '2026-03-29', '00:00', '2026-03-28T22:00Z', 'left out, at midnight: 01:00 EEST'],
  ['America/Havana', '2026-03-08', '00:30', '2026-03-08T05:00Z', 'left out, at midnight: 01:00 CDT'],
  ['America/Havana', '2026-11-01', '00:30', '2026-11-01T04:30Z', 'twice: the first, CDT'],
  ['Pacific/Apia', '2011-12-29', '09:00', '2011-12-29T19:00Z', '-10'],
  [
    'Pacific/Apia',
    '2011-12-30',
    '09:00',
    '2011-12-30T10:00Z',
    'the day was left out: 00:00 of the day after, +14',
  ],
  ['Pacific/Apia', '2011-12-31', '09:00', '2011-12-30T19:00Z', '+14'],
];

const rules: readonly ClockCase[] = [
  ['America/Sao_Paulo', '2018-11-04', '00:30', '2018-11-04T03:00Z', 'left out in its last summer: 01:00 -02'],
  ['America/Sao_Paulo', '2019-11-03', '00:30', '2019-11-03T03:30Z', 'no summer time since 2019: -03'],
  ['America/Sao_Paulo', '2026-12-01', '09:00', '2026-12-01T12:00Z', '-03'],
  ['Asia/Almaty', '2024-02-29', '09:00', '2024-02-29T03:00Z', '+06 for the last time'],
  ['Asia/Almaty', '2024-02-29', '23:30', '2024-02-29T17:30Z', 'twice: the first, +06'],
  ['Asia/Almaty', '2024-03-01', '09:00', '2024-03-01T04:00Z', '+05 from then on'],
  ['America/Ciudad_Juarez', '2022-11-29', '09:00', '2022-11-29T15:00Z', 'CST, for one month'],
  ['America/Ciudad_Juarez', '2022-11-29', '23:30', '2022-11-30T05:30Z', 'twice: the first, CST'],
  ['America/Ciudad_Juarez', '2022-12-01', '09:00', '2022-12-01T16:00Z', 'MST, as El Paso has it'],
  ['America/Ciudad_Juarez', '2023-03-12', '02:30', '2023-03-12T09:00Z', 'left out as in El Paso: 03:00 MDT'],
  [
    'America/Asuncion',
    '2025-07-01',
    '09:00',
    '2025-07-01T12:00Z',
    'summer time all the year since 2024: -03',
  ],
  ['Africa/Casablanca', '2026-02-16', '09:00', '2026-02-16T09:00Z', 'Ramadan: +00'],
  ['Africa/Casablanca', '2026-03-23', '09:00', '2026-03-23T08:00Z', 'after it: +01'],
];

const printed: string[] = [];

function check(...[zone, date, time, expected, why]: ClockCase): void {
  const seen = runWindowOf({...everyDay, opens: time, closes: '23:59'}, date, zone, zones).opens;
  const text = new Date(seen).toISOString().replace(':00.000Z', 'Z');
  printed.push(`| ${[zone, date, time, expected, text, why].join(' | ')} |`);
  expect(text).toBe(expected);
}

describe('a run opens by local time', () => {
  describe('at the start and end of summer time, in both hemispheres', () => {
    it.each(edges)('the run in %s on %s at %s opens at %s (%s)', check);
  });

  describe('at changes by half an hour, at the date line, at midnight, and on a skipped day', () => {
    it.each(oddities)('the run in %s on %s at %s opens at %s (%s)', check);
  });

  describe('by the rules of a time zone that has changed them', () => {
    it.each(rules)('the run in %s on %s at %s opens at %s (%s)', check);
  });
});

afterAll(() => {
  if (process.env['PRINT_CLOCKS'] === undefined) return;
  const head = '| zone | date | local time | expected | seen | why |\n|---|---|---|---|---|---|';
  process.stdout.write(`\n${head}\n${printed.join('\n')}\n`);
});

describe('a run that crosses midnight', () => {
  const night: Schedule = {...everyDay, opens: '22:00', closes: '06:00', reminders: [300, 30]};
  const instants = (zone: string, date: string) => {
    const {opens, closes, reminders} = runWindowOf(night, date, zone, zones);
    return [opens, ...reminders, closes].map((ms) => new Date(ms).toISOString().slice(0, 16));
  };

  it('closes by local time of the next day, an hour sooner if an hour is skipped in between', () => {
    expect(instants('Europe/Berlin', '2026-03-28')).toEqual([
      '2026-03-28T21:00',
      '2026-03-28T23:00',
      '2026-03-29T03:30',
      '2026-03-29T04:00',
    ]);
  });

  it('closes an hour later if an hour occurs twice', () => {
    expect(instants('Australia/Sydney', '2026-04-04')).toEqual([
      '2026-04-04T11:00',
      '2026-04-04T15:00',
      '2026-04-04T19:30',
      '2026-04-04T20:00',
    ]);
  });

  it('closes correctly if the offset of the time zone changes in between', () => {
    expect(instants('Asia/Almaty', '2024-02-29')).toEqual([
      '2024-02-29T16:00',
      '2024-02-29T20:00',
      '2024-03-01T00:30',
      '2024-03-01T01:00',
    ]);
  });
});

describe('the time window of a run', () => {
  it.each([
    ['Europe/Berlin', '2026-03-29', '02:10', '02:50', '2026-03-29T01:00Z'],
    ['America/Santiago', '2026-09-06', '00:10', '00:50', '2026-09-06T04:00Z'],
    ['Antarctica/Troll', '2026-03-29', '01:10', '01:50', '2026-03-29T01:00Z'],
    ['Africa/Cairo', '2026-04-24', '00:10', '00:50', '2026-04-23T22:00Z'],
  ])('regression: keeps its length if clocks skip all of it: %s', (zone, date, opens, closes, from) => {
    const gap = {...everyDay, opens, closes, reminders: [30, 5]};
    const start = Date.parse(from);
    const end = start + 40 * minute;
    const reminders = [end - 30 * minute, end - 5 * minute];
    expect(runWindowOf(gap, date, zone, zones)).toEqual({opens: start, closes: end, reminders});
  });

  it('regression: keeps its length if it closes at the end of skipped time', () => {
    const gap = {...everyDay, opens: '02:10', closes: '03:00', reminders: []};
    const {opens, closes} = runWindowOf(gap, '2026-03-29', 'Europe/Berlin', zones);
    expect(closes - opens).toBe(50 * minute);
  });

  it('has a reminder at its opening if a skipped hour would move that reminder before the opening', () => {
    const morning = {...everyDay, opens: '01:30', closes: '03:30', reminders: [110, 10]};
    const {opens, closes, reminders} = runWindowOf(morning, '2026-03-29', 'Europe/Berlin', zones);
    expect(closes - opens).toBe(60 * minute);
    expect(reminders).toEqual([opens, closes - 10 * minute]);
  });

  const times = fc.tuple(fc.integer({min: 0, max: 1_439}), fc.integer({min: 1, max: 1_439}));
  const clockText = (minutes: number) => new Date((minutes % 1_440) * minute).toISOString().slice(11, 16);
  const anyZone = fc.constantFrom(...[...edges, ...oddities, ...rules].map(([zone]) => zone));
  const anyDate = fc.integer({min: 0, max: 365 * 6}).map((days) => addDays('2022-01-01', days));

  it('opens before it closes and has its reminders in between, in any zone on any day', () => {
    fc.assert(
      fc.property(
        anyZone,
        anyDate,
        times,
        fc.array(fc.integer({min: 1, max: 1_439}), {maxLength: 5}),
        (zone, date, [start, length], minutes) => {
          const reminders = minutes.filter((before) => before <= length).toSorted((a, b) => b - a);
          const schedule = {
            ...everyDay,
            opens: clockText(start),
            closes: clockText(start + length),
            reminders,
          };
          const window = runWindowOf(schedule, date, zone, zones);
          expect(window.opens).toBeLessThan(window.closes);
          expect(window.reminders).toHaveLength(reminders.length);
          for (const at of window.reminders) {
            expect(at).toBeGreaterThanOrEqual(window.opens);
            expect(at).toBeLessThan(window.closes);
          }
          expect(window.reminders).toEqual(window.reminders.toSorted((a, b) => a - b));
          // The window can be more than a day from its date only if the time zone skips a day.
          expect(Math.abs(window.opens - Date.parse(`${date}T12:00Z`))).toBeLessThan(2 * day);
        },
      ),
      {numRuns: 150},
    );
  });

  it('follows the time zone stored with the run, so that it does not change when a member moves', () => {
    const own = {...everyDay, clock: 'member' as const};
    const frozen = runWindowOf(own, '2026-11-23', 'Asia/Tokyo', zones);
    const moved = runWindowOf(own, '2026-11-23', 'America/Los_Angeles', zones);
    expect(new Date(frozen.opens).toISOString()).toBe('2026-11-23T00:00:00.000Z');
    expect(new Date(moved.opens).toISOString()).toBe('2026-11-23T17:00:00.000Z');
  });
});

describe('the dates of runs', () => {
  const weekly = (interval: number, days: readonly Weekday[], starts_on: string): Schedule => ({
    ...everyDay,
    frequency: 'weekly',
    interval,
    days,
    starts_on,
  });
  const monthly = (nth: 1 | 2 | 3 | 4 | -1, on: Weekday, starts_on = '2026-01-01'): Schedule => {
    const {opens, closes, reminders, clock} = everyDay;
    return {frequency: 'monthly', nth, day: on, opens, closes, reminders, clock, starts_on};
  };
  const runDays = (schedule: Schedule, from: string, count: number) => {
    const dates: string[] = [];
    for (let next = from; dates.length < count; next = addDays(next, 1)) {
      next = findNextRunDay(schedule, next);
      dates.push(next);
    }
    return dates;
  };

  it('continue across the end of a year', () => {
    const workdays = weekly(1, ['mon', 'tue', 'wed', 'thu', 'fri'], '2026-01-01');
    expect(runDays(workdays, '2026-12-30', 5)).toEqual([
      '2026-12-30',
      '2026-12-31',
      '2027-01-01',
      '2027-01-04',
      '2027-01-05',
    ]);
  });

  it('are in every second week from the week of the start, even across a year of 53 weeks', () => {
    // 2026 has 53 weeks. With every second week of the year, there would be runs in two consecutive weeks.
    const fortnightly = weekly(2, ['mon', 'thu'], '2026-12-10');
    expect(runDays(fortnightly, '2026-01-01', 6)).toEqual([
      '2026-12-10',
      '2026-12-21',
      '2026-12-24',
      '2027-01-04',
      '2027-01-07',
      '2027-01-18',
    ]);
  });

  it('count weeks from Monday, so that a start on a Sunday is in the week that ends that day', () => {
    expect(runDays(weekly(3, ['mon', 'sun'], '2026-11-22'), '2026-11-01', 4)).toEqual([
      '2026-11-22',
      '2026-12-07',
      '2026-12-13',
      '2026-12-28',
    ]);
  });

  it('are the n-th weekday of each month, such as the first Monday', () => {
    expect(runDays(monthly(1, 'mon'), '2026-01-01', 4)).toEqual([
      '2026-01-05',
      '2026-02-02',
      '2026-03-02',
      '2026-04-06',
    ]);
    expect(runDays(monthly(4, 'thu'), '2026-11-26', 3)).toEqual(['2026-11-26', '2026-12-24', '2027-01-28']);
  });

  it('are the last weekday of each month, whether the fourth or the fifth', () => {
    expect(runDays(monthly(-1, 'fri'), '2026-01-01', 5)).toEqual([
      '2026-01-30',
      '2026-02-27',
      '2026-03-27',
      '2026-04-24',
      '2026-05-29',
    ]);
    expect(runDays(monthly(-1, 'tue'), '2028-02-01', 2)).toEqual(['2028-02-29', '2028-03-28']);
  });

  it('are never before the start date', () => {
    const schedule = monthly(2, 'wed', '2026-06-11');
    expect(isRunDay(schedule, '2026-06-10')).toBe(false);
    expect(findNextRunDay(schedule, '2000-01-01')).toBe('2026-07-08');
  });

  const anyStart = fc.integer({min: 0, max: 3_650}).map((days) => addDays('2024-01-01', days));
  const anyCadence = fc.oneof(
    fc.record({
      frequency: fc.constant('weekly' as const),
      interval: fc.integer({min: 1, max: 12}),
      days: fc.subarray([...weekdays], {minLength: 1}),
    }),
    fc.record({
      frequency: fc.constant('monthly' as const),
      nth: fc.constantFrom(1 as const, 2 as const, 3 as const, 4 as const, -1 as const),
      day: fc.constantFrom(...weekdays),
    }),
  );
  const times = {opens: '09:00', closes: '10:00'};

  it('are those of RFC 5545 for the same rule, and the next date is the first of them', () => {
    fc.assert(
      fc.property(anyCadence, anyStart, fc.integer({min: -10, max: 400}), (cadence, start, ahead) => {
        const schedule = completeSchedule({...cadence, ...times, starts_on: start}, start);
        const from = addDays(start, ahead);
        const span = Array.from({length: 100}, (_, i) => addDays(from, i));
        const wanted = recurrences(cadence, start, addDays(from, 99)).filter((date) => date >= from);
        expect(span.filter((date) => isRunDay(schedule, date))).toEqual(wanted);
        expect(findNextRunDay(schedule, from)).toBe(wanted[0]);
      }),
      {numRuns: 60},
    );
  });
});

describe('a stored schedule', () => {
  it.each([
    ['09:00', '11:00', [30]],
    ['23:50', '00:20', [30]],
    ['09:00', '09:29', []],
  ])('opening at %s and closing at %s gets the reminders %j by default', (opens, closes, reminders) => {
    const given = {frequency: 'weekly', days: ['mon'], opens, closes} as const;
    expect(completeSchedule(given, '2026-11-23').reminders).toEqual(reminders);
    expect(completeSchedule({...given, reminders: []}, '2026-11-23').reminders).toEqual([]);
  });

  it('sorts its days from Monday and its reminders from the earliest, whatever their order in the request', () => {
    const days = ['fri', 'mon'] as const;
    const given = {frequency: 'weekly', days, opens: '09:00', closes: '11:00', reminders: [15, 60]} as const;
    expect(completeSchedule(given, '2026-11-23')).toEqual({
      frequency: 'weekly',
      interval: 1,
      days: ['mon', 'fri'],
      opens: '09:00',
      closes: '11:00',
      reminders: [60, 15],
      clock: 'team',
      starts_on: '2026-11-23',
    });
  });
});

/**
 * Returns the dates of RFC 5545 for `FREQ=WEEKLY;INTERVAL;BYDAY;WKST=MO` or `FREQ=MONTHLY;BYDAY=nXX`. The
 * function counts week by week, or month by month, from the start to `until`, and shares no arithmetic with
 * the tested code.
 */
type Cadence =
  | Pick<Extract<Schedule, {frequency: 'weekly'}>, 'frequency' | 'interval' | 'days'>
  | Pick<Extract<Schedule, {frequency: 'monthly'}>, 'frequency' | 'nth' | 'day'>;

function recurrences(cadence: Cadence, start: string, until: string): string[] {
  const at = (date: string) => new Date(`${date}T00:00Z`);
  const dates: string[] = [];
  if (cadence.frequency === 'weekly') {
    let monday = start;
    while (at(monday).getUTCDay() !== 1) monday = addDays(monday, -1);
    for (; monday <= until; monday = addDays(monday, 7 * cadence.interval)) {
      for (const name of cadence.days) dates.push(addDays(monday, weekdays.indexOf(name)));
    }
  } else {
    const such: Record<string, string[]> = {};
    let date = `${start.slice(0, 7)}-01`;
    while (at(date).getUTCDay() !== (weekdays.indexOf(cadence.day) + 1) % 7) date = addDays(date, 1);
    for (; date <= addDays(until, 31); date = addDays(date, 7)) (such[date.slice(0, 7)] ??= []).push(date);
    for (const month of Object.values(such)) {
      dates.push(month.at(cadence.nth === -1 ? -1 : cadence.nth - 1) ?? '');
    }
  }
  return dates.filter((date) => date >= start && date <= until).toSorted();
}
