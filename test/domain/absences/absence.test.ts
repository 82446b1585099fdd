import {expect, it} from '@jest/globals';
import {type Absence, findDayOff, overlapsPeriod} from '../../../src/domain/absences/absence.js';
import {asId} from '../../support/ids.js';

const ada = {type: 'member', id: asId('mem_01ke6p63x47d1rj6w2t8h9kq5e'), name: 'Ada'} as const;

function absence(from: string, until: string | null, more: Partial<Absence> = {}): Absence {
  return {
    id: asId('abs_01m80qx4tt7f4r9c1w6k3h8zje'),
    object: 'absence',
    member: ada,
    kind: 'away',
    from,
    until,
    reason: null,
    reason_for: 'team',
    team: null,
    team_id: null,
    created_by: ada,
    source: null,
    revision: 1,
    created_at: '',
    updated_at: '',
    ...more,
  };
}

const skip = (from: string, more: Partial<Absence> = {}) => absence(from, from, {kind: 'skip', ...more});
const off = (absences: Absence[], date: string, holiday?: string, team = 'team_a') =>
  findDayOff(absences, holiday, date, asId(team));

it('an absence includes its first and last day, and never ends if it has no last day', () => {
  const week = [absence('2026-11-23', '2026-11-27', {reason: 'Sea'})];
  const days = ['2026-11-22', '2026-11-23', '2026-11-27', '2026-11-28'];
  expect(days.map((date) => off(week, date)?.status)).toEqual([undefined, 'away', 'away', undefined]);
  expect(off(week, '2026-11-25')).toMatchObject({status: 'away', reason: 'Sea', until: '2026-11-27'});
  expect(off([absence('2026-11-23', null)], '2031-01-01')).toMatchObject({
    status: 'away',
    reason: null,
    until: null,
  });
});

it('an absence outranks a skip, a skip outranks a holiday, and of several absences the last to end gives the reason', () => {
  const day = '2026-12-25';
  const away = [
    absence(day, day, {reason: 'short'}),
    absence(day, '2026-12-31', {reason: 'long'}),
    absence(day, '2026-12-27', {reason: 'middle'}),
  ];
  expect(off([skip(day), ...away], day, 'Christmas Day')).toMatchObject({status: 'away', reason: 'long'});
  expect(off([skip(day, {reason: 'busy'})], day, 'Christmas Day')).toMatchObject({
    status: 'skipped',
    reason: 'busy',
    until: day,
  });
  expect(off([], day, 'Christmas Day')).toEqual({status: 'holiday', reason: 'Christmas Day', until: day});
  expect(off([], day)).toBeUndefined();
});

it('an absence from one team applies to that team only', () => {
  const own = [skip('2026-11-23', {team: 'b', team_id: asId('team_b')})];
  expect(off(own, '2026-11-23', undefined, 'team_a')).toBeUndefined();
  expect(off(own, '2026-11-23', undefined, 'team_b')).toMatchObject({status: 'skipped'});
});

it.each([
  ['2026-11-01', '2026-11-22', false],
  ['2026-11-01', '2026-11-23', true],
  ['2026-11-27', '2026-11-27', true],
  ['2026-11-28', null, false],
  ['2026-11-27', null, true],
])('a week from Monday to Friday and the time from %s to %s overlap: %s', (from, until, expected) => {
  expect(overlapsPeriod({from: '2026-11-23', until: '2026-11-27'}, {from, until})).toBe(expected);
});
