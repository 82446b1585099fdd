import {type Examples, lastPage} from '../examples/example.js';
import {exampleIds} from '../examples/ids.js';

const erasure = {
  id: exampleIds.erasure,
  object: 'erasure',
  state: 'running',
  erased: {
    team_places: 2,
    access_tokens: 3,
    absences: 4,
    blockers: 7,
    comments: 12,
    reactions: 31,
    standups: 90,
    traces: 0,
  },
  left: {
    team_places: 0,
    access_tokens: 0,
    absences: 0,
    blockers: 0,
    comments: 0,
    reactions: 0,
    standups: 121,
    traces: 3,
  },
  created_at: '2026-11-23T09:20:04.512Z',
  ended_at: null,
};

export const erasureExamples: Examples = {
  listErasures: {query: {limit: '20'}, answer: lastPage(erasure)},
  getErasure: {answer: erasure},
};
