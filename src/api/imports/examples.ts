import {type Examples, lastPage} from '../examples/example.js';
import {exampleIds} from '../examples/ids.js';

const noRows = {
  created: 0,
  existing: 0,
  unknown_team: 0,
  bad_date: 0,
  older_than_retention: 0,
  run_exists: 0,
  left_out: 0,
  invalid: 0,
};

const begun = {
  id: exampleIds.import,
  object: 'import',
  source: 'geekbot',
  timezone: 'Europe/Berlin',
  dry_run: false,
  state: 'open',
  counts: noRows,
  near_midnight: 0,
  removed: 0,
  kept: 0,
  ended_at: null,
  revision: 1,
  created_at: '2026-11-23T10:30:00.000Z',
  updated_at: '2026-11-23T10:30:00.000Z',
};

const counts = {...noRows, created: 1, bad_date: 1};

export const completedImport = {
  ...begun,
  state: 'completed',
  counts,
  ended_at: '2026-11-23T10:31:00.000Z',
  revision: 3,
  updated_at: '2026-11-23T10:31:00.000Z',
};

export const importExamples: Examples = {
  createImport: {
    body: {
      source: 'geekbot',
      timezone: 'Europe/Berlin',
      people: [{person: 'U024BE7LH', member: exampleIds.member}],
    },
    answer: begun,
  },
  addImportRows: {
    body: {
      rows: [
        {
          external_id: '7431',
          team: 'platform',
          date: '2024-03-14',
          posted_at: '2024-03-14T08:12:00Z',
          author: {name: 'Ada Lovelace', external_id: 'U024BE7LH'},
          answers: [
            {
              question: 'yesterday',
              label: 'What did you do yesterday?',
              type: 'text',
              value: 'Shipped the importer.',
            },
          ],
        },
        {
          external_id: '7432',
          team: 'platform',
          date: '1998-03-15',
          author: {name: 'Ada Lovelace', external_id: 'U024BE7LH'},
          update: 'Before it all.',
        },
      ],
    },
    answer: {
      object: 'import_rows',
      import: exampleIds.import,
      counts,
      near_midnight: 0,
      not_created: [{index: 1, outcome: 'bad_date', errors: []}],
      authors: [{index: 0, member: exampleIds.member, former: false}],
    },
  },
  finishImport: {answer: completedImport},
  listImports: {query: {limit: '10'}, answer: lastPage(completedImport)},
  getImport: {answer: completedImport},
  cancelImport: {query: {rows: 'remove'}},
};
