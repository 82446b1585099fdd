import {execFile, spawn} from 'node:child_process';
import {createHmac} from 'node:crypto';
import {once} from 'node:events';
import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {promisify} from 'node:util';
import {afterAll, beforeAll, beforeEach, describe, expect, it} from '@jest/globals';
import {addDays} from '../../../src/domain/core/dates.js';
import {lifetimes, limits} from '../../../src/domain/core/limits.js';
import {workspaceKeys} from '../../../src/store/core/keys.js';
import {testRedisUrl} from '../../support/redis-server.js';
import {type Json, startService, type TestService, type TestWorkspace} from '../../support/service.js';
import {createTestClock, type TestClock} from '../../support/test-clock.js';
import {expectProblem} from '../http/expect-problem.js';
import {addPerson, type Person} from '../people.js';
import {eventsOf, make} from '../samples.js';

let clock: TestClock;
let service: TestService;
let workspace: TestWorkspace;
let ada: Person;

const today = '2026-11-25';
const start = Date.parse(`${today}T12:00:00Z`);

beforeAll(async () => {
  const redisUrl = await testRedisUrl();
  clock = await createTestClock(redisUrl, start);
  service = await startService({redisUrl, time: clock.time, env: {ROLES: 'web'}});
});

beforeEach(async () => {
  await clock.set(start);
  workspace = await service.addWorkspace();
  await workspace.request('PATCH', '/v1/teams/platform', {body: {timezone: 'UTC'}});
  ada = await addPerson(service, workspace, {name: 'Ada', email: 'ada@example.com', team: 'platform'});
});

afterAll(async () => {
  await service.close();
  await clock.close();
});

/** A caller: a person, or the token of a service account. */
type By = {readonly token: string};

const ask = (method: string, path: string, by: By, body?: Json, headers: Record<string, string> = {}) =>
  workspace.request(method, path, {token: by.token, headers, ...(body && {body})});
const read = (by: By, member = 'me', query = 'team=platform') =>
  ask('GET', `/v1/drafts/${member}?${query}`, by);
const put = (by: By, part: Json, member = 'me', headers = {}) =>
  ask('PUT', `/v1/drafts/${member}`, by, {team: 'platform', ...part}, headers);
const drop = (by: By, query = 'team=platform', member = 'me') =>
  ask('DELETE', `/v1/drafts/${member}?${query}`, by);

async function write(by: By, part: Json, member?: string): Promise<void> {
  const {status, text} = await put(by, part, member);
  expect([status, text]).toEqual([204, '']);
}

/** Creates a service account and returns a token of it. */
async function addAccount(name: string, scopes = ['standups:read', 'standups:write', 'standups:write_any']) {
  const {token, holder} = await make(workspace, '/v1/tokens', {name, service_account: name, scopes});
  return {token: token as string, id: holder.id as string};
}

const run = promisify(execFile);

const sources = async (by: By, member?: string, query?: string) =>
  (await read(by, member, query)).body.parts.map(({source}: Json) => source);

describe('a draft', () => {
  it('has a part of each source, and the texts of all parts', async () => {
    const links = [{url: 'https://github.com/acme/importer/pull/42', title: 'Show retries'}];
    await write(ada, {source: 'linear', update: 'Closed ENG-7.'});
    const {body: before} = await read(ada);
    await clock.advance(60_000);
    await write(ada, {source: 'github', update: ' Merged #42. ', links});
    expect((await read(ada)).body).toEqual({
      object: 'draft',
      member: ada.id,
      team: 'platform',
      team_id: workspace.team,
      date: today,
      update: 'Merged #42.\n\nClosed ENG-7.',
      parts: [
        {
          source: 'github',
          update: ' Merged #42. ',
          answers: [],
          links,
          updated_by: {type: 'member', id: ada.id},
          updated_at: `${today}T12:01:00.000Z`,
        },
        ...before.parts,
      ],
    });
  });

  it('is empty before anyone has written a part', async () => {
    expect((await read(ada)).body).toMatchObject({date: today, update: '', parts: []});
  });

  it('replaces only the part of the same source', async () => {
    await write(ada, {source: 'git', update: 'First.'});
    await write(ada, {source: 'linear', update: 'Other.'});
    await write(ada, {source: 'git', update: 'Second.'});
    expect((await read(ada)).body.update).toBe('Second.\n\nOther.');
  });

  it('is separate for each person, team and day', async () => {
    const bob = await addPerson(service, workspace, {name: 'Bob', team: 'platform'});
    await make(workspace, '/v1/teams', {slug: 'mobile', timezone: 'UTC'});
    await workspace.request('PUT', `/v1/teams/mobile/members/${ada.id}`);
    await write(ada, {source: 'git', update: 'Platform.'});
    await write(ada, {source: 'git', update: 'Mobile.', team: 'mobile'});
    await write(ada, {source: 'git', update: 'Tomorrow.', date: addDays(today, 1)});
    await write(bob, {source: 'git', update: 'Of Bob.'});
    const texts = await Promise.all(
      ['team=platform', 'team=mobile', `team=platform&date=${addDays(today, 1)}`].map(
        async (query) => (await read(ada, 'me', query)).body.update,
      ),
    );
    expect(texts).toEqual(['Platform.', 'Mobile.', 'Tomorrow.']);
  });

  it('has answers to the questions of the team, and needs none to a required question', async () => {
    const questions = [
      {key: 'today', label: 'What will you do?', type: 'text', required: true},
      {key: 'mood', label: 'How are you?', type: 'mood', required: true},
    ];
    await workspace.request('PATCH', '/v1/teams/platform', {body: {questions}});
    await write(ada, {source: 'git', answers: [{question: 'today', value: 'Retries.'}]});
    const answer = {question: 'today', type: 'text', label: 'What will you do?', value: 'Retries.'};
    expect((await read(ada)).body.parts).toMatchObject([{update: null, answers: [answer]}]);
    expectProblem(
      await put(ada, {source: 'git', answers: [{question: 'tody', value: 'x'}]}),
      'validation_failed',
      {
        pointer: '#/answers/0/question',
      },
    );
  });

  it('makes no event, no standup and no message', async () => {
    const before = (await eventsOf(workspace)).length;
    await write(ada, {source: 'git', update: 'Fixed a bug.'});
    await drop(ada);
    expect(await eventsOf(workspace)).toHaveLength(before);
    const {body} = await ask('GET', '/v1/standups', ada);
    expect(body.data).toEqual([]);
  });

  it('is not changed a second time by a repeated request', async () => {
    const headers = {'idempotency-key': 'once'};
    const first = await put(ada, {source: 'git', update: 'Once.'}, 'me', headers);
    await drop(ada);
    const again = await put(ada, {source: 'git', update: 'Once.'}, 'me', headers);
    expect([first.status, again.status, again.headers.get('idempotent-replayed')]).toEqual([
      204,
      204,
      'true',
    ]);
    expect(await sources(ada)).toEqual([]);
    expectProblem(await put(ada, {source: 'git', update: 'Twice.'}, 'me', headers), 'idempotency_key_reused');
  });

  it('may be dated from yesterday to a week ahead', async () => {
    for (const days of [-1, 0, limits.draftDaysAhead])
      await write(ada, {source: 'git', update: 'Words.', date: addDays(today, days)});
    for (const days of [-2, limits.draftDaysAhead + 1])
      expectProblem(
        await put(ada, {source: 'git', update: 'Words.', date: addDays(today, days)}),
        'date_not_allowed',
        {pointer: '#/date'},
      );
  });

  it.each([
    ['a source with a colon', {source: 'git:hub', update: 'x'}, '#/source'],
    ['a source in capitals', {source: 'GitHub', update: 'x'}, '#/source'],
    ['a source of 41 characters', {source: 'a'.repeat(41), update: 'x'}, '#/source'],
    ['a text of 4,001 characters', {source: 'git', update: 'x'.repeat(4_001)}, '#/update'],
    ['no content', {source: 'git'}, '#/update'],
    [
      'a link without https',
      {source: 'git', links: [{url: 'http://a.example', title: 'A'}]},
      '#/links/0/url',
    ],
    [
      'a link to a script',
      {source: 'git', links: [{url: 'javascript:alert(1)', title: 'A'}]},
      '#/links/0/url',
    ],
    [
      'a link with a password',
      {source: 'git', links: [{url: 'https://a:b@c.example', title: 'A'}]},
      '#/links/0/url',
    ],
    [
      'a link with a space',
      {source: 'git', links: [{url: 'https://a.example/ b', title: 'A'}]},
      '#/links/0/url',
    ],
    [
      '21 links',
      {source: 'git', links: Array.from({length: 21}, () => ({url: 'https://a.example', title: 'A'}))},
      '#/links',
    ],
  ])('is not stored with %s', async (_, part, pointer) => {
    expectProblem(await put(ada, part), 'validation_failed', {pointer});
    expect(await sources(ada)).toEqual([]);
  });

  it('a draft has at most ten parts of a writer, and each of these may still change', async () => {
    for (let i = 0; i < limits.draftParts; i += 1) await write(ada, {source: `s${i}`, update: 'Words.'});
    expectProblem(await put(ada, {source: 'more', update: 'Words.'}), 'limit_reached');
    await write(ada, {source: 's3', update: 'Other words.'});
    await write(ada, {source: 'more', update: 'Words.', date: addDays(today, 1)});
  });

  it('is one of a bounded number of parts of a member', async () => {
    const of = (i: number) => ({
      source: `s${i % limits.draftParts}`,
      update: 'Words.',
      date: addDays(today, Math.floor(i / limits.draftParts)),
    });
    for (let i = 0; i < limits.draftPartsPerMember; i += 1) await write(ada, of(i));
    expectProblem(await put(ada, of(limits.draftPartsPerMember)), 'limit_reached');
    await drop(ada, 'team=platform&source=s1');
    await write(ada, of(limits.draftPartsPerMember));
  });

  it('regression: has room for the member’s own parts, however many a lead or a program writes', async () => {
    const lead = await addPerson(service, workspace, {name: 'Lea', team: 'platform', role: 'admin'});
    const robot = await addAccount('robot');
    const other = await addAccount('other');
    const part = (name: string, i: number) => ({
      source: `${name}${i % limits.draftParts}`,
      update: 'Words.',
      date: addDays(today, Math.floor(i / limits.draftParts)),
    });
    for (const [name, by] of [
      ['lead', lead],
      ['robot', robot],
    ] as const) {
      for (let i = 0; i < limits.draftPartsPerOtherWriter; i += 1) await write(by, part(name, i), ada.id);
      const refused = await put(by, part(name, limits.draftPartsPerOtherWriter), ada.id);
      expectProblem(refused, 'limit_reached');
      expect(refused.body.detail).toContain(String(limits.draftPartsPerOtherWriter));
    }
    expectProblem(await put(other, part('other', 0), ada.id), 'limit_reached');
    for (let i = 0; i < limits.draftPartsPerMember; i += 1) await write(ada, part('own', i));
    expectProblem(await put(ada, part('own', limits.draftPartsPerMember)), 'limit_reached');
  });

  it('regression: has room again at once for as many parts as a deleted team had', async () => {
    await make(workspace, '/v1/teams', {slug: 'brief', timezone: 'UTC'});
    await workspace.request('PUT', `/v1/teams/brief/members/${ada.id}`);
    const part = (team: string, i: number) => ({
      team,
      source: `s${i % limits.draftParts}`,
      update: 'Words.',
      date: addDays(today, Math.floor(i / limits.draftParts)),
    });
    for (let i = 0; i < limits.draftPartsPerMember; i += 1) await write(ada, part('brief', i));
    expectProblem(await put(ada, part('platform', 0)), 'limit_reached');
    expect((await workspace.request('DELETE', '/v1/teams/brief')).status).toBe(204);
    await write(ada, part('platform', 0));
    const key = workspaceKeys(workspace.id).drafts(ada.id);
    const {call} = service.core.store.connection;
    expect(await call<number>(performance.now() + 5_000, ['HLEN', key])).toBe(1);
  });

  it('is gone eight days after its last change, from the answers and from the store', async () => {
    await write(ada, {source: 'old', update: 'Old.', date: addDays(today, 7)});
    await clock.advance(lifetimes.draft * 1_000 - 1);
    const then = `team=platform&date=${addDays(today, 7)}`;
    expect(await sources(ada, 'me', then)).toEqual(['old']);
    await clock.advance(1);
    expect(await sources(ada, 'me', then)).toEqual([]);
    await write(ada, {source: 'new', update: 'New.'});
    const key = workspaceKeys(workspace.id).drafts(ada.id);
    const {call} = service.core.store.connection;
    const fields = await call<string[]>(performance.now() + 5_000, ['HKEYS', key]);
    expect(fields.map((field) => field.split(':').at(-1))).toEqual(['new']);
    const ttl = await call<number>(performance.now() + 5_000, ['PTTL', key]);
    expect(ttl).toBeLessThanOrEqual(lifetimes.draft * 1_000);
    expect(ttl).toBeGreaterThan((lifetimes.draft - 60) * 1_000);
  });

  it('takes a part again after it has expired beside one that has not', async () => {
    const date = addDays(today, 7);
    await write(ada, {source: 'git', update: 'Old.', date});
    await clock.advance(86_400_000);
    await write(ada, {source: 'linear', update: 'Other.', date});
    await clock.advance((lifetimes.draft - 86_400) * 1_000 + 60_000);
    const then = `team=platform&date=${date}`;
    expect(await sources(ada, 'me', then)).toEqual(['linear']);
    await write(ada, {source: 'git', update: 'New.', date});
    expect((await read(ada, 'me', then)).body.update).toBe('New.\n\nOther.');
  });

  it('has room again for as many parts as have expired', async () => {
    const of = (i: number) => ({
      source: `s${i % limits.draftParts}`,
      update: 'x',
      date: addDays(today, 3 + Math.floor(i / limits.draftParts)),
    });
    for (let i = 0; i < limits.draftPartsPerMember; i += 1) {
      if (i === limits.draftPartsPerMember - 1) await clock.advance(86_400_000);
      await write(ada, of(i));
    }
    await clock.advance((lifetimes.draft - 86_400) * 1_000);
    await write(ada, {source: 'new', update: 'New.'});
    expect(await sources(ada, 'me', 'team=platform')).toEqual(['new']);
  });
});

describe('a post', () => {
  it('drops the draft of its team and day, in the same commit, and no other draft', async () => {
    await make(workspace, '/v1/teams', {slug: 'mobile', timezone: 'UTC'});
    await workspace.request('PUT', `/v1/teams/mobile/members/${ada.id}`);
    await write(ada, {source: 'git', update: 'Today.'});
    await write(ada, {source: 'linear', update: 'Today, too.'});
    await write(ada, {source: 'git', update: 'Tomorrow.', date: addDays(today, 1)});
    await write(ada, {source: 'git', update: 'Mobile.', team: 'mobile'});
    const {run} = service.core.store.commits;
    const commits: string[][] = [];
    Object.assign(service.core.store.commits, {
      run: async (...given: Parameters<typeof run>) => {
        commits.push(given[1].writes.map(({do: kind}) => kind));
        return run(...given);
      },
    });
    const posted = await ask('POST', '/v1/standups', ada, {team: 'platform', update: 'Done.'});
    Object.assign(service.core.store.commits, {run});
    expect(posted.status).toBe(201);
    expect(commits).toEqual([expect.arrayContaining(['create', 'drop-drafts'])]);
    expect(await sources(ada)).toEqual([]);
    expect(await sources(ada, 'me', `team=platform&date=${addDays(today, 1)}`)).toEqual(['git']);
    expect(await sources(ada, 'me', 'team=mobile')).toEqual(['git']);
  });

  it('drops the draft of another member if a lead posts for them', async () => {
    const lead = await addPerson(service, workspace, {name: 'Lea', team: 'platform', as: 'lead'});
    await write(ada, {source: 'git', update: 'Of Ada.'});
    await write(lead, {source: 'git', update: 'Of Lea.'});
    const body = {team: 'platform', update: 'Done.', author: ada.id};
    expect((await ask('POST', '/v1/standups', lead, body)).status).toBe(201);
    expect([await sources(ada), await sources(lead)]).toEqual([[], ['git']]);
  });

  it('keeps the draft if it is refused', async () => {
    await write(ada, {source: 'git', update: 'Words.'});
    const refused = await ask('POST', '/v1/standups', ada, {
      team: 'platform',
      update: 'x',
      date: '2020-01-01',
    });
    expect(refused.status).toBe(422);
    expect(await sources(ada)).toEqual(['git']);
  });

  it('leaves either no draft or a whole part that is written at the same time', async () => {
    for (let i = 0; i < 20; i += 1) {
      const person = await addPerson(service, workspace, {name: `P${i}`, team: 'platform'});
      await write(person, {source: 'git', update: 'Before.'});
      const [posted, written] = await Promise.all([
        ask('POST', '/v1/standups', person, {team: 'platform', update: 'Done.'}),
        put(person, {source: 'git', update: 'After.'}),
      ]);
      expect([posted.status, written.status]).toEqual([201, 204]);
      expect(['', 'After.']).toContain((await read(person)).body.update);
    }
  });
});

describe('an erasure', () => {
  it('deletes drafts also if a process of an earlier release has removed the member', async () => {
    await write(ada, {source: 'git', update: 'Words of Ada.'});
    const {commits, connection} = service.core.store;
    const {run} = commits;
    Object.assign(commits, {
      run: (call: Parameters<typeof run>[0], commit: Parameters<typeof run>[1]) =>
        run(call, {...commit, writes: commit.writes.filter((one) => one.do !== 'drop-drafts')}),
    });
    try {
      expect((await workspace.request('DELETE', `/v1/members/${ada.id}?erase=true`)).status).toBe(204);
    } finally {
      Object.assign(commits, {run});
    }
    const key = workspaceKeys(workspace.id).drafts(ada.id);
    const count = () => connection.call<number>(performance.now() + 5_000, ['HLEN', key]);
    expect(await count()).toBe(1);
    while ((await service.core.services.forgetMember(workspace.operator(), ada.id, true)) === true);
    expect(await count()).toBe(0);
  });
});

describe('the draft of another member', () => {
  it('is written part by part by service accounts, and each reads only its own part', async () => {
    const [github, linear] = [await addAccount('github'), await addAccount('linear')];
    await write(github, {source: 'github', update: 'Merged #42.'}, ada.id);
    await write(linear, {source: 'linear', update: 'Closed ENG-7.'}, ada.id);
    await write(ada, {source: 'mine', update: 'Secret.'});
    expect(await sources(github, ada.id)).toEqual(['github']);
    expect(await sources(linear, ada.id)).toEqual(['linear']);
    expect((await read(github, ada.id)).text).not.toContain('Secret');
    expect((await read(ada)).body.parts).toMatchObject([
      {source: 'github', updated_by: {type: 'service_account', id: github.id}},
      {source: 'linear'},
      {source: 'mine', updated_by: {type: 'member', id: ada.id}},
    ]);
  });

  it('keeps a part that someone else wrote, and the member replaces and deletes any part', async () => {
    const [github, other] = [await addAccount('github'), await addAccount('other')];
    await write(github, {source: 'github', update: 'Merged #42.'}, ada.id);
    expectProblem(await put(other, {source: 'github', update: 'Lies.'}, ada.id), 'forbidden');
    expect((await drop(other, 'team=platform', ada.id)).status).toBe(204);
    expect((await drop(other, 'team=platform&source=github', ada.id)).status).toBe(204);
    expect((await read(ada)).body.update).toBe('Merged #42.');
    await write(ada, {source: 'github', update: 'Mine.'});
    expectProblem(await put(github, {source: 'github', update: 'Again.'}, ada.id), 'forbidden');
    expect((await drop(ada, 'team=platform&source=github')).status).toBe(204);
    await write(github, {source: 'github', update: 'Again.'}, ada.id);
    expect((await drop(github, 'team=platform', ada.id)).status).toBe(204);
    expect(await sources(ada)).toEqual([]);
  });

  it('is read by no lead, admin or owner, who get the same 404 as for an unknown member', async () => {
    await write(ada, {source: 'git', update: 'Secret.'});
    const readers = await Promise.all([
      addPerson(service, workspace, {name: 'Lea', team: 'platform', as: 'lead'}),
      addPerson(service, workspace, {name: 'Ben', role: 'admin'}),
      addPerson(service, workspace, {name: 'Olga', role: 'owner'}),
    ]);
    for (const reader of readers) {
      const [found, unknown] = await Promise.all([
        read(reader, ada.id),
        read(reader, 'mem_01ke6p63x47d1rj6w2t8h9kq5e'),
      ]);
      expectProblem(found, 'not_found');
      expect(found.body.detail).toBe(unknown.body.detail);
      const {text} = await ask('GET', `/v1/members/${ada.id}/export`, reader);
      expect(text).not.toContain('Secret.');
    }
  });

  it('needs the scope standups:write_any and the right to post for the member', async () => {
    const [narrow, bob, lead] = await Promise.all([
      addAccount('narrow', ['standups:read', 'standups:write']),
      addPerson(service, workspace, {name: 'Bob', team: 'platform'}),
      addPerson(service, workspace, {name: 'Lea', team: 'platform', as: 'lead'}),
    ]);
    const part = {source: 'git', update: 'Words.'};
    expectProblem(await put(narrow, part, ada.id), 'insufficient_scope');
    expectProblem(await drop(narrow, 'team=platform', ada.id), 'insufficient_scope');
    expectProblem(await put(bob, part, ada.id), 'forbidden');
    await write(lead, part, ada.id);
    await make(workspace, '/v1/teams', {slug: 'elsewhere'});
    const account = await addAccount('ci');
    expectProblem(await put(account, {...part, team: 'elsewhere'}, ada.id), 'forbidden');
    expectProblem(await put(account, part, 'me'), 'not_found');
    expectProblem(await put(ada, {...part, team: 'nowhere'}), 'team_not_found', {pointer: '#/team'});
    expectProblem(await put(ada, {...part, team: 'elsewhere'}), 'forbidden');
  });

  it('is written neither for an observer nor, by a lead, for a member who has not accepted their membership', async () => {
    const [lead, bob, eve] = await Promise.all([
      addPerson(service, workspace, {name: 'Lea', team: 'platform', as: 'lead'}),
      addPerson(service, workspace, {name: 'Bob', team: 'platform', as: 'observer'}),
      addPerson(service, workspace, {name: 'Eve'}),
    ]);
    expect((await ask('PUT', `/v1/teams/platform/members/${eve.id}`, lead, {role: 'member'})).status).toBe(
      201,
    );
    const part = {source: 'git', update: 'Words.'};
    expectProblem(await put(lead, part, eve.id), 'forbidden');
    expectProblem(await put(lead, part, bob.id), 'forbidden');
    expectProblem(await put(bob, part), 'forbidden');
    await write(eve, part);
    expect(await sources(eve)).toEqual(['git']);
  });

  it('is found by the address of the member, who needs no further scope for their own', async () => {
    const scopes = ['standups:read', 'standups:write'] as const;
    const bob = await addPerson(service, workspace, {
      name: 'Bob',
      email: 'bob@example.com',
      team: 'platform',
      scopes,
    });
    await write(bob, {source: 'git', update: 'Mine.'}, 'bob@example.com');
    expect(await sources(bob, 'bob@example.com')).toEqual(['git']);
  });
});

describe('the drafts of a person', () => {
  it('are at the end of the export that they make themselves', async () => {
    await write(ada, {source: 'git', update: 'Today.'});
    await write(ada, {source: 'git', update: 'Tomorrow.', date: addDays(today, 1)});
    const {text} = await ask('GET', '/v1/members/me/export', ada);
    const rows = text
      .trim()
      .split('\n')
      .map((line): Json => JSON.parse(line));
    expect(rows.filter(({object}) => object === 'draft').map(({date, update}) => [date, update])).toEqual(
      expect.arrayContaining([
        [today, 'Today.'],
        [addDays(today, 1), 'Tomorrow.'],
      ]),
    );
  });

  it.each(['', '?erase=true'])('leave the store with the person (DELETE %s)', async (how) => {
    await write(ada, {source: 'git', update: 'Words.'});
    const {call} = service.core.store.connection;
    const exists = () =>
      call<number>(performance.now() + 5_000, ['EXISTS', workspaceKeys(workspace.id).drafts(ada.id)]);
    expect(await exists()).toBe(1);
    expect((await workspace.request('DELETE', `/v1/members/${ada.id}${how}`)).status).toBe(204);
    expect(await exists()).toBe(0);
  });
});

describe('the example action for GitHub', () => {
  const commit = (
    n: number,
    message: string,
    author: Json = {email: 'ada@example.com', username: 'ada'},
  ) => ({
    id: `${n}`.repeat(40),
    message,
    author,
    distinct: true,
    url: `https://github.com/acme/importer/commit/${`${n}`.repeat(40)}`,
  });

  /** Runs the action for a push, and returns all that it prints. */
  async function push(commits: readonly Json[], token: string, more: Record<string, string> = {}) {
    const folder = await mkdtemp(path.join(tmpdir(), 'push-'));
    const event = path.join(folder, 'event.json');
    await writeFile(event, JSON.stringify({commits}));
    const env = {
      STANDUP_URL: service.url,
      STANDUP_TOKEN: token,
      STANDUP_TEAM: 'platform',
      GITHUB_EVENT_PATH: event,
      GITHUB_REPOSITORY: 'acme/importer',
      ...more,
    };
    try {
      const {stdout, stderr} = await run(
        process.execPath,
        ['examples/github-action-draft/write-drafts.mjs'],
        {env},
      );
      return stdout + stderr;
    } finally {
      await rm(folder, {recursive: true});
    }
  }

  it('fails at once if the service asks it to wait for a day', async () => {
    const busy = createServer((_request, response) =>
      response.writeHead(503, {'retry-after': '86400'}).end(),
    ).listen(0, '127.0.0.1');
    await once(busy, 'listening');
    const url = `http://127.0.0.1:${(busy.address() as AddressInfo).port}`;
    const failed = push([commit(1, 'Show retries')], 'none', {STANDUP_URL: url});
    await expect(failed).rejects.toThrow('The standup service does not answer (503).');
    busy.close();
  });

  it('adds the commits of each push to the drafts of their authors, each once', async () => {
    const scopes = ['standups:read', 'standups:write', 'standups:write_any', 'members:read'];
    const {token} = await addAccount('github', scopes);
    const first = commit(1, 'Show retries\n\nWith a body.');
    const hostile = commit(2, '::set-output name=x::y\u202e\u0007 <!channel>');
    const merge = commit(3, 'Merge branch main');
    const stranger = commit(4, 'Theirs', {email: 'x@example.com', username: 'x'});
    const printed = await push([first, hostile, merge, stranger], token);
    expect(printed).toBe('Drafts written: 1. Authors who are no members of the team: 1.\n');
    await push(
      [first, commit(5, 'By another address', {email: 'a@private.example', username: 'ada'})],
      token,
      {
        STANDUP_PEOPLE: JSON.stringify({ada: ada.id, 'ada@example.com': ada.id}),
      },
    );
    const {parts} = (await read(ada)).body;
    expect(parts).toHaveLength(1);
    expect(parts[0].update).toBe(
      '- Show retries (1111111)\n- ::set-output name=x::y   <!channel> (2222222)\n- By another address (5555555)',
    );
    expect(parts[0].links.map(({title}: Json) => title)).toEqual([
      'acme/importer 1111111',
      'acme/importer 2222222',
      'acme/importer 5555555',
    ]);
  });

  it('keeps the newest lines of very many commits', async () => {
    const scopes = ['standups:read', 'standups:write', 'standups:write_any', 'members:read'];
    const {token} = await addAccount('github', scopes);
    const many = Array.from({length: 60}, (_, i) => ({
      ...commit(7, `${i} ${'x'.repeat(300)}`),
      url: `https://a.example/${i}`,
    }));
    await push(many, token);
    const [part] = (await read(ada)).body.parts;
    expect([part.update.length <= 4_000, part.links.length]).toEqual([true, 20]);
    expect(part.update).toMatch(/^- \d+ x+ \(7777777\)\n[^]*\n- 59 x+ \(7777777\)$/);
  });

  it('sends its token to no address without https', async () => {
    await expect(push([commit(1, 'x')], 'secret', {STANDUP_URL: 'http://standup.example'})).rejects.toThrow(
      'https://',
    );
  });
});

describe('the example receiver for trackers', () => {
  const secret = 'a secret of the tests';
  const issue = (member: string | null, more: Json = {}) => ({
    type: 'Issue',
    webhookTimestamp: Date.now(),
    url: 'https://linear.app/acme/issue/ENG-7',
    data: {
      identifier: 'ENG-7',
      title: 'Show retries\u202e\u0007',
      state: {type: 'completed'},
      assignee: member === null ? null : {email: member},
    },
    ...more,
  });
  const jiraIssue = (category: string) => ({
    webhookEvent: 'jira:issue_updated',
    issue: {
      key: 'OPS-1',
      self: 'https://acme.atlassian.net/rest/api/2/issue/1',
      fields: {
        summary: 'Renew the certificate',
        status: {statusCategory: {key: category}},
        assignee: {emailAddress: 'ada@example.com'},
      },
    },
  });

  it('adds finished issues to the drafts of their assignees, once each, and refuses what is not signed', async () => {
    const {token} = await addAccount('trackers', [
      'standups:read',
      'standups:write',
      'standups:write_any',
      'members:read',
    ]);
    const env = {
      STANDUP_URL: service.url,
      STANDUP_TOKEN: token,
      STANDUP_TEAM: 'platform',
      LINEAR_SECRET: secret,
      JIRA_SECRET: secret,
      PORT: '0',
    };
    const receiver = spawn(process.execPath, ['examples/draft-receivers/receiver.mjs'], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      const [line] = (await once(receiver.stdout, 'data')) as [Buffer];
      const origin = /http:\S+/.exec(line.toString())?.[0] ?? '';
      const send = async (at: string, body: Json, key = secret) => {
        const text = JSON.stringify(body);
        const signature = createHmac('sha256', key).update(text).digest('hex');
        const headers = {'linear-signature': signature, 'x-hub-signature': `sha256=${signature}`};
        return (await fetch(`${origin}${at}`, {method: 'POST', body: text, headers})).status;
      };
      const done = issue('ada@example.com');
      expect(await send('/linear', done, 'another secret')).toBe(401);
      expect(await send('/linear', issue('ada@example.com', {webhookTimestamp: 0}))).toBe(204);
      expect(await send('/jira', jiraIssue('indeterminate'))).toBe(204);
      expect(await send('/linear', issue('stranger@example.com'))).toBe(204);
      expect(await send('/linear', issue(null))).toBe(204);
      expect(await send('/linear', [])).toBe(204);
      expect(await send('/elsewhere', done)).toBe(404);
      expect(await sources(ada)).toEqual([]);
      const statuses = await Promise.all([
        send('/linear', done),
        send('/linear', done),
        send('/jira', jiraIssue('done')),
      ]);
      expect(statuses).toEqual([204, 204, 204]);
      expect((await read(ada)).body).toMatchObject({
        update: '- OPS-1 Renew the certificate\n\n- ENG-7 Show retries',
        parts: [
          {source: 'jira', links: [{url: 'https://acme.atlassian.net/browse/OPS-1', title: 'OPS-1'}]},
          {source: 'linear', links: [{url: done.url, title: 'ENG-7'}]},
        ],
      });
    } finally {
      receiver.kill();
      await once(receiver, 'close');
    }
  });
});
