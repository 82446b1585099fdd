import {type Examples, lastPage} from '../examples/example.js';
import {exampleIds} from '../examples/ids.js';

const mail = {
  id: exampleIds.mail,
  object: 'mail',
  kind: 'invite',
  to: 'grace@example.com',
  member: null,
  state: 'sent',
  attempts: 1,
  code: 250,
  detail: '250 OK',
  expires_at: '2026-01-12T09:01:27.000Z',
  created_at: '2026-01-05T09:01:27.716Z',
  updated_at: '2026-01-05T09:01:28.203Z',
  content: null,
};

export const mailExamples: Examples = {
  listMails: {query: {state: 'sent'}, answer: lastPage(mail)},
  getMail: {answer: mail},
  markMailAsBounced: {body: {detail: '550 5.1.1 No such user'}},
};
