import {expect, test} from '@jest/globals';
import {createZones} from '../../../src/calendar/zones.js';
import type {DayOff} from '../../../src/domain/absences/absence.js';
import {findNextReminder} from '../../../src/domain/prompts/next-reminder.js';
import type {Run} from '../../../src/domain/runs/run.js';
import {completeSchedule, type NewSchedule} from '../../../src/domain/schedules/schedule.js';
import {type Team, teamDefaults} from '../../../src/domain/teams/team.js';
import {asId} from '../../support/ids.js';

const zones = createZones();
/** A Tuesday at 09:00 in Berlin. */
const now = Date.parse('2026-11-24T08:00:00Z');
const on = {enabled: true, quiet_from: null, quiet_until: null, prompt_at: null};
const ada = {id: asId('member_a'), timezone: null, reminders: on};

const workdays: NewSchedule = {
  frequency: 'weekly',
  days: ['mon', 'tue', 'wed', 'thu', 'fri'],
  opens: '09:30',
  closes: '11:00',
  reminders: [60, 15],
};

const teamOf = (schedule: Partial<NewSchedule> = {}, more: Partial<Team> = {}): Team => ({
  ...teamDefaults,
  ...({
    object: 'team',
    id: 'team_a',
    slug: 'a',
    name: 'A',
    timezone: 'Europe/Berlin',
    prompt_at: 'before_closing',
  } as Team),
  schedule: completeSchedule({...workdays, ...schedule} as NewSchedule, '2026-01-01'),
  ...more,
});

const runOf = (team: Team, date: string, more: Partial<Run> = {}): Run => ({
  ...({object: 'run', id: 'run_a', team_id: team.id, kind: 'scheduled', timezone: team.timezone} as Run),
  date,
  state: 'open',
  schedule: team.schedule,
  participants: [{member: ada.id, timezone: null}],
  ...more,
});

interface ReminderCase {
  readonly member?: Parameters<typeof findNextReminder>[0];
  readonly runs?: readonly Run[];
  readonly posted?: readonly string[];
  readonly off?: (date: string) => DayOff | undefined;
  readonly at?: number;
}

function next(team: Team, {member = ada, runs = [], posted = [], off, at = now}: ReminderCase = {}): string {
  const known = {
    hasPosted: (_: string, date: string) => posted.includes(date),
    findDayOff: (date: string) => off?.(date),
  };
  const found = findNextReminder(member, [{team, runs}], known, at, zones);
  if (found.kind === 'away') return `away until ${found.until}`;
  return found.kind === 'reminder' ? `${new Date(found.at).toISOString()} for ${found.date}` : found.kind;
}

const team = teamOf();
const away = (until: string | null) => ({status: 'away', reason: null, until}) as const;

test('the next reminder is the first one of the run that opens next, in the time zone of the team', () => {
  expect(next(team)).toBe('2026-11-24T09:00:00.000Z for 2026-11-24');
});

test('the next reminder is in the member’s own time zone if the team uses those', () => {
  const own = teamOf({clock: 'member'});
  const member = {...ada, timezone: 'America/New_York'};
  expect(next(own, {member})).toBe('2026-11-24T15:00:00.000Z for 2026-11-24');
});

test('the next reminder follows the schedule that its run opened with, and is never in the past', () => {
  const opened = runOf(teamOf({reminders: [70, 5]}), '2026-11-24');
  const at = Date.parse('2026-11-24T09:00:00Z');
  expect(next(team, {runs: [opened], at})).toBe('2026-11-24T09:55:00.000Z for 2026-11-24');
});

test('the next reminder is on the next day after a post, a late join, or the end of the run', () => {
  const tomorrow = '2026-11-25T09:00:00.000Z for 2026-11-25';
  expect(next(team, {posted: ['2026-11-24']})).toBe(tomorrow);
  expect(next(team, {runs: [runOf(team, '2026-11-24', {participants: []})]})).toBe(tomorrow);
  expect(next(team, {runs: [runOf(team, '2026-11-24', {state: 'closed'})]})).toBe(tomorrow);
});

test('the next reminder is not for a run that did not open because the schedule was set later', () => {
  const at = Date.parse('2026-11-24T08:45:00Z');
  expect(next(team, {at})).toBe('2026-11-25T09:00:00.000Z for 2026-11-25');
});

test('the next reminder comes at the end of quiet hours, or is omitted if the run is over by then', () => {
  const quiet = (until: string) => ({...ada, reminders: {...on, quiet_from: '08:00', quiet_until: until}});
  expect(next(team, {member: quiet('10:30')})).toBe('2026-11-24T09:30:00.000Z for 2026-11-24');
  // The first reminder has already been postponed to the end of quiet hours.
  const at = Date.parse('2026-11-24T09:10:00Z');
  const runs = [runOf(team, '2026-11-24')];
  expect(next(team, {member: quiet('10:30'), at, runs})).toBe('2026-11-24T09:30:00.000Z for 2026-11-24');
  expect(next(team, {member: quiet('11:00')})).toBe('none-soon');
});

test('the next reminder after midnight has the date of its overnight run', () => {
  const night = teamOf({opens: '22:00', closes: '02:00', reminders: [60]});
  const at = Date.parse('2026-11-24T23:30:00Z');
  const runs = [runOf(night, '2026-11-24')];
  expect(next(night, {at, runs})).toBe('2026-11-25T00:00:00.000Z for 2026-11-24');
  expect(next(night, {at, runs, posted: ['2026-11-24']})).toBe('2026-11-26T00:00:00.000Z for 2026-11-25');
});

test('the search for the next reminder skips days off, and reports if all days are days off', () => {
  const some = (date: string) => (date < '2026-11-26' ? away('2026-11-25') : undefined);
  expect(next(team, {off: some})).toBe('2026-11-26T09:00:00.000Z for 2026-11-26');
  expect(next(team, {off: () => away('2027-01-03')})).toBe('away until 2027-01-03');
  expect(next(team, {off: () => ({status: 'holiday', reason: 'x', until: null})})).toBe('none-soon');
  // The person is away, and the team has no run for weeks.
  const later = {...team, schedule: {...team.schedule!, starts_on: '2027-01-01'}};
  expect(next(later, {off: () => away(null)})).toBe('away until null');
  expect(next(later)).toBe('none-soon');
});

test('there is no next reminder for a member who wants none, in a team without any, or in a paused team', () => {
  expect(next(team, {member: {...ada, reminders: {...on, enabled: false}}})).toBe('off');
  expect(next(teamOf({reminders: []}))).toBe('no-reminders');
  expect(next(teamOf({}, {schedule: null}))).toBe('no-reminders');
  expect(next(teamOf({}, {paused: true}))).toBe('no-reminders');
});
