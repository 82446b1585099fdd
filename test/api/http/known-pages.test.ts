import {afterAll, beforeAll, describe, expect, it} from '@jest/globals';
import fc from 'fast-check';
import type {HandlerInput} from '../../../src/api/http/route.js';
import {createStandupRoutes} from '../../../src/api/standups/routes.js';
import type {Services} from '../../../src/service/services.js';
import {workspaceKeys} from '../../../src/store/core/keys.js';
import {type Id, type IdSuffix, suffixOf} from '../../../src/domain/core/ids.js';
import {lists} from '../../../src/domain/core/lists.js';
import type {RedisConnection} from '../../../src/store/core/connection.js';
import type {Script} from '../../../src/store/core/script.js';
import {createStandupPages} from '../../../src/store/standups/standup-pages.js';
import {deep} from '../../support/deep.js';
import {startTestRedis, type TestRedis} from '../../support/redis-server.js';
import {sendRequest, startService, type TestService, type TestWorkspace} from '../../support/service.js';
import {make, randomName} from '../samples.js';
import type {PrincipalId} from '../../../src/domain/core/access.js';
import {asId} from '../../support/ids.js';

// A separate Redis, because commands of other test files would be counted too.
let redis: TestRedis;
let service: TestService;
let twin: TestService;

beforeAll(async () => {
  redis = await startTestRedis({appendfsync: 'no'});
  const env = {ROLES: 'web', RATE_LIMIT: '0', RATE_LIMIT_WRITES: '0'};
  service = await startService({redisUrl: redis.url, env});
  twin = await startService({redisUrl: redis.url, env});
});

afterAll(async () => {
  await twin.close();
  await service.close();
  await redis.stop();
});

const newDeadline = () => performance.now() + 5_000;

function get({url}: TestService, {token}: TestWorkspace, path: string, tag?: string) {
  return sendRequest(url, 'GET', path, {token, headers: tag === undefined ? {} : {'if-none-match': tag}});
}

/** Writes or removes a standup's position in Slack, as Slack's jobs and the expiry do. */
function setSlackPost(
  {id}: TestWorkspace,
  standup: Id<'standup'>,
  fields: Record<string, string> | undefined,
) {
  const {call} = service.core.store.connection;
  const key = workspaceKeys(id).slackPost(suffixOf(standup));
  const flat = Object.entries(fields ?? {}).flat();
  return call(newDeadline(), fields === undefined ? ['DEL', key] : ['HSET', key, ...flat]);
}

/** Cursors contain a signature of the query's text. */
function withoutCursor({next_cursor: cursor, ...page}: Record<string, unknown>) {
  return {...page, goesOn: cursor !== null};
}

async function vanish({id, team, principal}: TestWorkspace, standup: Id<'standup'>, member: PrincipalId) {
  const {call} = service.core.store.connection;
  const [keys, suffix] = [workspaceKeys(id), suffixOf(standup)];
  const own = [lists.standupsOfAuthor(principal.id), lists.standupsOfAuthor(member)];
  for (const list of [lists.standups(), lists.standupsOfTeam(team), ...own])
    await call(newDeadline(), ['ZREM', keys.list(list), suffix]);
}

function trouble({id}: TestWorkspace, code: string | undefined) {
  const {call} = service.core.store.connection;
  const key = workspaceKeys(id).slackTrouble('C1');
  return call(newDeadline(), code === undefined ? ['DEL', key] : ['HSET', key, 'code', code]);
}

/** Number of record reads during `work`. */
async function countReads(work: () => Promise<unknown>): Promise<number> {
  const {call} = service.core.store.connection;
  const calls = async () => {
    const info = await call<string>(newDeadline(), ['INFO', 'commandstats']);
    return Number(/cmdstat_mget:calls=(\d+)/.exec(info)?.[1] ?? 0);
  };
  const before = await calls();
  await work();
  return (await calls()) - before;
}

describe('a list of standups', () => {
  it('is answered 304 by its ETag until it changes', async () => {
    const workspace = await service.addWorkspace();
    const {id} = await make(workspace, '/v1/standups', {team: 'platform', update: 'One.'});
    const first = await get(service, workspace, '/v1/standups');
    const tag = first.headers.get('etag') ?? '';
    expect(tag).toMatch(/^"[0-9a-f]{32}"$/);
    for (const given of [tag, `W/${tag}`, `"7", ${tag}`, '*']) {
      const again = await get(service, workspace, '/v1/standups', given);
      expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', tag]);
      expect(again.headers.get('cache-control')).toBe('private, no-cache');
    }
    expect((await get(twin, workspace, '/v1/standups', tag)).status).toBe(304);
    expect((await get(service, workspace, '/v1/standups', '"7"')).text).toBe(first.text);
    await workspace.request('PATCH', `/v1/standups/${id}`, {body: {update: 'Two.'}});
    const second = await get(service, workspace, '/v1/standups', tag);
    expect([second.status, second.body.data[0].update]).toEqual([200, 'Two.']);
  });

  it('is sent only to callers that may read it, even to those with its ETag', async () => {
    const workspace = await service.addWorkspace();
    const ada = await make(workspace, '/v1/members', {name: 'Ada', email: 'ada@example.com'});
    const path = '/v1/standups?author=ada@example.com';
    const tag = (await get(service, workspace, path)).headers.get('etag') ?? '';
    expect((await get(service, workspace, path, tag)).status).toBe(304);
    const narrow = await workspace.addToken({name: 'narrow', scopes: ['standups:read']});
    expect((await get(service, {...workspace, token: narrow.value}, path, tag)).status).toBe(403);
    const other = await workspace.addToken({name: 'gone', scopes: ['teams:read']});
    expect((await get(service, {...workspace, token: other.value}, path, tag)).status).toBe(403);
    expect((await workspace.request('DELETE', `/v1/members/${ada.id}`)).status).toBe(204);
    expect((await get(service, workspace, path, tag)).status).not.toBe(304);
  });

  it('is answered 304 exactly when its content is the same, whatever happens, in every process', async () => {
    const workspace = await service.addWorkspace();
    const ada = await make(workspace, '/v1/members', {name: 'Ada'});
    await make(workspace, '/v1/teams', {slug: 'data'});
    await workspace.request('PUT', `/v1/teams/data/members/${ada.id}`);
    const standups: Id<'standup'>[] = [];
    let teams = 0;
    const any = (n: number) => standups[n % standups.length] ?? asId<'standup'>('');
    const post = async (team: string, n: number) => {
      const author = n % 3 === 0 && team === 'data' ? {author: ada.id} : {};
      standups.push(asId((await make(workspace, '/v1/standups', {team, update: `"é" ${n}`, ...author})).id));
    };
    const day = (n: number) => new Date(Date.now() - n * 86_400_000).toISOString().slice(0, 10);
    const happenings: Record<string, (n: number) => Promise<unknown>> = {
      post: (n) => post(n % 2 === 0 ? 'platform' : 'data', n),
      edit: (n) => change(any(n), {update: `Edited ${n}`}),
      move: (n) => change(any(n), {date: day(n % 5)}),
      delete: (n) => workspace.request('DELETE', `/v1/standups/${any(n)}`),
      // As at the end of retention: without an event.
      vanish: (n) => vanish(workspace, any(n), ada.id),
      show: (n) =>
        setSlackPost(workspace, any(n), {channel: 'C1', ts: `1.${n}`, permalink: 'https://x.example'}),
      wait: (n) => setSlackPost(workspace, any(n), {channel: 'C1'}),
      forget: (n) => setSlackPost(workspace, any(n), undefined),
      trouble: (n) => trouble(workspace, n % 2 === 0 ? 'is_archived' : undefined),
      // Posts in a new team, and removes the team with its standups.
      team: async (n) => {
        const slug = `${randomName()}-${(teams += 1)}`;
        await make(workspace, '/v1/teams', {slug});
        await post(slug, n);
        await Promise.all(paths.map((path) => get(twin, workspace, path)));
        await workspace.request('DELETE', `/v1/teams/${slug}`);
      },
      rename: (n) => workspace.request('PATCH', '/v1/teams/data', {body: {name: `Data ${n}`}}),
      other: (n) => make(workspace, '/v1/members', {name: `Somebody ${n}`}),
      nothing: () => Promise.resolve(),
    };
    const change = (id: string, body: object) => workspace.request('PATCH', `/v1/standups/${id}`, {body});
    const paths = [
      '/v1/standups?limit=3',
      '/v1/standups?team=data&limit=2',
      '/v1/standups?team=platform,DATA&limit=3',
      `/v1/standups?author=${ada.id}`,
      `/v1/standups?order=asc&date_from=${day(1)}&limit=2`,
      '/v1/standups?q=edited',
    ];
    const known = new Map<string, {tag: string; text: string}>();
    let looks = 0;

    async function look(process: TestService, path: string): Promise<void> {
      const before = known.get(path);
      const asked = await get(process, workspace, path, before?.tag);
      const whole = await get(process, workspace, path);
      const tag = whole.headers.get('etag') ?? '';
      expect({path, status: asked.status}).toEqual({path, status: before?.text === whole.text ? 304 : 200});
      if (asked.status === 200) expect([asked.text, asked.headers.get('etag')]).toEqual([whole.text, tag]);
      // A query text that is new, so that no page of it is cached.
      const uncached = await get(process, workspace, `${path}${'&'.repeat((looks += 1))}`);
      expect(withoutCursor(whole.body)).toEqual(withoutCursor(uncached.body));
      known.set(path, {tag, text: whole.text});
    }

    for (let n = 0; n < 4; n += 1) await post('data', n);
    const step = fc.record({
      what: fc.constantFrom(...Object.keys(happenings)),
      n: fc.nat({max: 20}),
      inTwin: fc.boolean(),
    });
    for (const {what, n, inTwin} of fc.sample(step, deep ? 45 : 20)) {
      if (standups.length === 0) await post('platform', n);
      await happenings[what]?.(n);
      await Promise.all(paths.map((path) => look(inTwin ? twin : service, path)));
    }
  });
});

it('an unchanged page is read once, though every client gets all of it', async () => {
  const workspace = await service.addWorkspace();
  await make(workspace, '/v1/standups', {team: 'platform', update: 'One.'});
  const first = await get(service, workspace, '/v1/standups');
  const reads = await countReads(async () => {
    for (let n = 0; n < 3; n += 1) {
      const again = await get(service, workspace, '/v1/standups', n === 2 ? '"7"' : undefined);
      expect([again.status, again.text, again.headers.get('etag')]).toEqual([
        200,
        first.text,
        first.headers.get('etag'),
      ]);
    }
  });
  expect(reads).toBe(0);
  expect(await countReads(() => get(service, workspace, '/v1/standups?limit=1'))).toBe(1);
});

it('a page is rendered once for all concurrent requests with the same token', async () => {
  const asked: unknown[] = [];
  const standups = {
    listShownStandups: async (...[call, query]: [{token: {id: string}}, {past?: number; limit: number}]) => {
      asked.push(`${call.token.id} ${query.limit}`);
      return {rows: [], next: undefined, mark: 'm', unchanged: false};
    },
  };
  const list = createStandupRoutes({standups} as unknown as Services).find(
    ({operation}) => operation === 'listStandups',
  );
  const ask = (id: string, search = '', issuer?: string, ifNoneMatch?: string) =>
    list?.handle({
      call: {
        workspace: 'w',
        principal: {id: 'p'},
        token: {id, issuer},
        scopes: new Set(),
        deadline: newDeadline(),
      },
      query: {limit: search.length},
      search,
      ifNoneMatch,
      cursors: {open: () => undefined},
    } as unknown as HandlerInput);
  const [one, two] = await Promise.all([
    ask('a'),
    ask('a'),
    ask('a', 'limit=1'),
    ask('b'),
    ask('a', '', undefined, '"x"'),
  ]);
  expect([one?.body?.toString(), two]).toEqual([expect.stringContaining('"data":[]'), one]);
  expect(asked.toSorted()).toEqual(['a 0', 'a 0', 'a 7', 'b 0']);
  await ask('a');
  expect(asked).toHaveLength(5);
  // Two tokens of another issuer may be of different principals.
  await Promise.all([ask('c', '', 'https://issuer.test'), ask('c', '', 'https://issuer.test')]);
  expect(asked).toHaveLength(7);
});

describe('the version mark of a page', () => {
  it('is read once for concurrent requests of the same page', async () => {
    const workspace = await service.addWorkspace();
    await make(workspace, '/v1/standups', {team: 'platform', update: 'One.'});
    const {connection} = service.core.store;
    let asked = 0;
    const pages = createStandupPages({
      ...connection,
      run(...all) {
        asked += 1;
        return connection.run(...all);
      },
    });
    const ask = (limit: number, shown = true) =>
      pages.read(workspace.id, {list: lists.standups(), limit}, {shown}, newDeadline());
    const [one, two, three, four] = await Promise.all([ask(5), ask(5), ask(6), ask(5, false)]);
    expect([asked, one?.rows.length, two, three?.rows, four?.rows]).toEqual([
      3,
      1,
      one,
      one?.rows,
      one?.rows,
    ]);
    await ask(5);
    expect(asked).toBe(4);
  });

  /** Reads as the store does, and records the replies. */
  async function read(workspace: Id<'workspace'>, known?: string) {
    const {connection} = service.core.store;
    const replies: unknown[] = [];
    const run = (async (deadline: number, script: Script, keys: string[], args: string[]) => {
      const reply = await connection.run(deadline, script, keys, args);
      replies.push(reply);
      return reply;
    }) as RedisConnection['run'];
    const query = {list: lists.standups(), limit: 5};
    const page = await createStandupPages({...connection, run}).read(
      workspace,
      query,
      {shown: true, known},
      newDeadline(),
    );
    return {...page, replies};
  }

  it('is the only thing read beside the list for a page that the caller knows', async () => {
    const workspace = await service.addWorkspace();
    await make(workspace, '/v1/standups', {team: 'platform', update: 'One.'});
    const {mark, rows} = await read(workspace.id);
    expect(rows).toHaveLength(1);
    expect(await read(workspace.id, mark)).toMatchObject({unchanged: true, rows: [], replies: [[mark, []]]});
  });

  it('is read from keys that are named to Redis, as a cluster needs it', async () => {
    const workspace = await service.addWorkspace();
    const {id} = await make(workspace, '/v1/standups', {team: 'platform', update: 'One.'});
    const comment = await make(workspace, '/v1/comments', {standup: id, text: 'Two.'});
    const {connection} = service.core.store;
    const named: string[] = [];
    const run = (async (deadline: number, script: Script, keys: string[], args: string[]) => {
      named.push(...keys);
      // A key that a script makes up begins with the workspace's tag.
      expect([script.source, ...args.slice(1)].join('\n')).not.toContain(`{${workspace.id}}`);
      expect(script.source).not.toMatch(/KEYS\[[^\]]*\] \.\.|\.\. ?KEYS/);
      return connection.run(deadline, script, keys, args);
    }) as RedisConnection['run'];
    const query = {list: lists.standups(), limit: 5};
    const page = await createStandupPages({...connection, run}).read(
      workspace.id,
      query,
      {shown: true},
      newDeadline(),
    );
    expect(page.rows).toHaveLength(1);
    const keys = workspaceKeys(workspace.id);
    const suffix: IdSuffix<'standup'> = suffixOf(id);
    const thread = [lists.commentsOf(suffix), lists.reactionsOn(suffix)].map(keys.list);
    const first = [keys.head(), keys.events(), keys.record(suffix), keys.slackPost(suffix), ...thread];
    expect(named).toEqual([...first, keys.record(suffixOf(comment.id))]);
  });

  it('differs after a restore of the store, even if the log has the same length', async () => {
    const workspace = await service.addWorkspace();
    await make(workspace, '/v1/standups', {team: 'platform', update: 'One.'});
    const {mark} = await read(workspace.id);
    const {call} = service.core.store.connection;
    const events = workspaceKeys(workspace.id).events();
    const [[id, fields]] = await call<[[string, string[]]]>(newDeadline(), [
      'XREVRANGE',
      events,
      '+',
      '-',
      'COUNT',
      '1',
    ]);
    await call(newDeadline(), ['DEL', events]);
    await call(newDeadline(), ['XADD', events, id, 'n', String(Number(fields[1]) + 1), ...fields.slice(2)]);
    expect((await read(workspace.id, mark)).unchanged).toBe(false);
  });
});
