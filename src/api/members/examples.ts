import {type Examples, lastPage} from '../examples/example.js';
import {exampleIds} from '../examples/ids.js';

export const member = {
  id: exampleIds.member,
  object: 'member',
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  email_status: 'unproven',
  role: 'member',
  role_source: 'chosen',
  timezone: 'Europe/London',
  timezone_source: 'chosen',
  locale: 'en',
  slack_user_id: 'U0G9QF9C6',
  reminders: {
    enabled: true,
    quiet_from: null,
    quiet_until: null,
    prompt_at: null,
    channels: ['slack', 'mail'],
  },
  reports: {daily: false, weekly: false, notices: true},
  notify: {mention: 'now', reply: 'now', thread: 'inbox', blocker: 'now'},
  slack_status: 'ask',
  holidays: {country: null, region: null, calendar: null},
  revision: 1,
  created_at: '2026-01-05T09:00:38.023Z',
  updated_at: '2026-01-05T09:00:38.023Z',
};

export const renamedMember = {
  ...member,
  name: 'Ada King',
  revision: 2,
  updated_at: '2026-11-23T09:00:00.000Z',
};

export const ownTeam = {
  id: exampleIds.team,
  slug: 'platform',
  name: 'Platform',
  role: 'lead',
  visibility: 'open',
};

const {name, email, timezone, locale, slack_user_id} = member;

export const memberExamples: Examples = {
  createMember: {body: {name, email, timezone, locale, slack_user_id}, answer: member},
  listMembers: {
    query: {limit: '50', q: 'ada', team: 'platform', include: 'teams'},
    answer: lastPage({...member, teams: {data: [ownTeam], has_more: false}}),
  },
  getMember: {answer: member},
  changeMember: {body: {name: 'Ada King'}, answer: renamedMember},
  exportMember: {streams: {'application/x-ndjson': `${JSON.stringify(member)}\n`}},
  deleteMember: {query: {erase: 'true'}},
};
