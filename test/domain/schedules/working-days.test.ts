import {expect, it} from '@jest/globals';
import type {Schedule} from '../../../src/domain/schedules/schedule.js';
import {lastWorkingDay} from '../../../src/domain/schedules/working-days.js';

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
  ['a Tuesday is about Monday', null, '2026-11-24', [], '2026-11-23'],
  ['a Monday is about Friday', null, '2026-11-23', [], '2026-11-20'],
  ['a Sunday is about Friday', null, '2026-11-22', [], '2026-11-20'],
  ['a holiday is left out', null, '2026-11-24', ['2026-11-23'], '2026-11-20'],
  ['a team that meets on some days goes by those', weekly('mon', 'thu'), '2026-11-26', [], '2026-11-23'],
  ['a team that works on Sundays goes by those', weekly('sun', 'mon'), '2026-11-23', [], '2026-11-22'],
  [
    'a team that does not meet every week works from Monday to Friday',
    {frequency: 'monthly', nth: 1, day: 'mon', ...times},
    '2026-11-25',
    [],
    '2026-11-24',
  ],
])('%s', (_, schedule, date, days, expected) => {
  expect(lastWorkingDay(schedule, date, off(...days))).toBe(expected);
});

it('after more than a month away it is the day before', () => {
  expect(lastWorkingDay(null, '2026-11-23', () => true)).toBe('2026-11-22');
});
