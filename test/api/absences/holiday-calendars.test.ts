import {afterAll, beforeAll, expect, it} from '@jest/globals';
import {type TestService, type TestWorkspace, startService} from '../../support/service.js';
import {measureCpuMs} from '../../support/stopwatch.js';

let service: TestService;
let workspace: TestWorkspace;
beforeAll(async () => {
  service = await startService({env: {ROLES: 'web'}});
  workspace = await service.addWorkspace();
  // The first requests load the code of the checks, which takes a while.
  const ics = file([['DTSTART;VALUE=DATE:20260101']]);
  await workspace.request('POST', '/v1/holiday-calendars', {body: {name: 'First', ics}});
  await workspace.request('POST', '/v1/holiday-calendars', {body: {name: 'Bad', ics: 'none'}});
});
afterAll(() => service.close());

const file = (events: readonly (readonly string[])[]): string =>
  [
    'BEGIN:VCALENDAR',
    ...events.flatMap((event) => ['BEGIN:VEVENT', ...event, 'END:VEVENT']),
    'END:VCALENDAR',
  ].join('\r\n');

/** Weekdays that no February has: the 6th Monday, the 53rd from its end, and so on. */
const weekdays = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];
const never = ['', '+', '-']
  .flatMap((sign) => Array.from({length: 48}, (_, i) => `${sign}${6 + i}`))
  .flatMap((nth) => weekdays.map((weekday) => `${nth}${weekday}`))
  .join(',');
const rule = 'RRULE:FREQ=YEARLY;COUNT=99999;BYMONTH=2;';
const list = (count: number, of: (i: number) => unknown): string =>
  Array.from({length: count}, (_, i) => of(i)).join();
const day = (i: number): string =>
  new Date(Date.UTC(2026, 0, 1 + i)).toISOString().slice(0, 10).replaceAll('-', '');

it.each([
  [
    'days of the week',
    file(Array.from({length: 6}, () => ['DTSTART;VALUE=DATE:01000101', `${rule}BYDAY=${never}`])),
    422,
  ],
  [
    'months by days of the month',
    file([
      [
        'DTSTART;VALUE=DATE:01000101',
        `RRULE:FREQ=YEARLY;BYMONTH=${list(7_000, () => 2)};BYMONTHDAY=${list(12_000, () => 30)}`,
      ],
    ]),
    422,
  ],
  [
    'dates of a month each',
    file([
      [
        'DTSTART;VALUE=DATE:20260101',
        'DURATION:P31D',
        `RDATE;VALUE=DATE:${list(5_000, (i) => day(i % 1_500))}`,
      ],
    ]),
    422,
  ],
])(
  'regression: a calendar file with very many %s does not delay other requests',
  async (_, ics, expected) => {
    const body = {name: 'Worst', ics};
    const posted = workspace.request('POST', '/v1/holiday-calendars', {body});
    let isDone = false;
    const done = posted.finally(() => (isDone = true));
    let longest = 0;
    while (!isDone) {
      const ms = await measureCpuMs(async () => {
        expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
      });
      longest = Math.max(longest, ms);
    }
    expect((await done).status).toBe(expected);
    // Before the fix, weekdays took 30 s.
    expect(longest).toBeLessThan(500);
  },
);
