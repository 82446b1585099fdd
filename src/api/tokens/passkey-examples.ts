import {type Examples, lastPage} from '../examples/example.js';
import {exampleIds} from '../examples/ids.js';

export const passkey = {
  id: exampleIds.passkey,
  object: 'passkey',
  name: 'Chrome on Mac',
  holder: {type: 'member', id: exampleIds.member},
  credential_id: exampleIds.credentialId,
  public_key:
    'pQECAyYgASFYIGVuAVCL0xO6dBQSEtfvjM5nsX1mTtlVVBnEnYGTDQ8FIlggb8Y3YiQEVuLrJ2vGVfAeWJyOdRxlRHn0UYVzrA5aZvE',
  transports: ['internal', 'hybrid'],
  backed_up: true,
  revision: 1,
  created_at: '2026-01-05T09:01:27.716Z',
  updated_at: '2026-01-05T09:01:27.716Z',
};

export const renamedPasskey = {...passkey, name: 'Laptop', revision: 2};

const used = {...passkey, last_used_at: '2026-01-06T08:14:00.000Z'};

export const passkeyExamples: Examples = {
  createPasskeyChallenge: {
    answer: {
      object: 'passkey_challenge',
      ticket: exampleIds.ticket,
      expires_at: '2026-01-05T09:06:00.000Z',
      public_key: {
        rp: {id: 'standup.example.com', name: 'Team Standup'},
        user: {
          id: 'd3NfMDFrZTZwNHltMDdmazlzMXMybTh4cTR2YnQueDQ3ZDFyajZ3MnQ4aDlrcQ',
          name: 'ada@example.com (Example)',
          displayName: 'Ada Lovelace',
        },
        challenge: 'q7Xn0m8kRZJ4cVtY2uPwLh5eKs9dGf3bTaMiNoQxUyE',
        pubKeyCredParams: [
          {type: 'public-key', alg: -8},
          {type: 'public-key', alg: -7},
          {type: 'public-key', alg: -257},
        ],
        timeout: 300_000,
        excludeCredentials: [],
        authenticatorSelection: {
          residentKey: 'required',
          requireResidentKey: true,
          userVerification: 'required',
        },
        attestation: 'none',
      },
    },
  },
  createPasskey: {
    body: {
      ticket: exampleIds.ticket,
      name: 'Chrome on Mac',
      credential: {
        id: exampleIds.credentialId,
        client_data_json: exampleIds.clientData,
        attestation_object: exampleIds.attestation,
        transports: ['internal', 'hybrid'],
      },
    },
    answer: {...passkey, last_used_at: null},
  },
  listPasskeys: {query: {limit: '20'}, answer: lastPage(used)},
  getPasskey: {answer: used},
  changePasskey: {body: {name: 'Laptop'}, answer: {...used, name: 'Laptop', revision: 2}},
  deletePasskey: {},
};
