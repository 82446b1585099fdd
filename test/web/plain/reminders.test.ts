import {expect, it} from '@jest/globals';
import {planReminder} from '../../../web/parts/reminders/plan-reminder.ts';

const at = Date.parse('2026-11-23T09:00:00Z');
const teams = [
  {
    id: 'team_1',
    team: 'platform',
    name: 'Platform',
    date: '2026-11-23',
    closes_at: '2026-11-23T11:00:00.000Z',
  },
];
const remind_at = '2026-11-23T09:00:00.000Z';

it('an open tab waits for the time of a reminder, and shows it then', () => {
  expect(planReminder({remind_at, teams}, at - 60_000)).toEqual({at, isDue: false});
  expect(planReminder({remind_at, teams}, at)).toEqual({at, isDue: true});
});

it('an open tab shows a reminder at once if its clock is a little slow', () => {
  expect(planReminder({remind_at, teams}, at - 4_000)).toEqual({at, isDue: true});
});

it('regression: an open tab shows the end of a snooze also if the mail that ends the snooze was faster', () => {
  const end = at + 30 * 60_000;
  expect(planReminder({remind_at, teams}, end, end)).toEqual({at: end, isDue: true});
  expect(planReminder({remind_at, teams}, end - 60_000, end)).toEqual({at, isDue: true});
  expect(planReminder({remind_at, teams: []}, end, end)).toEqual({at: undefined, isDue: false});
});

it('an open tab shows nothing if no standup waits, or if reminders are off', () => {
  for (const nothing of [
    {remind_at, teams: []},
    {remind_at: null, teams},
  ])
    expect(planReminder(nothing, at)).toEqual({at: undefined, isDue: false});
});
