import {type Examples, lastPage} from '../examples/example.js';
import {exampleIds} from '../examples/ids.js';

const account = {
  id: exampleIds.service_account,
  object: 'service_account',
  name: 'ci',
  revision: 1,
  created_at: '2026-01-05T09:01:27.000Z',
  updated_at: '2026-01-05T09:01:27.000Z',
};

export const serviceAccountExamples: Examples = {
  listServiceAccounts: {query: {limit: '20'}, answer: lastPage(account)},
  deleteServiceAccount: {},
};
