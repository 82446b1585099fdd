import {teamDefaults} from '../../domain/teams/team.js';
import {type Examples, lastPage} from '../examples/example.js';
import {exampleIds} from '../examples/ids.js';
import {member} from '../members/examples.js';

export const team = {
  id: exampleIds.team,
  object: 'team',
  slug: 'platform',
  name: 'Platform',
  timezone: 'Europe/Berlin',
  slack_channel_id: 'C024BE91L',
  ...teamDefaults,
  revision: 2,
  created_at: '2026-01-05T09:00:06.210Z',
  updated_at: '2026-01-05T09:12:44.018Z',
};

const payments = {
  slug: 'payments',
  name: 'Payments',
  timezone: 'America/New_York',
  slack_post_mode: 'channel',
};

const preview = {
  object: 'schedule_preview',
  team: team.slug,
  team_id: team.id,
  timezone: team.timezone,
  reason: null,
  runs: [
    {
      date: '2026-11-23',
      opens_at: '2026-11-23T08:30:00.000Z',
      closes_at: '2026-11-23T11:00:00.000Z',
      reminders_at: ['2026-11-23T10:30:00.000Z'],
      asked_at: ['2026-11-23T10:30:00.000Z'],
      local: {
        opens: '2026-11-23T09:30',
        closes: '2026-11-23T12:00',
        reminders: ['2026-11-23T11:30'],
      },
      members: [
        {
          id: member.id,
          name: member.name,
          timezone: 'Europe/London',
          opens_at: '2026-11-23T08:30:00.000Z',
          closes_at: '2026-11-23T11:00:00.000Z',
          reminders_at: ['2026-11-23T10:30:00.000Z'],
          asked_at: ['2026-11-23T10:30:00.000Z'],
          local: {
            opens: '2026-11-23T08:30',
            closes: '2026-11-23T11:00',
            reminders: ['2026-11-23T10:30'],
          },
        },
      ],
    },
  ],
};

export const teamExamples: Examples = {
  createTeam: {
    body: payments,
    answer: {
      ...team,
      ...payments,
      slack_channel_id: null,
      revision: 1,
      updated_at: team.created_at,
    },
  },
  listTeams: {query: {limit: '50', q: 'plat'}, answer: lastPage(team)},
  getTeam: {answer: team},
  getTeamReaders: {
    answer: {
      object: 'team_readers',
      team: team.slug,
      team_id: team.id,
      visibility: team.visibility,
      members: {count: 1, names: [member.name]},
      observers: {count: 0, names: []},
      admins: {count: 1, names: ['Grace Hopper']},
      others: 12,
      service_accounts: {count: 1, names: ['ci']},
      webhooks: {count: 1, names: ['hooks.example']},
      slack_channel_id: team.slack_channel_id,
      standups: {count: 214, since: '2026-01-05'},
    },
  },
  changeTeam: {
    body: {name: 'Platform and tools', slack_channel_id: 'C024BE91L'},
    answer: {...team, name: 'Platform and tools', revision: 3, updated_at: '2026-11-23T09:00:00.000Z'},
  },
  previewSchedule: {query: {limit: '1', from: '2026-11-23'}, answer: preview},
  previewScheduleDraft: {
    query: {limit: '1', from: '2026-11-23'},
    body: {
      schedule: {frequency: 'weekly', days: ['mon', 'thu'], opens: '09:30', closes: '12:00', reminders: [30]},
    },
    answer: preview,
  },
  deleteTeam: {query: {force: 'true'}},
};
