import type {Examples} from './example.js';
import {exampleIds} from './ids.js';

export const meExamples: Examples = {
  getMe: {
    answer: {
      object: 'me',
      principal: {type: 'service_account', id: exampleIds.service_account, name: 'ci'},
      workspace: {id: exampleIds.workspace, slug: 'example', name: 'Example Inc'},
      scopes: ['standups:read', 'standups:write'],
      expires_at: '2027-02-21T09:00:00.000Z',
    },
  },
};
