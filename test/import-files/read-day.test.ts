import {expect, it} from '@jest/globals';
import {findDateOrder, needsDateOrder, readDay} from '../../packages/import-files/src/read-day.js';

it.each([
  ['2024-03-14', {date: '2024-03-14', hasTime: false}],
  ['2024/3/4', {date: '2024-03-04', hasTime: false}],
  ['2024-03-14 09:05', {date: '2024-03-14', hasTime: true}],
  ['2024-03-14T09:05:00Z', {instant: '2024-03-14T09:05:00.000Z'}],
  ['2024-03-14 09:05:00 UTC', {instant: '2024-03-14T09:05:00.000Z'}],
  ['2024-03-14T23:30:00.123+02:00', {instant: '2024-03-14T21:30:00.123Z'}],
  ['2024-03-14 23:30:00 +0200', {instant: '2024-03-14T21:30:00.000Z'}],
  ['2024-03-14T00:00:00Z', {instant: '2024-03-14T00:00:00.000Z', midnightOf: '2024-03-14'}],
  ['1710407100', {instant: '2024-03-14T09:05:00.000Z'}],
  ['1710407100000', {instant: '2024-03-14T09:05:00.000Z'}],
  ['14 Mar 2024', {date: '2024-03-14', hasTime: false}],
  ['March 14th, 2024 at 9:05 PM', {date: '2024-03-14', hasTime: true}],
  ['Thu, 14 Mar 2024 09:05:00 GMT', {instant: '2024-03-14T09:05:00.000Z'}],
  ['March 14, 2024 9:05 PM UTC', {instant: '2024-03-14T21:05:00.000Z'}],
  ['March 14, 2024 12:30 AM UTC', {instant: '2024-03-14T00:30:00.000Z'}],
  ['2024-02-30', {error: 'not_a_date'}],
  ['2023-02-29', {error: 'not_a_date'}],
  ['yesterday', {error: 'not_a_date'}],
  ['12 Foo 2024', {error: 'not_a_date'}],
  ['', {error: 'not_a_date'}],
  ['03/04/2024', {error: 'date_order_unknown'}],
  ['14/03/2024', {error: 'date_order_unknown'}],
  ['14.03.24', {error: 'two_digit_year'}],
])('the date %j is read as %j without further options', (text, day) => {
  expect(readDay(text)).toEqual(day);
});

it.each([
  ['03/04/2024', 'day-first', {date: '2024-04-03', hasTime: false}],
  ['03/04/2024', 'month-first', {date: '2024-03-04', hasTime: false}],
  ['14.03.2024, 09:05', 'day-first', {date: '2024-03-14', hasTime: true}],
  ['14/03/2024', 'month-first', {error: 'not_a_date'}],
] as const)('the date %j is read in the order %s', (text, dateOrder, day) => {
  expect(readDay(text, {dateOrder})).toEqual(day);
});

it('a year of two digits is of this century once that is said', () => {
  expect(readDay('14.03.24', {dateOrder: 'day-first', twoDigitYears: true})).toEqual({
    date: '2024-03-14',
    hasTime: false,
  });
});

it('the order of day and month is only taken from dates that show it', () => {
  expect(findDateOrder(['03/04/2024', '14/03/2024'])).toBe('day-first');
  expect(findDateOrder(['03/04/2024', '03/14/2024'])).toBe('month-first');
  expect(findDateOrder(['03/04/2024', '05/06/2024', '2024-03-14'])).toBeUndefined();
  expect(findDateOrder(['03/14/2024', '14/03/2024'])).toBe('mixed');
  expect(needsDateOrder(['2024-03-14', '03/04/2024'])).toBe(true);
  expect(needsDateOrder(['2024-03-14', '14 Mar 2024'])).toBe(false);
});
