import type {Examples} from '../examples/example.js';
import {exampleIds} from '../examples/ids.js';

const part = {
  source: 'github',
  update: 'Merged the retry page (#42).',
  links: [{url: 'https://github.com/acme/importer/pull/42', title: 'Show retries of the importer'}],
};

export const draftExamples: Examples = {
  getDraft: {
    query: {team: 'platform', date: '2026-11-23'},
    answer: {
      object: 'draft',
      member: exampleIds.member,
      team: 'platform',
      team_id: exampleIds.team,
      date: '2026-11-23',
      update: part.update,
      parts: [
        {
          ...part,
          answers: [],
          updated_by: {type: 'service_account', id: exampleIds.service_account},
          updated_at: '2026-11-23T08:12:00.000Z',
        },
      ],
    },
  },
  setDraftPart: {body: {team: 'platform', ...part}},
  deleteDraftParts: {query: {team: 'platform', source: part.source}},
};
