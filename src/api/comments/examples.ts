import {type Examples, lastPage} from '../examples/example.js';
import {exampleIds} from '../examples/ids.js';

export const comment = {
  id: exampleIds.comment,
  object: 'comment',
  standup: exampleIds.standup,
  team: 'platform',
  team_id: exampleIds.team,
  author: {type: 'service_account', id: exampleIds.service_account, name: 'ci'},
  text: 'On it: the queue was full.',
  source: 'api',
  edited: false,
  revision: 1,
  created_at: '2026-11-23T09:04:12.351Z',
  updated_at: '2026-11-23T09:04:12.351Z',
};

export const editedComment = {
  ...comment,
  text: 'Done: the queue was full.',
  edited: true,
  revision: 2,
  updated_at: '2026-11-23T09:31:07.118Z',
};

export const commentExamples: Examples = {
  createComment: {body: {standup: exampleIds.standup, text: comment.text}, answer: comment},
  listComments: {query: {standup: exampleIds.standup, limit: '50'}, answer: lastPage(editedComment)},
  getComment: {answer: editedComment},
  editComment: {body: {text: editedComment.text}, answer: editedComment},
  deleteComment: {},
};
