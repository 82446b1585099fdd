import {afterAll, beforeAll, describe, expect, it} from '@jest/globals';
import {
  type Json,
  sendRequest,
  startService,
  type TestResponse,
  type TestService,
  type TestWorkspace,
} from '../../support/service.js';
import {expectProblem} from '../http/expect-problem.js';
import {make} from '../samples.js';
import {deep, sampleUnlessDeep} from '../../support/deep.js';

let service: TestService;
let workspace: TestWorkspace;
let bot: {value: string};
/** All standups of the workspace, newest first. */
let all: Json[];

const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);

/** 24 standups of two teams by two authors on four days, in a mixed order. */
beforeAll(async () => {
  service = await startService();
  workspace = await service.addWorkspace();
  bot = await workspace.addToken({name: 'bot'});
  await make(workspace, '/v1/teams', {slug: 'data'});
  const made: Json[] = [];
  for (let i = 0; i < 24; i++) {
    const {body} = await workspace.request('POST', '/v1/standups', {
      body: {team: i % 2 === 0 ? 'platform' : 'data', update: `Update ${i}`, date: day(-((i * 3) % 4))},
      ...(i % 3 === 0 && {token: bot.value}),
    });
    made.push(body);
  }
  all = made.toReversed().toSorted((a, b) => b.date.localeCompare(a.date));
});

afterAll(() => service.close());

const list = (query: string) => workspace.request('GET', `/v1/standups${query}`);
const ids = (answer: TestResponse): string[] => answer.body.data.map(({id}: Json) => id);

/** Follows the Link header from page to page. */
async function walk(query: string): Promise<{rows: string[]; pages: number}> {
  const rows: string[] = [];
  for (let pages = 1, path = `/v1/standups${query}`; ; pages++) {
    const answer = await workspace.request('GET', path);
    rows.push(...ids(answer));
    const link = answer.headers.get('link');
    expect(answer.body.has_more).toBe(link !== null);
    expect(answer.body.next_cursor === null).toBe(link === null);
    if (link === null) return {rows, pages};
    const url = new URL(/^<([^>]+)>; rel="next"$/.exec(link)?.[1] ?? '');
    expect(url.searchParams.get('cursor')).toBe(answer.body.next_cursor);
    path = url.pathname + url.search;
  }
}

/** Creation time of the n-th newest standup. */
const createdAt = (n: number): string =>
  all
    .map(({created_at}) => created_at as string)
    .toSorted()
    .toReversed()[n] ?? '';

/** The same instant with the offset of Kathmandu. */
const inOffset = (instant: string): string =>
  `${new Date(Date.parse(instant) + 345 * 60_000).toISOString().slice(0, -1)}+05:45`;

const author = (name: string) => all.find((standup) => standup.author.name === name).author.id as string;

it('a list is sorted newest first, by date and then by time of posting, and shows each standup as GET does', async () => {
  const {body} = await list('?limit=100');
  expect(body).toEqual({object: 'list', data: all, has_more: false, next_cursor: null});
  expect((await workspace.request('GET', `/v1/standups/${all[0].id}`)).body).toEqual(all[0]);
});

describe('a filter of standups', () => {
  const cases: [string, () => string, (standup: Json) => boolean][] = [
    ['team', () => '?team=data', ({team}) => team === 'data'],
    ['a team by its id', () => `?team=${workspace.team}`, ({team}) => team === 'platform'],
    ['a team in capitals', () => '?team=DATA', ({team}) => team === 'data'],
    [
      'two teams, one of them in three spellings',
      () => `?team=data,platform,${workspace.team},PLATFORM`,
      () => true,
    ],
    ['one team in two spellings', () => `?team=data,DATA`, ({team}) => team === 'data'],
    [
      'two teams, author and days together',
      () => `?team=platform,data&author=${author('bot')}&date_from=${day(-2)}`,
      (standup) => standup.author.name === 'bot' && standup.date >= day(-2),
    ],
    [
      'two teams and a part of the text',
      () => '?team=platform,data&q=date 1',
      ({update}) => update.includes('date 1'),
    ],
    ['author', () => `?author=${author('bot')}`, (standup) => standup.author.name === 'bot'],
    [
      'team and author together',
      () => `?team=data&author=${author('bot')}`,
      ({team, author: {name}}) => team === 'data' && name === 'bot',
    ],
    ['date', () => `?date=${day(-1)}`, ({date}) => date === day(-1)],
    ['date_from, that day included', () => `?date_from=${day(-1)}`, ({date}) => date >= day(-1)],
    ['date_to, that day included', () => `?date_to=${day(-2)}`, ({date}) => date <= day(-2)],
    [
      'a range of days',
      () => `?date_from=${day(-2)}&date_to=${day(-1)}`,
      ({date}) => date >= day(-2) && date <= day(-1),
    ],
    [
      'all filters at once',
      () => `?team=platform&author=${author('ci')}&date_from=${day(-2)}&date_to=${day(0)}`,
      ({team, author: {name}, date}) => team === 'platform' && name === 'ci' && date >= day(-2),
    ],
    ['source', () => '?source=api', () => true],
    ['a source without standups', () => '?source=carrier_pigeon', () => false],
    ['a part of the text', () => '?q=date 1', ({update}) => update.includes('date 1')],
    ['a part of the text in another case', () => '?q=UPDATE%2023', ({update}) => update === 'Update 23'],
    ['a text without a match', () => '?q=zzz', () => false],
    [
      'created_after, that instant not included',
      () => `?created_after=${createdAt(7)}`,
      ({created_at}) => created_at > createdAt(7),
    ],
    [
      'created_before, that instant not included',
      () => `?created_before=${createdAt(7)}`,
      ({created_at}) => created_at < createdAt(7),
    ],
    [
      'instants in another offset',
      () => `?created_after=${encodeURIComponent(inOffset(createdAt(3)))}&created_before=${createdAt(15)}`,
      ({created_at}) => created_at > createdAt(3) && created_at < createdAt(15),
    ],
    [
      'text, team and days together',
      () => `?q=update 1&team=data&date_from=${day(-2)}`,
      ({update, team, date}) => update.startsWith('Update 1') && team === 'data' && date >= day(-2),
    ],
    ['a reversed range', () => `?date_from=${day(0)}&date_to=${day(-1)}`, () => false],
    ['a day without standups', () => '?date=1999-01-01', () => false],
    ['an author without standups', () => '?author=mem_01jd0000007000000000000000', () => false],
  ];

  it.each(cases)('finds exactly the matching standups by %s', async (_, query, keeps) => {
    const newestFirst = all.filter(keeps).map(({id}) => id);
    for (const order of deep ? ['', '&order=desc', '&order=asc'] : ['', '&order=asc']) {
      const wanted = order === '&order=asc' ? newestFirst.toReversed() : newestFirst;
      expect(ids(await list(`${query()}${order}&limit=100`))).toEqual(wanted);
      for (const limit of deep ? [1, 3, 5] : [5]) {
        const {rows} = await walk(`${query()}${order}&limit=${limit}`);
        expect({order, limit, rows}).toEqual({order, limit, rows: wanted});
      }
    }
  });
});

describe('several teams in one query of standups', () => {
  it('leave out the standups of all other teams', async () => {
    const three = await service.addWorkspace();
    for (const slug of ['data', 'design']) await make(three, '/v1/teams', {slug});
    const posts: Json[] = [];
    for (let i = 0; i < 9; i++) {
      const team = ['platform', 'data', 'design'][i % 3];
      posts.unshift(await make(three, '/v1/standups', {team, update: `${i}`}));
    }
    const found = ids(await three.request('GET', '/v1/standups?team=design,platform'));
    expect(found).toEqual(posts.filter(({team}) => team !== 'data').map(({id}) => id));
  });

  it('are refused with an error for each unknown name, which says its place', async () => {
    const answer = await list('?team=data,nobody,platform,dato');
    expectProblem(answer, 'team_not_found', {parameter: 'team'});
    const details = answer.body.errors.map(({detail}: Json) => detail);
    expect(details).toEqual([
      expect.stringContaining('Name 2 of `team` is unknown. There is no team "nobody"'),
      expect.stringContaining('Name 4 of `team` is unknown. There is no team "dato"'),
    ]);
    expect(details[1]).toContain('Did you mean "data"?');
  });

  it('regression: are looked up for similar names a few times only, however many are unknown', async () => {
    const unknown = Array.from({length: 10}, (_, i) => `dat${i}`);
    const {body} = await list(`?team=${unknown.join()}`);
    const hints = body.errors.filter(({detail}: Json) => detail.includes('Did you mean "data"?'));
    expect([body.errors.length, hints.length]).toEqual([10, 3]);
  });

  it('are at most ten', async () => {
    expect((await list(`?team=${Array(10).fill('data').join()}`)).status).toBe(200);
    const answer = await list(`?team=${Array(11).fill('data').join()}`);
    expectProblem(answer, 'invalid_parameter', {parameter: 'team'});
    expect(answer.body.detail).toContain('at most 10 teams');
  });

  it('are refused without a name between two commas, or with one that is too long', async () => {
    expect((await list('?team=data,,platform')).body.detail).toContain('name 2 must not be empty');
    expect((await list(`?team=data,${'x'.repeat(81)}`)).body.detail).toContain('name 2 has at most 80');
  });
});

describe('pages of standups', () => {
  it.each([1, 5, 23, 24, 25])('show everything once, in order, with %d rows each', async (limit) => {
    const {rows, pages} = await walk(`?limit=${limit}`);
    expect(rows).toEqual(all.map(({id}) => id));
    expect(pages).toBe(Math.ceil(24 / limit));
  });

  it('have 25 rows by default', async () => {
    const crowded = await service.addWorkspace();
    for (let i = 0; i < 26; i++) await make(crowded, '/v1/standups', {team: 'platform', update: `${i}`});
    const {body} = await crowded.request('GET', '/v1/standups');
    expect({rows: body.data.length, more: body.has_more}).toEqual({rows: 25, more: true});
  });

  it.each(['0', '101', '-1', '1.5', 'ten', '', '1e1', '0x10', '00000001'])(
    'cannot have %j rows',
    async (limit) => {
      expectProblem(await list(`?limit=${limit}`), 'invalid_parameter', {parameter: 'limit'});
    },
  );

  it('lose or repeat no row after a post and after deletions around the cursor', async () => {
    const busy = await service.addWorkspace();
    const post = (update: string) => make(busy, '/v1/standups', {team: 'platform', update});
    const rows: Json[] = [];
    for (let i = 0; i < 9; i++) rows.unshift(await post(`${i}`));
    const first = await busy.request('GET', '/v1/standups?limit=3');
    expect(ids(first)).toEqual(rows.slice(0, 3).map(({id}) => id));
    await post('In between.');
    for (const {id} of rows.slice(2, 4)) await busy.request('DELETE', `/v1/standups/${id}`);
    const next = await busy.request('GET', `/v1/standups?limit=100&cursor=${first.body.next_cursor}`);
    expect(ids(next)).toEqual(rows.slice(4).map(({id}) => id));
  });

  it('regression: end if everything after the cursor has been deleted', async () => {
    const busy = await service.addWorkspace();
    const rows: Json[] = [];
    for (let i = 0; i < 3; i++)
      rows.unshift(await make(busy, '/v1/standups', {team: 'platform', update: `${i}`}));
    const first = await busy.request('GET', '/v1/standups?limit=2');
    await busy.request('DELETE', `/v1/standups/${rows[2].id}`);
    const next = await busy.request('GET', `/v1/standups?limit=2&cursor=${first.body.next_cursor}`);
    expect(next.body).toEqual({object: 'list', data: [], has_more: false, next_cursor: null});
  });

  it('lose or repeat no row in ascending order, and reach new standups', async () => {
    const busy = await service.addWorkspace();
    const post = (update: string) => make(busy, '/v1/standups', {team: 'platform', update});
    const rows: Json[] = [];
    for (let i = 0; i < 6; i++) rows.push(await post(`${i}`));
    const first = await busy.request('GET', '/v1/standups?order=asc&limit=3');
    expect(ids(first)).toEqual(rows.slice(0, 3).map(({id}) => id));
    rows.push(await post('In between.'));
    for (const {id} of rows.slice(2, 4)) await busy.request('DELETE', `/v1/standups/${id}`);
    const query = `?order=asc&limit=100&cursor=${first.body.next_cursor}`;
    expect(ids(await busy.request('GET', `/v1/standups${query}`))).toEqual(rows.slice(4).map(({id}) => id));
  });

  it('show a standup at its new position when its date changes', async () => {
    const moving = await service.addWorkspace();
    const post = (update: string, date: string) =>
      make(moving, '/v1/standups', {team: 'platform', update, date});
    const old = await post('Old', day(-3));
    const recent = await post('Recent', day(0));
    const middle = await post('Middle', day(-1));
    const read = async (query = '') => ids(await moving.request('GET', `/v1/standups${query}`));
    expect(await read()).toEqual([recent.id, middle.id, old.id]);
    await moving.request('PATCH', `/v1/standups/${recent.id}`, {body: {date: day(-2)}});
    expect(await read()).toEqual([middle.id, recent.id, old.id]);
    expect(await read(`?team=platform&date=${day(-2)}`)).toEqual([recent.id]);
    expect(await read(`?author=${recent.author.id}&date=${day(0)}`)).toEqual([]);
    // Within a day the order stays that of posting.
    await moving.request('PATCH', `/v1/standups/${middle.id}`, {body: {date: day(-2)}});
    expect(await read()).toEqual([middle.id, recent.id, old.id]);
  });
});

describe('a cursor of the list of standups', () => {
  let cursor: string;
  beforeAll(async () => {
    cursor = (await list('?team=data&limit=2')).body.next_cursor;
  });

  it('continues with the same filters in any order and another limit', async () => {
    expect((await list(`?cursor=${cursor}&limit=7&team=data`)).status).toBe(200);
  });

  it('is refused with other filters, in another list, and in another workspace', async () => {
    const other = await service.addWorkspace();
    await make(other, '/v1/teams', {slug: 'data'});
    const refused = [
      list(`?cursor=${cursor}`),
      list(`?cursor=${cursor}&team=platform`),
      list(`?cursor=${cursor}&team=DATA`),
      list(`?cursor=${cursor}&team=data&date=${day(0)}`),
      list(`?cursor=${cursor}&team=data&order=asc`),
      list(`?cursor=${cursor}&team=data&q=update`),
      workspace.request('GET', `/v1/events/stream?after=${cursor}`),
      workspace.request('GET', `/v1/teams?cursor=${cursor}`),
      workspace.request('GET', `/v1/events?cursor=${cursor}`),
      other.request('GET', `/v1/standups?cursor=${cursor}&team=data`),
    ];
    for (const answer of await Promise.all(refused))
      expectProblem(answer, 'invalid_cursor', {parameter: answer.body.errors[0].parameter});
  });

  it('is refused when a character of it is changed, left out or added', async () => {
    const flip = (i: number) => `${cursor.slice(0, i)}${cursor[i] === 'a' ? 'b' : 'a'}${cursor.slice(i + 1)}`;
    const edited = [...cursor].map((_, i) => flip(i));
    for (const one of [
      ...sampleUnlessDeep(edited, 8),
      cursor.slice(0, -1),
      cursor.slice(1),
      `${cursor}0`,
      `0${cursor}`,
      '',
      'ü'.repeat(16),
    ]) {
      const answer = await list(`?team=data&cursor=${encodeURIComponent(one)}`);
      expect({cursor: one, code: answer.body.code}).toEqual({cursor: one, code: 'invalid_cursor'});
    }
  });

  it('works in another process', async () => {
    const twin = await startService({redisUrl: service.redisUrl});
    try {
      const path = `/v1/standups?team=data&cursor=${cursor}`;
      const there = await sendRequest(twin.url, 'GET', path, {token: workspace.token});
      expect(there.body).toEqual((await workspace.request('GET', path)).body);
    } finally {
      await twin.close();
    }
  });
});

describe('a query for standups', () => {
  it.each([
    ['with a parameter that is not known', '?teams=data', 'teams'],
    ['with a parameter whose letters have another case', '?Team=data', 'Team'],
    ['with a parameter that every object has', '?__proto__=x', '__proto__'],
    ['with a parameter that is given twice', '?team=data&team=platform', 'team'],
    ['with a date that does not exist', '?date=2026-02-30', 'date'],
    ['with a date beside a range', `?date=2026-01-01&date_from=2026-01-01`, 'date'],
    ['with an author that is a name', '?author=ci', 'author'],
    ['with an empty team', '?team=', 'team'],
    ['with an unknown order', '?order=newest', 'order'],
    ['with an empty search', '?q=', 'q'],
    ['with a search for spaces', '?q=%20%20', 'q'],
    ['with a search that is too long', `?q=${'x'.repeat(101)}`, 'q'],
    ['with a day for an instant', '?created_after=2026-11-23', 'created_after'],
    ['with an instant without its offset', '?created_after=2026-11-23T09:00:00', 'created_after'],
    ['with an instant whose + is a space', '?created_before=2026-11-23T09:00:00+01:00', 'created_before'],
    [
      'with an instant of a day that does not exist',
      '?created_before=2026-02-30T09:00:00Z',
      'created_before',
    ],
    ['with a source that cannot be one', '?source=API', 'source'],
  ])('is refused %s', async (_, query, parameter) => {
    expectProblem(await list(query), 'invalid_parameter', {parameter});
  });

  it('is refused where no parameter is allowed', async () => {
    expectProblem(await workspace.request('GET', '/v1/me?x=1'), 'invalid_parameter', {parameter: 'x'});
    const body = {team: 'platform', update: 'A'};
    const posted = await workspace.request('POST', '/v1/standups?force=true', {body});
    expectProblem(posted, 'invalid_parameter', {parameter: 'force'});
  });
});
