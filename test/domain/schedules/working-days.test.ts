import {expect, it} from '@jest/globals';
import type {Schedule} from '../../../src/domain/schedules/schedule.js';
import {findLastWorkingDay} from '../../../src/domain/schedules/working-days.js';

const times = {
  opens: '09:00',
  closes: '17:00',
  reminders: [],
  clock: 'team',
  starts_on: '2026-01-01',
} as const;
const weekly = (...days: Extract<Schedule, {frequency: 'weekly'}>['days']): Schedule => ({
  frequency: 'weekly',
  interval: 1,
  days,
  ...times,
});
const off =
  (...days: string[]) =>
  (date: string) =>
    days.includes(date);

it.each<[string, Schedule | null, string, string[], string]>([
  ['before a Tuesday is Monday', null, '2026-11-24', [], '2026-11-23'],
  ['before a Monday is Friday', null, '2026-11-23', [], '2026-11-20'],
  ['before a Sunday is Friday', null, '2026-11-22', [], '2026-11-20'],
  ['is never a holiday', null, '2026-11-24', ['2026-11-23'], '2026-11-20'],
  ['of a team that meets on some days is one of those', weekly('mon', 'thu'), '2026-11-26', [], '2026-11-23'],
  ['of a team that works on Sundays may be a Sunday', weekly('sun', 'mon'), '2026-11-23', [], '2026-11-22'],
  [
    'of a team that does not meet every week is from Monday to Friday',
    {frequency: 'monthly', nth: 1, day: 'mon', ...times},
    '2026-11-25',
    [],
    '2026-11-24',
  ],
])('the last working day %s', (_, schedule, date, days, expected) => {
  expect(findLastWorkingDay(schedule, date, off(...days))).toBe(expected);
});

it('the last working day is the day before if a member was absent for more than a month', () => {
  expect(findLastWorkingDay(null, '2026-11-23', () => true)).toBe('2026-11-22');
});
