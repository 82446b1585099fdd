import {type Examples, lastPage} from '../examples/example.js';
import {exampleIds} from '../examples/ids.js';

/** An example of a blocker as events show it, without the names of the people who acted on it. */
export const blocker = {
  id: exampleIds.blocker,
  object: 'blocker',
  team: 'platform',
  team_id: exampleIds.team,
  author: {type: 'service_account', id: exampleIds.service_account, name: 'ci'},
  text: 'CI is red.',
  state: 'raised',
  standup: null,
  question: null,
  acknowledged_by: null,
  acknowledged_at: null,
  resolved_by: null,
  resolved_at: null,
  revision: 1,
  created_at: '2026-11-23T09:00:00.000Z',
  updated_at: '2026-11-23T09:00:00.000Z',
};

const actor = {type: 'member', id: exampleIds.member};

export const acknowledgedBlocker = {
  ...blocker,
  state: 'acknowledged',
  acknowledged_by: actor,
  acknowledged_at: '2026-11-23T09:30:00.000Z',
  revision: 2,
  updated_at: '2026-11-23T09:30:00.128Z',
};

export const resolvedBlocker = {
  ...acknowledgedBlocker,
  state: 'resolved',
  resolved_by: actor,
  resolved_at: '2026-11-23T14:05:00.000Z',
  revision: 3,
  updated_at: '2026-11-23T14:05:00.093Z',
};

const named = {...actor, name: 'Ada Lovelace'};

export const blockerExamples: Examples = {
  raiseBlocker: {body: {team: 'platform', text: blocker.text}, answer: blocker},
  listBlockers: {
    query: {team: 'platform', state: 'open', limit: '50'},
    answer: lastPage({...acknowledgedBlocker, acknowledged_by: named}),
  },
  getBlocker: {answer: {...acknowledgedBlocker, acknowledged_by: named}},
  changeBlocker: {
    body: {state: 'acknowledged'},
    answer: {...acknowledgedBlocker, acknowledged_by: named},
  },
};
