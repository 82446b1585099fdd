import {afterAll, beforeAll, describe, expect, it} from '@jest/globals';
import {suffixOf} from '../../../src/domain/core/ids.js';
import type {RedisCommand} from '../../../src/store/core/connection.js';
import {workspaceKeys} from '../../../src/store/core/keys.js';
import {type Json, startService, type TestService, type TestWorkspace} from '../../support/service.js';
import {expectProblem} from '../http/expect-problem.js';
import {eventsOf, make} from '../samples.js';

let service: TestService;
let workspace: TestWorkspace;

beforeAll(async () => {
  service = await startService();
  workspace = await service.addWorkspace();
});

afterAll(() => service.close());

const day = (offset: number, timezone = 'UTC') =>
  new Date(Date.now() + offset * 86_400_000).toLocaleDateString('en-CA', {timeZone: timezone});

const post = (body: Json, token?: string) =>
  workspace.request('POST', '/v1/standups', {
    body: {team: 'platform', update: 'Words.', ...body},
    ...(token !== undefined && {token}),
  });

const patch = (id: string, body: Json) => workspace.request('PATCH', `/v1/standups/${id}`, {body});

describe('the format of a standup', () => {
  const formatted = {update: '**Done**: [the PR](https://a.example/1)', format: 'markdown'};

  it('the format of a standup is stored, and shown after `object` in every answer and event', async () => {
    const {status, body} = await post(formatted);
    expect(status).toBe(201);
    expect(Object.keys(body).slice(0, 3)).toEqual(['id', 'object', 'format']);
    expect(body).toMatchObject(formatted);
    expect((await workspace.request('GET', `/v1/standups/${body.id}`)).body).toEqual(body);
    const {slack: _, thread: __, ...resource} = body;
    expect((await eventsOf(workspace)).at(-1)?.data).toEqual(resource);
    const {people} = (await workspace.request('GET', '/v1/teams/platform/days/today')).body;
    expect(JSON.stringify(people)).not.toContain('"format":"plain"');
  });

  it('the format is left out of a plain standup, whose record is the same as without formats', async () => {
    const {connection} = service.core.store;
    const read = async ({id}: Json) => {
      const key = workspaceKeys(workspace.id).record(suffixOf(id));
      return connection.call<string>(performance.now() + 5_000, ['GET', key]);
    };
    for (const given of [{}, {format: 'plain'}]) {
      const {body} = await post({update: '*as* typed', ...given});
      expect(body).not.toHaveProperty('format');
      const {slack: _, thread: __, ...resource} = body;
      expect(await read(body)).toBe(JSON.stringify(resource));
    }
  });

  it('stays as it is after an edit without a format, and changes with one', async () => {
    const {body} = await post(formatted);
    expect((await patch(body.id, {update: '*Other*'})).body).toMatchObject({format: 'markdown', revision: 2});
    const plain = await patch(body.id, {format: 'plain'});
    expect(plain.body).toMatchObject({update: '*Other*', edited: true, revision: 3});
    expect(plain.body).not.toHaveProperty('format');
    expect((await eventsOf(workspace)).at(-1)?.previous_attributes).toMatchObject({format: 'markdown'});
    expect((await patch(body.id, {format: 'plain'})).body.revision).toBe(3);
    const {data} = (await workspace.request('GET', `/v1/standups/${body.id}/revisions`)).body;
    expect(data.map(({format, update}: Json) => [format, update])).toEqual([
      ['markdown', '*Other*'],
      ['markdown', formatted.update],
    ]);
    expect(Object.keys((await patch(body.id, {format: 'markdown'})).body).slice(0, 3)).toEqual([
      'id',
      'object',
      'format',
    ]);
  });

  it('escapes the labels in an update that is composed of answers, also after a change', async () => {
    const questions = [{key: 'done', label: 'What is *really* done?', type: 'text'}];
    await make(workspace, '/v1/teams', {slug: 'formats', questions});
    const answers = [{question: 'done', value: '**All**'}];
    const {body} = await post({team: 'formats', update: undefined, answers, format: 'markdown'});
    expect(body.update).toBe('What is \\*really\\* done? **All**');
    expect((await patch(body.id, {answers: [{question: 'done', value: '_Some_'}]})).body.update).toBe(
      'What is \\*really\\* done? _Some_',
    );
    expect((await patch(body.id, {format: 'plain'})).body.update).toBe('What is *really* done? _Some_');
  });

  it.each(['html', 'Markdown', '', null, 1])('is refused if it is %j', async (format) => {
    expectProblem(await post({format}), 'validation_failed', {pointer: '#/format'});
  });
});

describe('POST /v1/standups', () => {
  it('stores a standup, with all fields, from a team and an update alone', async () => {
    const {status, body, headers} = await post({});
    expect(status).toBe(201);
    expect(Object.keys(body)).toEqual([
      'id',
      'object',
      'team',
      'team_id',
      'update',
      'answers',
      'questions_version',
      'author',
      'posted_by',
      'date',
      'source',
      'late',
      'edited',
      'edited_by',
      'metadata',
      'imported',
      'revision',
      'created_at',
      'updated_at',
      'slack',
      'thread',
    ]);
    expect(body).toMatchObject({
      object: 'standup',
      team: 'platform',
      team_id: workspace.team,
      update: 'Words.',
      author: {type: 'service_account', id: workspace.principal.id, name: 'ci'},
      posted_by: null,
      date: day(0),
      source: 'api',
      late: false,
      edited: false,
      metadata: {},
      revision: 1,
      updated_at: body.created_at,
    });
    expect(body.id).toMatch(/^std_[0-7][0-9a-hjkmnp-tv-z]{25}$/);
    expect(body.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(headers.get('content-type')).toBe('application/json');
    const read = await workspace.request('GET', `/v1/standups/${body.id}`);
    expect(read.body).toEqual(body);
  });

  it.each(['platform', 'PLATFORM', ' Platform '])(
    'finds the team by %j and answers its slug',
    async (team) => {
      expect((await post({team})).body).toMatchObject({team: 'platform', team_id: workspace.team});
    },
  );

  it('has null for `imported` if an earlier release stored it, also beside such a key of metadata', async () => {
    const {connection} = service.core.store;
    const redis = (...command: RedisCommand) => connection.call<string>(performance.now() + 5_000, command);
    for (const metadata of [{}, {imported: 'null', ticket: 'X-1'}, {imported: '{'}]) {
      const {body} = await post({metadata});
      const key = workspaceKeys(workspace.id).record(suffixOf(body.id));
      const {imported: _, slack: _slack, thread: _thread, ...earlier} = body;
      await redis('SET', key, JSON.stringify(earlier));
      expect((await workspace.request('GET', `/v1/standups/${body.id}`)).body).toEqual(body);
      expect((await workspace.request('GET', '/v1/standups?limit=1')).body.data).toEqual([body]);
      expect((await eventsOf(workspace)).findLast(({type}) => type === 'standup.created')?.data).toEqual({
        ...earlier,
        imported: null,
      });
      const {body: changed} = await patch(body.id, {update: 'Other words.'});
      expect(changed).toMatchObject({imported: null, metadata});
      await workspace.request('DELETE', `/v1/standups/${body.id}`);
    }
  });

  it('finds the team by its id', async () => {
    expect((await post({team: workspace.team})).body.team).toBe('platform');
  });

  it('accepts several standups of one author on one day', async () => {
    const [a, b] = [await post({update: 'First.'}), await post({update: 'Second.'})];
    expect([a.status, b.status]).toEqual([201, 201]);
    expect(a.body.id).not.toBe(b.body.id);
  });

  it.each([
    ['Pacific/Kiritimati', 'far ahead of UTC'],
    ['Pacific/Pago_Pago', 'far behind it'],
    ['Asia/Kathmandu', 'off by a quarter of an hour'],
  ])("dates a standup by the team's day in %s, %s", async (timezone) => {
    const slug = timezone.toLowerCase().replaceAll(/[^a-z]/g, '-');
    await make(workspace, '/v1/teams', {slug, timezone});
    expect((await post({team: slug})).body.date).toBe(day(0, timezone));
  });

  it.each([-365, -1, 0, 1])('accepts a date %d days from today', async (offset) => {
    expect((await post({date: day(offset)})).body.date).toBe(day(offset));
  });

  it.each([-366, 2])('refuses a date %d days from today', async (offset) => {
    expectProblem(await post({date: day(offset)}), 'date_not_allowed', {pointer: '#/date'});
  });

  it.each(['2026-02-30', '2026-13-01', '26-01-01', '2026-1-1', '2026-01-01T00:00:00Z', '', 20260101, null])(
    'refuses the date %j',
    async (date) => {
      expectProblem(await post({date}), 'validation_failed', {pointer: '#/date'});
    },
  );

  it.each(['answers', 'source', 'id', 'late', 'Update', 'toString'])(
    'refuses the unknown member %s',
    async (name) => {
      expectProblem(await post({[name]: 'x'}), 'validation_failed', {pointer: `#/${name}`});
    },
  );
});

describe('the metadata of a standup', () => {
  it('is stored with 20 keys of 40 characters and values of 500', async () => {
    const metadata = Object.fromEntries(
      Array.from({length: 20}, (_, i) => [`${'🔑'.repeat(38)}${10 + i}`, 'ü'.repeat(500)]),
    );
    expect((await post({metadata})).body.metadata).toEqual(metadata);
  });

  it.each<[string, Json]>([
    ['21 keys', Object.fromEntries(Array.from({length: 21}, (_, i) => [`k${i}`, 'v']))],
    ['a key of 41 characters', {['k'.repeat(41)]: 'v'}],
    ['an empty key', {'': 'v'}],
    ['a value of 501 characters', {k: 'v'.repeat(501)}],
    ['a value that is no text', {k: 1}],
    ['a value that is null, where there is nothing to remove', {k: null}],
    ['a list', ['v']],
  ])('is refused with %s', async (_, metadata) => {
    const body = expectProblem(await post({metadata}), 'validation_failed');
    expect(body.errors[0].pointer).toMatch(/^#\/metadata/);
  });

  it.each([
    ['a NUL', '\u0000'],
    ['an escape', '\u001b'],
    ['a delete character', '\u007f'],
    ['a control character of Latin-1', '\u0085'],
  ])('regression: is refused with %s in a key or a value, by POST and by PATCH', async (_, character) => {
    const {id} = (await post({})).body;
    const key = `a${character}b`;
    const source = {pointer: `#/metadata/${encodeURIComponent(key)}`};
    for (const send of [post, (body: Json) => patch(id, body)]) {
      const keyed = await send({metadata: {[key]: 'v'}});
      expectProblem(keyed, 'validation_failed', source);
      expect(keyed.body.detail).toMatch(/must have a key without control characters/);
      const valued = await send({metadata: {k: key}});
      expectProblem(valued, 'validation_failed', {pointer: '#/metadata/k'});
      expect(valued.body.detail).toMatch(
        '`metadata.k` must not contain control characters other than newline, return and tab',
      );
    }
  });

  it('may contain lines and tabs in its values, and not in its keys', async () => {
    expect((await post({metadata: {k: 'a\r\n\tb'}})).body.metadata).toEqual({k: 'a\r\n\tb'});
    expectProblem(await post({metadata: {'a\nb': 'v'}}), 'validation_failed');
  });

  it('is merged by a patch: keys are set, changed, and removed by null', async () => {
    const {id} = (await post({metadata: {a: '1', b: '2', c: '3'}})).body;
    const {body} = await patch(id, {metadata: {a: null, b: 'two', d: '4'}});
    expect(body.metadata).toEqual({b: 'two', c: '3', d: '4'});
    const [event] = (await eventsOf(workspace)).slice(-1);
    expect(event.previous_attributes).toEqual({metadata: {a: '1', b: '2', c: '3'}});
  });

  it('is emptied by null', async () => {
    const {id} = (await post({metadata: {a: '1'}})).body;
    expect((await patch(id, {metadata: null})).body.metadata).toEqual({});
  });

  it('regression: is measured after a patch, which may remove as many keys as it sets', async () => {
    const keys = (prefix: string, count: number, value: string | null) =>
      Object.fromEntries(Array.from({length: count}, (_, i) => [`${prefix}${i}`, value]));
    const {id} = (await post({metadata: keys('old', 20, 'v')})).body;
    const answer = await patch(id, {metadata: {...keys('old', 20, null), ...keys('new', 20, 'v')}});
    expect(answer.status).toBe(200);
    expect(answer.body.metadata).toEqual(keys('new', 20, 'v'));
    expect((await patch(id, {metadata: keys('new', 21, null)})).body.metadata).toEqual({});
  });

  it('cannot grow past 20 keys by a patch', async () => {
    const metadata = Object.fromEntries(Array.from({length: 20}, (_, i) => [`k${i}`, 'v']));
    const {id} = (await post({metadata})).body;
    expectProblem(await patch(id, {metadata: {more: 'v'}}), 'validation_failed', {pointer: '#/metadata'});
    expect((await patch(id, {metadata: {more: 'v', k0: null}})).status).toBe(200);
  });
});

describe('PATCH /v1/standups/{id}', () => {
  it('marks a standup as edited when its text changes, and only then', async () => {
    const {id} = (await post({})).body;
    expect((await patch(id, {metadata: {a: '1'}})).body).toMatchObject({edited: false, revision: 2});
    expect((await patch(id, {update: 'Other words.'})).body).toMatchObject({edited: true, revision: 3});
    expect((await patch(id, {date: day(-1)})).body).toMatchObject({edited: true, revision: 4});
  });

  it('cannot move a standup to a date that a new standup could not have', async () => {
    const {id} = (await post({})).body;
    expectProblem(await patch(id, {date: day(-400)}), 'date_not_allowed', {pointer: '#/date'});
  });

  it('cannot change the team, author or source of a standup', async () => {
    const {id} = (await post({})).body;
    for (const name of ['team', 'author', 'source', 'edited']) {
      expectProblem(await patch(id, {[name]: 'x'}), 'validation_failed', {pointer: `#/${name}`});
    }
  });

  it("is allowed with the author's other tokens and with no one else's", async () => {
    const scopes = ['standups:read', 'standups:write'] as const;
    const {id} = (await post({})).body;
    const same = await workspace.addToken({scopes});
    const other = await workspace.addToken({name: 'stranger', scopes});
    const as = (token: string, method: string) =>
      workspace.request(method, `/v1/standups/${id}`, {
        token,
        ...(method === 'PATCH' && {body: {update: 'X'}}),
      });
    expectProblem(await as(other.value, 'PATCH'), 'forbidden');
    expectProblem(await as(other.value, 'DELETE'), 'forbidden');
    expect((await as(other.value, 'GET')).status).toBe(200);
    expect((await as(same.value, 'PATCH')).status).toBe(200);
    expect((await as(same.value, 'DELETE')).status).toBe(204);
  });
});

it('an id that is unknown, malformed, of another kind or deleted gets the same 404', async () => {
  const {id} = (await post({})).body;
  await workspace.request('DELETE', `/v1/standups/${id}`);
  const swapped = `${id.slice(0, -1)}${id.endsWith('0') ? '1' : '0'}`;
  const ids = [
    id,
    swapped,
    id.toUpperCase(),
    'std_',
    'x',
    workspace.team,
    `${id}0`,
    `${id.slice(0, 9)}0${id.slice(10)}`,
  ];
  const bodies = [];
  for (const one of ids) {
    const {
      instance: _i,
      request_id: _r,
      ...body
    } = expectProblem(await workspace.request('GET', `/v1/standups/${one}`), 'not_found');
    bodies.push({...body, detail: body.detail.replace(/".*?"/, '"…"')});
  }
  expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1);
});

describe('a member', () => {
  it('posts for their own teams and no others', async () => {
    const {people, tokens} = service.core.services;
    const owner = await people.ensureOwner(workspace.operator(), 'Ada');
    const {value} = await tokens.issueToken(workspace.operator(), {
      name: 'ada',
      holder: owner,
      scopes: ['standups:write', 'teams:write'],
    });
    expectProblem(await post({}, value), 'forbidden');
    await people.joinTeam(workspace.operator(), {id: workspace.team, slug: 'platform'}, owner.id);
    expect((await post({}, value)).body.author).toEqual({type: 'member', id: owner.id, name: 'Ada'});
    // The creator of a team is its member.
    await workspace.request('POST', '/v1/teams', {body: {slug: 'of-ada'}, token: value});
    expect((await post({team: 'of-ada'}, value)).status).toBe(201);
    // The owner of the workspace may correct standups of others.
    const {id} = (await post({})).body;
    const answer = await workspace.request('DELETE', `/v1/standups/${id}`, {token: value});
    expect(answer.status).toBe(204);
  });
});
