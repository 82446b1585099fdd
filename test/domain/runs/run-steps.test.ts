import {describe, expect, it} from '@jest/globals';
import {createZones} from '../../../src/calendar/zones.js';
import {
  findDueReminders,
  listMissedReminders,
  listRunReminders,
  type RunReminder,
} from '../../../src/domain/runs/run-steps.js';
import type {Schedule} from '../../../src/domain/schedules/schedule.js';
import {asId} from '../../support/ids.js';

const zones = createZones();
const at = (time: string) => Date.parse(`2026-11-23T${time}:00Z`);
const minute = 60_000;

/** Returns the reminders of a run from 9:00 to 11:00, at these minutes before its closing. */
function openReminders(reminders: readonly number[]): RunReminder[] {
  const schedule = {
    frequency: 'weekly',
    days: ['mon'],
    opens: '09:00',
    closes: '11:00',
    clock: 'team',
    reminders,
  } as unknown as Schedule;
  const participants = [{member: asId<'member'>('mem_ada'), timezone: null}];
  const [opens_at, closes_at] = ['2026-11-23T09:00:00.000Z', '2026-11-23T11:00:00.000Z'];
  const run = {date: '2026-11-23', timezone: 'UTC', schedule, opens_at, closes_at, participants};
  return listRunReminders(run, undefined, zones);
}

const minutesOf = (some: readonly RunReminder[]) => some.map(({minutes}) => minutes);

describe('the reminders of a run that are due', () => {
  const all = openReminders([60, 15]);

  it('are due from their minute on and not a millisecond before, and name the time of the next reminder', () => {
    expect(findDueReminders(all, at('09:00') - 1)).toEqual({overtaken: [], due: [], next: at('09:00')});
    const later = all.filter(({moment}) => moment !== 'opening');
    expect(findDueReminders(later, at('10:00') - 1)).toMatchObject({due: [], next: at('10:00')});
    expect(minutesOf(findDueReminders(later, at('10:00')).due)).toEqual([60]);
    expect(findDueReminders(later, at('10:00')).next).toBe(at('10:45'));
  });

  it('are replaced by the latest one of them, except for the reminder at the opening', () => {
    const {due, overtaken, next} = findDueReminders(all, at('10:50'));
    expect([minutesOf(due), minutesOf(overtaken), next]).toEqual([[null, 15], [60], undefined]);
  });

  it('are all obsolete once the run has closed', () => {
    expect(minutesOf(findDueReminders(all, at('11:00') - 1).due)).toEqual([null, 15]);
    expect(findDueReminders(all, at('11:00')).due).toEqual([]);
  });

  it('are obsolete two hours after they were due', () => {
    const [opening] = all;
    const alone = opening === undefined ? [] : [{...opening, group: {...opening.group, closes: at('23:00')}}];
    expect(findDueReminders(alone, at('11:00') - 1).due).toHaveLength(1);
    expect(findDueReminders(alone, at('11:00')).overtaken).toHaveLength(1);
  });
});

describe('a reminder that is not sent', () => {
  it('counts as missed if its team sends reminders at that kind of time', () => {
    const found = findDueReminders(openReminders([60, 15]), at('11:00'));
    expect(minutesOf(listMissedReminders(found, 'before_closing'))).toEqual([60, 15]);
    expect(minutesOf(listMissedReminders(found, 'opening'))).toEqual([null]);
    expect(minutesOf(listMissedReminders(found, 'both'))).toEqual([null, 60, 15]);
  });

  it('does not count as missed if another reminder due at the same time is sent', () => {
    // Both reminders would be due before the opening, so they are due at the opening.
    const found = findDueReminders(openReminders([150, 121]), at('09:00') + minute);
    expect(minutesOf(found.due)).toEqual([null, 121]);
    expect(minutesOf(found.overtaken)).toEqual([150]);
    expect(listMissedReminders(found, 'both')).toEqual([]);
  });
});
