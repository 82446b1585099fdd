import {type Examples, lastPage} from '../examples/example.js';
import {exampleIds} from '../examples/ids.js';

/**
 * The start of an example replay. Replays reach back 15 days, so the test of the examples uses a current
 * time.
 */
export const replayedSince = '2026-11-23T08:00:00.000Z';

const begun = {
  id: exampleIds.replay,
  object: 'replay',
  webhook_id: exampleIds.webhook,
  since: replayedSince,
  until: '2026-11-23T10:30:00.000Z',
  types: ['standup.created', 'standup.updated'],
  only: 'missed',
  dry_run: false,
  state: 'running',
  progress: {scanned: 0, total: 212, matched: 0, succeeded: 0, failed: 0},
  created_at: '2026-11-23T10:30:00.000Z',
  ended_at: null,
};

const ended = {
  ...begun,
  state: 'completed',
  progress: {scanned: 212, total: 212, matched: 61, succeeded: 60, failed: 1},
  ended_at: '2026-11-23T10:30:04.118Z',
};

export const replayExamples: Examples = {
  replayWebhook: {
    body: {since: replayedSince, types: begun.types, only: 'missed', dry_run: false},
    answer: begun,
  },
  listReplays: {query: {limit: '10'}, answer: lastPage(ended)},
  getReplay: {answer: ended},
  cancelReplay: {},
};
