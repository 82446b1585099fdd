import type {Examples} from '../examples/example.js';
import {exampleIds} from '../examples/ids.js';

export const openRun = {
  id: exampleIds.run,
  object: 'run',
  team: 'platform',
  team_id: exampleIds.team,
  date: '2026-11-23',
  kind: 'scheduled',
  state: 'open',
  opens_at: '2026-11-23T08:00:00.000Z',
  closes_at: '2026-11-23T10:00:00.000Z',
  opened_at: '2026-11-23T08:00:00.412Z',
  closed_at: null,
  schedule: {
    frequency: 'weekly',
    interval: 1,
    days: ['mon', 'wed', 'fri'],
    opens: '09:00',
    closes: '11:00',
    reminders: [60, 15],
    clock: 'team',
    starts_on: '2026-11-02',
  },
  timezone: 'Europe/Berlin',
  participants: [{member: exampleIds.member, timezone: null}],
  missed_steps: [],
  report: null,
  revision: 1,
  created_at: '2026-11-23T08:00:00.412Z',
  updated_at: '2026-11-23T08:00:00.412Z',
};

const ownReminder = {
  object: 'own_reminder',
  date: openRun.date,
  teams: [
    {
      id: exampleIds.team,
      team: openRun.team,
      name: 'Platform',
      date: openRun.date,
      closes_at: openRun.closes_at,
    },
  ],
  remind_at: openRun.opened_at,
  snoozed_until: null,
};

const missedReport = {
  counts: {
    expected: 1,
    posted: 0,
    late: 0,
    missed: 1,
    away: 0,
    holiday: 0,
    skipped: 0,
    unreachable: 0,
    participation: 0,
  },
  blockers: [],
  lines: [
    {
      member: {type: 'member', id: exampleIds.member, name: 'Ada Lovelace'},
      status: 'missed',
      reason: null,
      until: null,
      standups: [],
    },
  ],
  truncated: false,
};

export const closedRun = {
  ...openRun,
  state: 'closed',
  closed_at: '2026-11-23T10:00:00.268Z',
  report: missedReport,
  revision: 2,
  updated_at: '2026-11-23T10:00:00.268Z',
};

export const missedRun = {
  ...openRun,
  state: 'missed',
  opened_at: null,
  participants: [],
  missed_steps: [{step: 'open', due_at: openRun.opens_at}],
};

/** An example of a run after a member has posted late. */
export const lateRun = {
  ...closedRun,
  report: {
    ...missedReport,
    counts: {...missedReport.counts, late: 1, missed: 0, participation: 1},
    lines: [
      {
        ...missedReport.lines[0],
        status: 'late',
        standups: [{id: exampleIds.standup, revision: 1, late: true, update: 'Shipped the importer.'}],
      },
    ],
  },
  revision: 3,
};

export const runExamples: Examples = {
  openRun: {
    body: {minutes: 90},
    answer: {
      ...openRun,
      kind: 'ad_hoc',
      schedule: null,
      opens_at: openRun.opened_at,
      closes_at: '2026-11-23T09:30:00.412Z',
    },
  },
  remindTeam: {
    answer: {
      object: 'reminder',
      run: openRun.id,
      team: openRun.team,
      team_id: openRun.team_id,
      date: openRun.date,
      members: [],
      unreachable: [{id: exampleIds.member, reason: 'slack_not_connected'}],
      not_reminded: [],
    },
  },
  getOwnReminder: {answer: ownReminder},
  snoozeReminder: {
    body: {minutes: 30},
    answer: {
      ...ownReminder,
      remind_at: '2026-11-23T08:30:12.000Z',
      snoozed_until: '2026-11-23T08:30:12.000Z',
    },
  },
};
