import type {Examples} from '../examples/example.js';
import {exampleIds} from '../examples/ids.js';

export const deviceLoginExamples: Examples = {
  getDeviceLogin: {
    answer: {
      object: 'device_login',
      user_code: exampleIds.user_code,
      name: 'standup on ada-laptop',
      scopes: ['standups:read', 'standups:write', 'teams:read', 'members:read', 'members:write'],
      requested_from: '203.0.113.7',
      your_address: '203.0.113.7',
      created_at: '2026-01-05T09:01:27.716Z',
      expires_at: '2026-01-05T09:11:27.716Z',
    },
  },
  decideDeviceLogin: {
    body: {decision: 'approve'},
    answer: {
      object: 'device_login_decision',
      user_code: exampleIds.user_code,
      decision: 'approve',
      token: exampleIds.token,
    },
  },
};
