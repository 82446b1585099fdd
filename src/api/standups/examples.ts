import {type Examples, lastPage} from '../examples/example.js';
import {exampleIds} from '../examples/ids.js';

export const standup = {
  id: exampleIds.standup,
  object: 'standup',
  team: 'platform',
  team_id: exampleIds.team,
  update: 'Shipped the importer. Today: the retry page.',
  answers: [],
  questions_version: null,
  author: {type: 'service_account', id: exampleIds.service_account, name: 'ci'},
  posted_by: null,
  date: '2026-11-23',
  source: 'api',
  late: false,
  edited: false,
  edited_by: null,
  metadata: {ticket: 'PLAT-311'},
  imported: null,
  revision: 1,
  created_at: '2026-11-23T09:00:00.000Z',
  updated_at: '2026-11-23T09:00:00.000Z',
};

/** A thread with comments and reactions. */
export const thread = {
  comments: 3,
  last_comment_at: '2026-11-23T10:02:11.000Z',
  reactions: [{emoji: '👍', count: 2, mine: true, by: ['Ada Lovelace', 'Jonas Weber']}],
};

export const editedStandup = {
  ...standup,
  update: 'Shipped the importer. Today: the retry page and its tests.',
  edited: true,
  revision: 2,
  updated_at: '2026-11-23T09:14:30.512Z',
};

const shownStandup = {
  ...standup,
  slack: {
    channel_id: 'C024BE91L',
    message_ts: '1795424400.018300',
    permalink: 'https://acme.slack.com/archives/C024BE91L/p1795424400018300?thread_ts=1795424399.004100',
    problem: null,
  },
  thread,
};

const csvExample = [
  'id,date,team,team_id,author_type,author_id,author_name,source,late,edited,update,answers,metadata,revision,created_at,updated_at',
  `${standup.id},2026-11-23,platform,${standup.team_id},service_account,${standup.author.id},ci,api,false,false,${standup.update},[],"{""ticket"":""PLAT-311""}",1,${standup.created_at},${standup.updated_at}`,
].join('\r\n');

export const standupExamples: Examples = {
  postStandup: {
    body: {team: 'platform', update: standup.update, metadata: standup.metadata},
    answer: {...standup, slack: null, thread: {comments: 0, last_comment_at: null, reactions: []}},
  },
  listStandups: {
    query: {team: 'platform', date_from: '2026-11-23', date_to: '2026-11-27', limit: '50'},
    answer: lastPage(shownStandup),
  },
  exportStandups: {
    query: {format: 'ndjson', team: 'platform', date_from: '2026-11-01', date_to: '2026-11-30'},
    streams: {
      'application/x-ndjson': `${JSON.stringify(shownStandup)}\n`,
      'text/csv': `${csvExample}\r\n`,
    },
  },
  getStandup: {answer: shownStandup},
  listStandupRevisions: {
    answer: lastPage({
      id: exampleIds.standup_revision,
      object: 'standup_revision',
      standup: standup.id,
      update: standup.update,
      answers: standup.answers,
      questions_version: standup.questions_version,
      date: standup.date,
      metadata: standup.metadata,
      revision: 1,
      created_at: standup.created_at,
      updated_at: standup.updated_at,
    }),
  },
  editStandup: {
    body: {update: editedStandup.update},
    answer: {...editedStandup, slack: shownStandup.slack, thread},
  },
  deleteStandup: {},
};
