import {type Examples, lastPage} from '../examples/example.js';
import {exampleIds} from '../examples/ids.js';
import {member} from '../members/examples.js';
import {team} from './examples.js';

export const teamMember = {
  id: exampleIds.team_member,
  object: 'team_member',
  team: team.slug,
  team_id: team.id,
  member: {type: 'member', id: member.id, name: member.name},
  role: 'member',
  accepted: true,
  revision: 1,
  created_at: '2026-01-05T09:02:11.902Z',
  updated_at: '2026-01-05T09:02:11.902Z',
};

export const teamLead = {
  ...teamMember,
  role: 'lead',
  revision: 2,
  updated_at: '2026-11-23T09:00:00.000Z',
};

export const teamMemberExamples: Examples = {
  listTeamMembers: {query: {limit: '50'}, answer: lastPage(teamMember)},
  getTeamMember: {answer: teamMember},
  setTeamMember: {body: {role: 'lead'}, answer: teamLead},
  removeTeamMember: {},
};
