import {exampleIds} from './ids.js';

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
  revision: 1,
  created_at: '2026-11-23T08:00:00.412Z',
  updated_at: '2026-11-23T08:00:00.412Z',
};

export const closedRun = {
  ...openRun,
  state: 'closed',
  closed_at: '2026-11-23T10:00:00.268Z',
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
