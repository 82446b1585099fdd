import {type Examples, lastPage} from '../examples/example.js';
import {exampleIds} from '../examples/ids.js';

export const invite = {
  id: exampleIds.invite,
  object: 'invite',
  email: 'grace@example.com',
  email_domain: null,
  role: 'member',
  teams: [{team_id: exampleIds.team, role: 'member'}],
  max_uses: 1,
  uses: 0,
  locale: 'en',
  state: 'open',
  expires_at: '2026-01-12T09:01:27.000Z',
  created_by: {type: 'member', id: exampleIds.member},
  issued_by: [],
  revision: 1,
  created_at: '2026-01-05T09:01:27.716Z',
  updated_at: '2026-01-05T09:01:27.716Z',
};

/** An invite after the invited person has joined. */
export const usedInvite = {...invite, email: null, uses: 1, state: 'used', revision: 2};

const shown = {
  ...invite,
  created_by: {...invite.created_by, name: 'Ada Lovelace'},
  mail: {id: exampleIds.mail, state: 'sent', detail: '250 OK'},
};

const {inviteLink: link} = exampleIds;

export const inviteExamples: Examples = {
  createInvite: {
    body: {emails: ['grace@example.com'], teams: [{team_id: 'platform'}], locale: 'en'},
    answer: {
      ...lastPage({...invite, url: `https://standup.example.com/app/join#${link}`}),
      skipped: [],
    },
  },
  listInvites: {query: {state: 'open', team: 'platform'}, answer: lastPage(shown)},
  getInvite: {answer: shown},
  revokeInvite: {query: {erase: 'true'}},
  acceptInvite: {
    body: {link},
    answer: {...shown, email: null, mail: null, uses: 1, state: 'used', revision: 2},
  },
};
