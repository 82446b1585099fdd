import {type Examples, lastPage} from '../examples/example.js';
import {exampleIds} from '../examples/ids.js';

const item = {
  object: 'inbox_item',
  standup: exampleIds.standup,
  team: 'platform',
  team_id: exampleIds.team,
  date: '2026-11-23',
  author: {type: 'member', id: exampleIds.member, name: 'Ada Lovelace'},
  unread: 1,
  reasons: ['reply'],
  muted: false,
  latest: {
    reason: 'reply',
    by: {type: 'service_account', id: exampleIds.service_account, name: 'ci'},
    comment: exampleIds.comment,
    blocker: null,
    excerpt: 'On it: the queue was full.',
    sequence: 4_711,
    at: '2026-11-23T09:04:12.351Z',
  },
};

export const inboxExamples: Examples = {
  listInbox: {query: {unread: 'true'}, answer: lastPage(item)},
  readInbox: {body: {standups: [exampleIds.standup], until: item.latest.sequence}},
};
