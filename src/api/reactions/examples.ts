import {type Examples, lastPage} from '../examples/example.js';
import {exampleIds} from '../examples/ids.js';

export const reaction = {
  id: exampleIds.reaction,
  object: 'reaction',
  subject: exampleIds.standup,
  team: 'platform',
  team_id: exampleIds.team,
  author: {type: 'service_account', id: exampleIds.service_account, name: 'ci'},
  emoji: ['👍'],
  revision: 1,
  created_at: '2026-11-23T09:00:00.000Z',
  updated_at: '2026-11-23T09:00:00.000Z',
};

export const longerReaction = {
  ...reaction,
  emoji: ['👍', '🎉'],
  revision: 2,
  updated_at: '2026-11-23T09:05:00.000Z',
};

export const reactionExamples: Examples = {
  changeReaction: {
    body: {subject: exampleIds.standup, add: ['👍']},
    answer: {
      object: 'reaction_summary',
      subject: exampleIds.standup,
      reactions: [{emoji: '👍', count: 1, mine: true, by: ['ci']}],
    },
  },
  listReactions: {query: {subject: exampleIds.standup, limit: '50'}, answer: lastPage(reaction)},
};
