import {type Examples, lastPage} from '../examples/example.js';
import {exampleIds} from '../examples/ids.js';

export const accessToken = {
  id: exampleIds.token,
  object: 'access_token',
  name: 'ci',
  kind: 'token',
  holder: {type: 'service_account', id: exampleIds.service_account, name: 'ci'},
  scopes: ['standups:read', 'standups:write'],
  expires_at: '2026-04-05T09:01:27.000Z',
  created_by: {type: 'member', id: exampleIds.member, name: 'Ada Lovelace'},
  parent: exampleIds.parent_token,
  client: null,
  revision: 1,
  created_at: '2026-01-05T09:01:27.716Z',
  updated_at: '2026-01-05T09:01:27.716Z',
};

const value =
  'eyJhbGciOiJFZERTQSIsInR5cCI6ImF0K2p3dCIsImtpZCI6IlhYWCJ9.eyJzY29wZSI6InN0YW5kdXBzOnJlYWQifQ.c2lnbmF0dXJl';

const used = {...accessToken, last_used_at: '2026-01-05T09:14:00.000Z'};

const signInLink = {
  ...accessToken,
  name: 'Sign-in link',
  kind: 'sign_in_link',
  holder: {type: 'member', id: exampleIds.member, name: 'Ada Lovelace'},
  scopes: ['standups:read', 'standups:write', 'teams:read', 'members:read'],
  expires_at: '2026-01-05T09:11:27.000Z',
};

const calendarFeed = {
  ...signInLink,
  name: 'Calendar on my phone',
  kind: 'calendar',
  scopes: ['teams:read', 'members:read'],
  expires_at: '2029-01-05T09:01:27.000Z',
};

const shareLink = {
  ...signInLink,
  name: 'For the steering group',
  kind: 'share_link',
  scopes: ['standups:read'],
  expires_at: '2026-01-12T09:01:27.000Z',
};

export const tokenExamples: Examples = {
  createToken: {
    body: {
      name: 'ci',
      scopes: ['standups:read', 'standups:write'],
      expires_in: 7_776_000,
      service_account: 'ci',
    },
    answer: {...accessToken, last_used_at: null, token: value},
  },
  createSignInLink: {
    body: {member: exampleIds.member},
    answer: {
      ...signInLink,
      last_used_at: null,
      url: 'https://standup.example.com/app/sign-in#ws_01ke6p4ym07fk9s1s2m8xq4vbt.7s9c2x4r8a6bvd0m.Zm9yLWFkYS1hbmQtZm9yLW5vYm9keS1lbHNlLWV2ZXI',
    },
  },
  createCalendarFeed: {
    body: {name: 'Calendar on my phone'},
    answer: {
      ...calendarFeed,
      last_used_at: null,
      url: 'https://standup.example.com/calendar/ws_01ke6p4ym07fk9s1s2m8xq4vbt.7s9c2x4r8a6bvd0m.Zm9yLWFkYS1hbmQtZm9yLW5vYm9keS1lbHNlLWV2ZXI.ics',
    },
  },
  createShareLink: {
    body: {team: 'platform', monday: '2026-01-05', name: 'For the steering group'},
    answer: {
      ...shareLink,
      last_used_at: null,
      url: `https://standup.example.com/shared/ws_01ke6p4ym07fk9s1s2m8xq4vbt.7s9c2x4r8a6bvd0m.Zm9yLWFkYS1hbmQtZm9yLW5vYm9keS1lbHNlLWV2ZXI.${exampleIds.team}.2026-01-05.`,
    },
  },
  listTokens: {query: {limit: '20'}, answer: lastPage(used)},
  getToken: {answer: used},
  revokeToken: {},
};
