import type {Examples} from '../examples/example.js';
import {exampleIds} from '../examples/ids.js';
import {member, ownTeam} from './examples.js';

export const meExamples: Examples = {
  getMe: {
    answer: {
      object: 'me',
      principal: {type: 'member', id: member.id, name: member.name},
      workspace: {id: exampleIds.workspace, slug: 'example', name: 'Example Inc', leads_invite: true},
      scopes: ['standups:read', 'standups:write', 'teams:read'],
      expires_at: '2027-02-21T09:00:00.000Z',
      role: member.role,
      timezone: member.timezone,
      teams: [ownTeam],
      inbox: {unread: 2},
      blockers: {open: 1},
      webhooks: null,
    },
  },
};
