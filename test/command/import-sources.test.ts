import {afterEach, describe, expect, it} from '@jest/globals';
import {dailybot, readDailybot} from '../../packages/cli/src/dailybot.js';
import {CommandError} from '../../packages/cli/src/errors.js';
import {geekbot, readGeekbot} from '../../packages/cli/src/geekbot.js';
import {createVendorReader, readKey, type Vendor} from '../../packages/cli/src/import-source.js';
import type {Outside} from '../../packages/cli/src/outside.js';
import {
  type DailybotData,
  type GeekbotData,
  type Reply,
  serve,
  serveDailybot,
  serveGeekbot,
  type StandIn,
} from './vendors.js';

let standIn: StandIn | undefined;
const waits: number[] = [];

afterEach(async () => {
  await standIn?.close();
  standIn = undefined;
  waits.length = 0;
});

/** The parts of the machine that reading needs. */
function createOutside(env: Readonly<Record<string, string>> = {}): Outside {
  const used: Partial<Outside> = {
    env,
    isInteractive: false,
    send: (request) => fetch(request),
    now: Date.now,
    showProgress: () => undefined,
    sleep: async (ms) => void waits.push(ms),
  };
  return used as Outside;
}

const readerOf = (vendor: Vendor, {url}: StandIn, key: string) =>
  createVendorReader(createOutside({[vendor.urlVariable]: url}), vendor, key);

const today = '2026-11-28';
const geekbotOptions = {confidential: false, today};

async function readFromGeekbot(data: GeekbotData, options = {}) {
  standIn = await serveGeekbot(data);
  return readGeekbot(readerOf(geekbot, standIn, 'geekbot-key'), {...geekbotOptions, ...options});
}

async function readFromDailybot(data: DailybotData, options = {}) {
  standIn = await serveDailybot(data);
  return readDailybot(readerOf(dailybot, standIn, 'dailybot-key'), {today, ...options});
}

const answer = (question: string, text: string | null, id = 1) => ({
  id,
  question_id: id,
  question,
  answer: text,
});

const report = (id: number, more = {}) => ({
  id,
  standup_id: 1,
  standup_name: 'Daily Standup',
  user_id: 'U1',
  posted_at: `2024-03-${10 + id}T08:00:00Z`,
  is_anonymous: false,
  is_confidential: false,
  answers: [answer('What did you do?', `Did ${id}.`)],
  ...more,
});

const daily = {
  id: 1,
  name: 'Daily Standup',
  timezone: 'Europe/Berlin',
  is_anonymous: false,
  is_confidential: false,
  members: [{id: 'U1', email: 'ada@example.com', realname: 'Ada  Lovelace', username: 'ada'}],
  questions: [{id: 1, text: 'What did you do?', position: 0, answer_type: 'text', choices: []}],
};

describe('reports of Geekbot', () => {
  it('are read from all pages, with names and addresses of the members of their standup', async () => {
    const {source, rows, leftOut} = await readFromGeekbot({
      standups: [daily],
      reports: [1, 2, 3, 4, 5].map((id) => report(id)),
    });
    expect(source).toBe('geekbot');
    expect(leftOut).toEqual([]);
    expect(rows.map(({external_id: id}) => id)).toEqual(['1', '2', '3', '4', '5']);
    expect(rows[0]).toEqual({
      external_id: '1',
      team: 'Daily Standup',
      posted_at: '2024-03-11T08:00:00.000Z',
      timezone: 'Europe/Berlin',
      author: {name: 'Ada Lovelace', external_id: 'U1', email: 'ada@example.com'},
      answers: [{question: 'question_1', label: 'What did you do?', type: 'text', value: 'Did 1.'}],
    });
  });

  it('that are confidential, anonymous, not finished or empty are left out and counted', async () => {
    const data = {
      standups: [daily, {...daily, id: 2, name: 'Retro', is_confidential: true}],
      reports: [
        report(1),
        report(2, {is_confidential: true}),
        report(3, {is_anonymous: true}),
        report(4, {user_id: null}),
        report(5, {posted_at: null}),
        report(6, {answers: [answer('What?', null), answer('And?', ' ')]}),
        report(7, {standup_id: 2, standup_name: 'Retro'}),
      ],
    };
    const {rows, leftOut} = await readFromGeekbot(data);
    expect(rows.map(({external_id: id}) => id)).toEqual(['1']);
    expect(leftOut).toEqual([
      {count: 2, reason: 'confidential (--confidential takes them)'},
      {count: 2, reason: 'anonymous'},
      {count: 1, reason: 'not finished'},
      {count: 1, reason: 'without an answer'},
    ]);
    await standIn?.close();
    const all = await readFromGeekbot(data, {confidential: true});
    expect(all.rows.map(({external_id: id}) => id)).toEqual(['1', '2', '7']);
  });

  it('have names of people who have left from the first version of the API', async () => {
    const {rows} = await readFromGeekbot({
      standups: [daily],
      reports: ['U1', 'U2', 'U3', 'U4'].map((user, index) => report(index + 1, {user_id: user})),
      team: {id: 1, name: 'Everyone', users: [{id: 'U2', username: 'bob', realname: 'Bob'}]},
      reportsV1: [{id: 3, member: {id: 'U3', realname: 'Cleo', username: 'cleo'}}],
    });
    expect(rows.map(({author}) => author)).toEqual([
      {name: 'Ada Lovelace', external_id: 'U1', email: 'ada@example.com'},
      {name: 'Bob', external_id: 'U2'},
      {name: 'Cleo', external_id: 'U3'},
      {name: 'U4', external_id: 'U4'},
    ]);
    expect(standIn?.asked.filter((path) => path.startsWith('/v1/reports'))).toHaveLength(2);
  });

  it('have the zone of their standup unless everyone has their own, or a zone is given', async () => {
    const data = {standups: [{...daily, timezone: 'user_local'}], reports: [report(1)]};
    expect((await readFromGeekbot(data)).rows[0]?.timezone).toBeUndefined();
    await standIn?.close();
    const given = await readFromGeekbot({standups: [daily], reports: [report(1)]}, {timezone: 'Asia/Tokyo'});
    expect(given.rows[0]?.timezone).toBeUndefined();
  });

  it('include those of the last day, although Geekbot leaves it out', async () => {
    await readFromGeekbot({standups: [daily], reports: []}, {since: '2024-03-01', until: '2024-03-12'});
    expect(standIn?.asked).toContainEqual(expect.stringContaining('since=2024-02-29&until=2024-03-14'));
  });

  it('come after the wait that Geekbot asks for', async () => {
    const {rows} = await readFromGeekbot({standups: [daily], reports: [report(1)], busy: '/v2/'});
    expect(rows).toHaveLength(1);
    expect(waits).toEqual([7_000, 7_000, 7_000]);
  });

  it('come with the days off that are not over', async () => {
    const period = (id: number, start: string, end: string, user = 'U1') => ({
      id,
      user_id: user,
      start_date: start,
      end_date: end,
      timezone: null,
    });
    const {absences} = await readFromGeekbot({
      standups: [daily],
      reports: [],
      ooo: [
        period(1, '2026-11-20', '2026-11-27'),
        period(2, '2026-11-27', today),
        period(3, '2026-12-24', '2027-01-02'),
        period(4, 'soon', 'later'),
        period(5, '2026-12-01', '2026-12-02', 'U9'),
      ],
    });
    expect(absences).toEqual([
      {name: 'Ada  Lovelace', email: 'ada@example.com', from: '2026-11-27', until: today},
      {name: 'Ada  Lovelace', email: 'ada@example.com', from: '2026-12-24', until: '2027-01-02'},
    ]);
  });
});

const response = (uuid: string, more = {}) => ({
  uuid,
  response_date: '2024-03-14',
  created_at: '2024-03-14T07:30:00Z',
  response_completed: true,
  user: {uuid: 'u-1', full_name: 'Ada Lovelace'},
  responses: [
    {uuid: 'q-1', index: 0, response: 'Shipped it.'},
    {uuid: 'q-2', index: 1, response: null},
  ],
  ...more,
});

const users = [
  {uuid: 'u-1', full_name: 'Ada Lovelace', email: 'ada@example.com', timeoff_start: null, timeoff_end: null},
  {
    uuid: 'u-2',
    full_name: 'Bob',
    email: 'bob@example.com',
    timeoff_start: '2026-11-27',
    timeoff_end: '2026-12-01',
  },
  {
    uuid: 'u-3',
    full_name: 'Cleo',
    email: 'cleo@example.com',
    timeoff_start: '2025-01-01',
    timeoff_end: '2025-01-02',
  },
  {uuid: 'u-4', full_name: 'Dora', email: 'dora@example.com'},
];

describe('responses of DailyBot', () => {
  it('are read from all pages and all days, with the questions of their check-in', async () => {
    const {source, rows, absences} = await readFromDailybot({
      users,
      checkins: [{uuid: 'c-1', name: 'Team standups', anonymous: false, questions: ['Yesterday?', 'Today?']}],
      responses: {'c-1': Array.from({length: 7}, (_, index) => response(`r-${index}`))},
    });
    expect(source).toBe('dailybot');
    expect(rows).toHaveLength(7);
    expect(rows[0]).toEqual({
      external_id: 'r-0',
      team: 'Team standups',
      date: '2024-03-14',
      posted_at: '2024-03-14T07:30:00.000Z',
      author: {name: 'Ada Lovelace', external_id: 'u-1', email: 'ada@example.com'},
      answers: [{question: 'question_1', label: 'Yesterday?', type: 'text', value: 'Shipped it.'}],
    });
    expect(absences).toEqual([
      {name: 'Bob', email: 'bob@example.com', from: '2026-11-27', until: '2026-12-01'},
    ]);
  });

  it('are read from all pages that have a count alone', async () => {
    const {rows} = await readFromDailybot({
      users,
      isCounted: true,
      checkins: [{uuid: 'c-1', name: 'Team standups', questions: ['Yesterday?']}],
      responses: {'c-1': Array.from({length: 7}, (_, index) => response(`r-${index}`))},
    });
    expect(rows).toHaveLength(7);
  });

  it('are read in the other shape of its documentation too', async () => {
    const questions = [
      {uuid: 'q-2', order: 1, question: 'Today?'},
      {uuid: 'q-1', order: 0, question: 'Yesterday?'},
    ];
    const {rows} = await readFromDailybot({
      users,
      isBare: true,
      checkins: [{id: 'c-1', name: 'Team standups', is_anonymous: false, questions}],
      responses: {
        'c-1': [
          {
            id: 'r-1',
            response_date: '2024-03-14T00:00:00Z',
            user_uuid: 'u-2',
            responses: [
              {uuid: 'q-1', response: ['Office', 'Home']},
              {uuid: 'q-2', response: true},
            ],
          },
          {
            response_date: '2024-03-15',
            user: 'u-9',
            user_full_name: 'Zoe',
            responses: [{index: 1, response: 4}],
          },
        ],
      },
    });
    expect(rows).toEqual([
      {
        external_id: 'r-1',
        team: 'Team standups',
        date: '2024-03-14',
        author: {name: 'Bob', external_id: 'u-2', email: 'bob@example.com'},
        answers: [
          {question: 'question_1', label: 'Yesterday?', type: 'text', value: 'Office, Home'},
          {question: 'question_2', label: 'Today?', type: 'text', value: 'yes'},
        ],
      },
      {
        external_id: 'c-1/u-9/2024-03-15',
        team: 'Team standups',
        date: '2024-03-15',
        author: {name: 'Zoe', external_id: 'u-9'},
        answers: [{question: 'question_1', label: 'Today?', type: 'text', value: '4'}],
      },
    ]);
  });

  it('that are anonymous, not finished, empty or without a date are left out and counted', async () => {
    const {rows, leftOut} = await readFromDailybot({
      users,
      checkins: [
        {uuid: 'c-1', name: 'Standups', questions: []},
        {uuid: 'c-2', name: 'Secret', is_anonymous: true, questions: []},
      ],
      responses: {
        'c-1': [
          response('r-1'),
          response('r-2', {response_completed: false}),
          response('r-3', {responses: []}),
          response('r-4', {response_date: '2024-03-1x', created_at: 'then'}),
        ],
        'c-2': [response('r-5')],
      },
    });
    expect(rows.map(({external_id: id}) => id)).toEqual(['r-1']);
    expect(leftOut).toEqual([
      {count: 1, reason: 'not finished'},
      {count: 1, reason: 'without an answer'},
      {count: 1, reason: 'without a date'},
      {count: 1, reason: 'anonymous'},
    ]);
  });

  it('come with the number of people who were seen, as a key of a member shows only their own', async () => {
    const {notes} = await readFromDailybot({
      users,
      checkins: [{uuid: 'c-1', name: 'Standups', questions: ['Yesterday?']}],
      responses: {'c-1': [response('r-1')]},
    });
    expect(notes).toEqual([
      'DailyBot shows responses of 1 of 4 people to this key. The key of a member shows only their own.',
    ]);
  });
});

describe('the API of another product', () => {
  const read = async (reply: (count: number) => Reply, path = '/v2/standups') => {
    let count = 0;
    standIn = await serve(() => reply(++count));
    return readerOf(geekbot, standIn, 'k')(path).catch((error: unknown) => error as CommandError);
  };

  it.each([
    [401, 'forbidden', 'Geekbot refuses this key for /v2/standups (401).'],
    [404, 'unreachable', expect.stringContaining('Geekbot answers with 404')],
    [302, 'unreachable', expect.stringContaining('Geekbot answers with 302')],
  ])('that answers with %i ends the import with a sentence', async (status, reason, message) => {
    const headers = {location: 'http://127.0.0.1:1/elsewhere'};
    expect(await read(() => ({status, headers, body: {}}))).toMatchObject({reason, message});
    expect(standIn?.asked).toHaveLength(1);
  });

  it('that fails for a moment is asked again', async () => {
    expect(await read((count) => ({status: count < 3 ? 503 : 200, body: {data: count}}))).toEqual({data: 3});
    expect(waits).toEqual([1_000, 5_000]);
  });

  it('that asks to wait until a date or for no time is asked again after it', async () => {
    const date = new Date(Date.now() + 90_000).toUTCString();
    const values = [date, '0', ''];
    await read((count) => ({
      status: count <= values.length ? 429 : 200,
      headers: {'retry-after': values[count - 1] ?? ''},
      body: {},
    }));
    const [first = 0, ...others] = waits;
    expect(first).toBeGreaterThan(80_000);
    expect(first).toBeLessThanOrEqual(90_000);
    expect(others).toEqual([1_000, 30_000]);
  });

  it.each(['', 'null', '<html>', '[1, "x", null]', '{"data": {"id": 1}}', '{"data": [null, 5, {"id": {}}]}'])(
    'that answers with %j gives no rows, or a sentence',
    async (body) => {
      standIn = await serve(() => ({body}));
      const reader = readerOf(geekbot, standIn, 'k');
      const other = readerOf(dailybot, standIn, 'k');
      for (const reading of [readGeekbot(reader, geekbotOptions), readDailybot(other, {today})]) {
        const found = await reading.catch((error: unknown) => error);
        expect(found instanceof CommandError ? [] : (found as {rows: unknown}).rows).toEqual([]);
      }
    },
  );

  it('that answers with more than 64 MiB is left', async () => {
    const body = JSON.stringify('x'.repeat(64 * 1_024 * 1_024));
    expect(await read(() => ({body}))).toMatchObject({message: 'The answer of Geekbot is too large.'});
  });

  it('that repeats a page for ever is left', async () => {
    const page = {data: [daily], next_cursor: 'again', has_more: true};
    standIn = await serve(() => ({body: page}));
    await expect(readGeekbot(readerOf(geekbot, standIn, 'k'), geekbotOptions)).rejects.toThrow(
      'Geekbot repeats a page of /v2/standups.',
    );
  });

  it('gets no key over a connection that is not encrypted', () => {
    const outside = createOutside({GEEKBOT_URL: 'http://geekbot.example'});
    expect(() => createVendorReader(outside, geekbot, 'k')).toThrow('is not encrypted');
  });

  it('gets the key of the environment, or the one that a person types', async () => {
    expect(await readKey(createOutside({GEEKBOT_API_KEY: 'from-env'}), geekbot)).toBe('from-env');
    await expect(readKey(createOutside(), geekbot)).rejects.toThrow('Set GEEKBOT_API_KEY');
    const asked: unknown[] = [];
    const ask: Outside['ask'] = async (...args) => {
      asked.push(args[1]);
      return 'typed';
    };
    expect(await readKey({...createOutside(), isInteractive: true, ask}, geekbot)).toBe('typed');
    expect(asked).toEqual([{isSecret: true}]);
    await expect(readKey(createOutside({GEEKBOT_API_KEY: 'two words'}), geekbot)).rejects.toThrow('no key');
  });
});
