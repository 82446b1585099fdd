import {describe, expect, it} from '@jest/globals';
import {parseDays} from '../../../src/domain/typed/parse-days.js';
import {measureCpuMs} from '../../support/stopwatch.js';

/** A Wednesday. */
const today = '2026-11-25';

it.each([
  ['24 Dec to 10 Jan', '2026-12-24', '2027-01-10'],
  ['until friday', '2027-01-04', '2027-01-08'],
  ['24 Dec 2027 to 10 Jan', '2027-12-24', '2028-01-10'],
  ['24 Dec for 2 weeks', '2026-12-24', '2027-01-06'],
])('the text “%s” on the first Monday of January is read with the right year', (typed, from, until) => {
  expect(parseDays(typed, '2027-01-04')).toEqual({from, until, reason: null});
});

describe('regression: an end that is named by its weekday', () => {
  it.each<[typed: string, from: string, until: string]>([
    ['until wednesday', '2026-11-25', '2026-12-02'],
    ['till Wed, flu', '2026-11-25', '2026-12-02'],
    ['through wednesday', '2026-11-25', '2026-12-02'],
    ['today to wednesday', '2026-11-25', '2026-12-02'],
    ['wednesday - wednesday', '2026-11-25', '2026-12-02'],
    ['from friday until friday', '2026-11-27', '2026-12-04'],
    ['27 Nov to friday', '2026-11-27', '2026-12-04'],
    ['sick until wednesday', '2026-11-25', '2026-12-02'],
    ['until this wednesday', '2026-11-25', '2026-11-25'],
    ['until today', '2026-11-25', '2026-11-25'],
    ['until 25 Nov', '2026-11-25', '2026-11-25'],
    ['until next wednesday', '2026-11-25', '2026-12-02'],
    ['until thursday', '2026-11-25', '2026-11-26'],
  ])('is after the first day, even on that weekday, when “%s” is typed', (typed, from, until) => {
    expect(parseDays(typed, today)).toMatchObject({from, until});
  });
});

it('an absence that has begun lasts as long as typed, even if the same days of the next year contain a leap day', () => {
  const read = parseDays('20 Feb for 2 weeks', '2027-02-24');
  expect(read).toEqual({from: '2027-02-20', until: '2027-03-05', reason: null});
});

describe('typed days that are understood', () => {
  it.each<[typed: string, from: string, until: string | null, reason?: string]>([
    ['', '2026-11-25', '2026-11-25'],
    ['today', '2026-11-25', '2026-11-25'],
    ['tomorrow', '2026-11-26', '2026-11-26'],
    ['Tomorrow: dentist', '2026-11-26', '2026-11-26', 'dentist'],
    ['the day after tomorrow', '2026-11-27', '2026-11-27'],
    ['until 2026-12-24', '2026-11-25', '2026-12-24'],
    ['until 2026-12-24 parental leave', '2026-11-25', '2026-12-24', 'parental leave'],
    ['till 24 Dec', '2026-11-25', '2026-12-24'],
    ['UNTIL DEC 24', '2026-11-25', '2026-12-24'],
    ['until Dec 24th, 2027', '2026-11-25', '2027-12-24'],
    ['until the end of the week', '2026-11-25', '2026-11-29'],
    ['until end of month', '2026-11-25', '2026-11-30'],
    ['until end of next month', '2026-11-25', '2026-12-31'],
    ['until end of year', '2026-11-25', '2026-12-31'],
    ['until friday', '2026-11-25', '2026-11-27'],
    ['until wednesday', '2026-11-25', '2026-12-02'],
    ['until next friday', '2026-11-25', '2026-12-04'],
    ['until monday, flu', '2026-11-25', '2026-11-30', 'flu'],
    ['until further notice', '2026-11-25', null],
    ["until I'm back - surgery", '2026-11-25', null, 'surgery'],
    ['until next week', '2026-11-25', '2026-11-29'],
    ['through next week', '2026-11-25', '2026-12-06'],
    ['tomorrow until next week', '2026-11-26', '2026-11-29'],
    ['from friday', '2026-11-27', null],
    ['since 1 Nov', '2026-11-01', null],
    ['from wednesday, surgery', '2026-11-25', null, 'surgery'],
    ['2026-12-24', '2026-12-24', '2026-12-24'],
    ['24.12.', '2026-12-24', '2026-12-24'],
    ['24.12.2026 to 3.1.', '2026-12-24', '2027-01-03'],
    ['24/12', '2026-12-24', '2026-12-24'],
    ['12/24/2026', '2026-12-24', '2026-12-24'],
    ['24 december – 2 january skiing', '2026-12-24', '2027-01-02', 'skiing'],
    ['24-28 Dec', '2026-12-24', '2026-12-28'],
    ['Dec 24 to 28 family', '2026-12-24', '2026-12-28', 'family'],
    ['from monday to next friday', '2026-11-30', '2026-12-04'],
    ['from 1 Dec until further notice', '2026-12-01', null],
    ['on friday', '2026-11-27', '2026-11-27'],
    ['next monday', '2026-11-30', '2026-11-30'],
    ['3 Jan', '2027-01-03', '2027-01-03'],
    ['29 Feb', '2028-02-29', '2028-02-29'],
    ['1st of March', '2027-03-01', '2027-03-01'],
    ['this week', '2026-11-25', '2026-11-29'],
    ['next week - course', '2026-11-30', '2026-12-06', 'course'],
    ['for 3 days', '2026-11-25', '2026-11-27'],
    ['for a week moving house', '2026-11-25', '2026-12-01', 'moving house'],
    ['yesterday to friday', '2026-11-24', '2026-11-27'],
    ['friday - sunday', '2026-11-27', '2026-11-29'],
    ['friday - dentist', '2026-11-27', '2026-11-27', 'dentist'],
    ['sick', '2026-11-25', '2026-11-25', 'sick'],
    ["doctor's appointment at 3", '2026-11-25', '2026-11-25', "doctor's appointment at 3"],
    ['tomorrow for 2 days', '2026-11-26', '2026-11-27'],
    ['from friday for two weeks moving', '2026-11-27', '2026-12-10', 'moving'],
    ['friday and the dentist', '2026-11-27', '2026-11-27', 'and the dentist'],
    ['20 Nov to 4 Dec conference', '2026-11-20', '2026-12-04', 'conference'],
    ['20-28 Nov', '2026-11-20', '2026-11-28'],
    ['1 Nov until further notice', '2026-11-01', null],
    ['20 nov for 2 weeks', '2026-11-20', '2026-12-03'],
    ['since 20 Nov for a week flu', '2026-11-20', '2026-11-26', 'flu'],
    ['20 nov for 5 days', '2027-11-20', '2027-11-24'],
    ['tomorrow for 400 days', '2026-11-26', '2027-12-30'],
    ['wednesday next week', '2026-12-02', '2026-12-02'],
    ['for the rest of the week', '2026-11-25', '2026-11-29'],
    ['vacation until friday', '2026-11-25', '2026-11-27', 'vacation'],
    ['Sick for 3 days', '2026-11-25', '2026-11-27', 'Sick'],
    ['sick until friday flu', '2026-11-25', '2026-11-27', 'sick, flu'],
    ['holiday next week', '2026-11-30', '2026-12-06', 'holiday'],
    ['vacation 24 Dec to 2 Jan', '2026-12-24', '2027-01-02', 'vacation'],
    ['parental leave until 1 March', '2026-11-25', '2027-03-01', 'parental leave'],
    ['dentist', '2026-11-25', '2026-11-25', 'dentist'],
    ['today: tomorow', '2026-11-25', '2026-11-25', 'tomorow'],
    ['migraine, seeing a neurologist', '2026-11-25', '2026-11-25', 'migraine, seeing a neurologist'],
  ])('include “%s”', (typed, from, until, ...[reason]) => {
    expect(parseDays(typed, today)).toEqual({from, until, reason: reason ?? null});
  });
});

describe('regression: a text that is neither days nor a known reason', () => {
  it.each<[string, object]>([
    ['morgen', {error: 'date', reason: true}],
    ['bis freitag', {error: 'date', reason: true}],
    ['sick bis freitag', {error: 'date', reason: true}],
    ['ab montag', {error: 'date', reason: true}],
    ['demain', {error: 'date', reason: true}],
    ['tomorrow bis freitag', {error: 'date'}],
    ['krank', {error: 'date', reason: true}],
    ['mayhem at home', {error: 'date', reason: true}],
    ['half day', {error: 'part', reason: true}],
    ['this afternoon', {error: 'part', reason: true}],
    ['until noon', {error: 'part', reason: true}],
    ['until 3pm', {error: 'part', reason: true}],
    ['2 hours', {error: 'part', reason: true}],
    ['tomorrow morning', {error: 'part', guess: 'tomorrow: morning'}],
    ['friday half day', {error: 'part', guess: 'friday: half day'}],
  ])('is asked about, and no wrong day is saved, when it is “%s”', (typed, asked) => {
    expect(parseDays(typed, today)).toEqual(asked);
  });
});

describe('a text that is no day', () => {
  it.each<[string, 'date' | 'order']>([
    ['until', 'date'],
    ['dentist tomorrow', 'date'],
    ['in Spain until 2 Jan', 'date'],
    ['monday and tuesday', 'date'],
    ['today, tomorrow', 'date'],
    ['since monday', 'date'],
    ['until whenever', 'date'],
    ['until 2026-02-30', 'date'],
    ['31 nov', 'date'],
    ['3/4', 'date'],
    ['until 3/4', 'date'],
    ['nxt monday', 'date'],
    ['next', 'date'],
    ['99', 'date'],
    ['from', 'date'],
    ['24 dec to whenever', 'date'],
    ['until yesterday', 'order'],
    ['until 2026-11-01', 'order'],
    ['2026-12-24 to 2026-12-20', 'order'],
    ['yesterday', 'order'],
  ])('is asked about when it is “%s”', (typed, error) => {
    expect(parseDays(typed, today)).toMatchObject({error});
  });
});

describe('regression: a near-miss of a day', () => {
  it.each<[string, string | undefined]>([
    ['tomorow', 'tomorrow'],
    ['tmrw', 'tomorrow'],
    ['untill firday', 'until friday'],
    ['nxt week', 'next week'],
    ['until next wk', 'until next week'],
    ['31 feb', '28 feb'],
    ['until 31 nov', 'until 30 nov'],
    ['dec 32', 'dec 31'],
    ['wendesday', 'wednesday'],
    ['augst 3', 'august 3'],
    ['next tuseday dentist', 'next tuesday dentist'],
    ['tomorrow untl friday', 'tomorrow until friday'],
    ['friday untill monday', 'friday until monday'],
    ['tomorrow and tuseday', undefined],
    ['two weeks', 'for two weeks'],
    ['for 3 dyas', 'for 3 days'],
    ['vacation tomorow', 'vacation tomorrow'],
    ['dentist tomorrow', 'tomorrow dentist'],
    ['in Spain until 2 Jan', 'until 2 Jan in Spain'],
    ['until whenever', undefined],
  ])('is not read as a reason, and the likely meaning is offered, when it is “%s”', (typed, guess) => {
    const read = parseDays(typed, today);
    expect(read).toMatchObject({error: 'date', ...(guess !== undefined && {guess})});
    if (guess !== undefined) expect(parseDays(guess, today)).not.toHaveProperty('error');
  });
});

it('a long text after “until” that names no day is read without delay', async () => {
  const long = [`until ${' '.repeat(20_000)}x`, '1'.repeat(20_000), `24${' '.repeat(20_000)}dec`];
  const ms = await measureCpuMs(() => long.forEach((typed) => parseDays(typed, today)));
  expect(ms).toBeLessThan(500);
});
