import {type Examples, lastPage} from './example.js';
import {exampleIds} from './ids.js';

export const team = {
  id: exampleIds.team,
  object: 'team',
  slug: 'platform',
  name: 'Platform',
  timezone: 'Europe/Berlin',
  slack_channel_id: 'C024BE91L',
  slack_post_mode: 'thread',
  slack_digest: 'thread',
  names_missing: false,
  schedule: null,
  paused: false,
  late_policy: {accept: 'always'},
  questions: [],
  questions_version: 0,
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
  listTeams: {query: {limit: '50'}, answer: lastPage(team)},
  getTeam: {answer: team},
  changeTeam: {
    body: {name: 'Platform and tools', slack_channel_id: 'C024BE91L'},
    answer: {...team, name: 'Platform and tools', revision: 3, updated_at: '2026-11-23T09:00:00.000Z'},
  },
  deleteTeam: {query: {force: 'true'}},
};
