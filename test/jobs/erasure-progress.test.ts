import {afterAll, beforeAll, expect, it} from '@jest/globals';
import {workspaceKeys} from '../../src/store/core/keys.js';
import {expectProblem} from '../api/http/expect-problem.js';
import {addPerson, type Person} from '../api/people.js';
import {dumpRedis} from '../store/dump.js';
import {type Json, startService, type TestService, type TestWorkspace} from '../support/service.js';
import {until} from '../support/until.js';
import {newDeadline} from './stage.js';
import type {PrincipalId} from '../../src/domain/core/access.js';
import {asId, asSuffix} from '../support/ids.js';

/** Answers requests without background work. The test takes each step of an erasure. */
let front: TestService;
let workspace: TestWorkspace;
let owner: Person;

beforeAll(async () => {
  front = await startService({env: {ROLES: 'web'}});
  workspace = await front.addWorkspace();
  owner = await addPerson(front, workspace, {name: 'Olga', role: 'owner'});
});

afterAll(() => front.close());

async function addWriter(): Promise<Person> {
  const ada = await addPerson(front, workspace, {name: 'Ada Lovelace', team: 'platform'});
  const ask = async (method: string, path: string, body: Json) =>
    (await workspace.request(method, path, {token: ada.token, body})).body;
  for (const update of ['one', 'two']) await ask('POST', '/v1/standups', {team: 'platform', update});
  await ask('POST', '/v1/blockers', {team: 'platform', text: 'CI'});
  await ask('POST', '/v1/absences', {reason: 'away'});
  return ada;
}

const read = async (path: string): Promise<Json> =>
  (await workspace.request('GET', path, {token: owner.token})).body;

async function erase(id: string, headers = {}): Promise<string> {
  const answer = await workspace.request('DELETE', `/v1/members/${id}?erase=true`, {
    token: owner.token,
    headers,
  });
  expect(answer.status).toBe(204);
  return answer.headers.get('location') ?? '';
}

/** Takes one step of the erasure, as a worker does. */
async function step(id: PrincipalId, at: string): Promise<boolean | 'later'> {
  const erasure = asSuffix<'erasure'>(at.slice(-16));
  return front.core.services.forgetMember(workspace.operator(), id, true, erasure);
}

it('the progress of an erasure counts erased and remaining data by kind until the end, and names no member', async () => {
  const ada = await addWriter();
  const at = await erase(ada.id, {'idempotency-key': 'once'});
  expect(await erase(ada.id, {'idempotency-key': 'once'})).toBe(at);
  expect(at).toMatch(/^\/v1\/erasures\/era_/);
  const queued = await read(at);
  expect(queued).toMatchObject({
    id: at.split('/').at(-1),
    object: 'erasure',
    state: 'queued',
    erased: {access_tokens: 1, standups: 0},
    left: {team_places: 1, absences: 1, blockers: 1, standups: 2},
    ended_at: null,
  });
  const seen: Json[] = [];
  while ((await step(ada.id, at)) !== false) seen.push(await read(at));
  expect(seen[0]).toMatchObject({
    state: 'running',
    erased: {team_places: 1},
    left: {team_places: 0, standups: 2},
  });
  const done = await read(at);
  expect(done).toMatchObject({
    state: 'done',
    erased: {team_places: 1, access_tokens: 1, absences: 1, blockers: 1, standups: 2},
    left: {team_places: 0, access_tokens: 0, absences: 0, blockers: 0, reactions: 0, standups: 0, traces: 0},
    ended_at: expect.any(String),
  });
  // A worker that was killed before it recorded the end repeats the last step.
  await step(ada.id, at);
  expect(await read(at)).toEqual(done);
  expect(JSON.stringify(done)).not.toContain(ada.id.slice(-16));
  const key = workspaceKeys(workspace.id).erasure(asSuffix(at.slice(-16)));
  const kept = (await dumpRedis(front.redisUrl)).text.split('\n').filter((line) => line.includes(key));
  expect(kept).toHaveLength(1);
  expect(kept[0]).not.toContain(ada.id.slice(-16));
  expect(kept[0]).not.toMatch(/ada|olga/i);
});

it('an erasure continues after its worker is killed, with the same counts as without a kill', async () => {
  const ada = await addWriter();
  const at = await erase(ada.id);
  // One step erases all data of the first kind.
  await step(ada.id, at);
  const worker = await startService({redisUrl: front.redisUrl, env: {ROLES: 'worker'}});
  try {
    const done = await until(
      async () => {
        const erasure = await read(at);
        return erasure.state === 'done' ? erasure : undefined;
      },
      {what: 'the erasure is done', withinMs: 30_000},
    );
    expect(done.erased).toMatchObject({team_places: 1, absences: 1, blockers: 1, standups: 2});
  } finally {
    await worker.close();
  }
});

it('an erasure whose last step failed is shown as failed, and the next step continues it', async () => {
  const ada = await addWriter();
  const at = await erase(ada.id);
  const {connection} = front.core.store;
  const keys = workspaceKeys(workspace.id);
  // The key that the step reads gets another type, so that the step fails half-way.
  const list = keys.list(`blockers:${ada.id.slice(-16)}` as Parameters<typeof keys.list>[0]);
  await connection.call(newDeadline(), ['RENAME', list, `${list}:aside`]);
  await connection.call(newDeadline(), ['SET', list, 'broken']);
  const work = async () => {
    while ((await step(ada.id, at)) !== false);
  };
  await expect(work()).rejects.toThrow();
  expect(await broken(at)).toBe('failed');
  await connection.call(newDeadline(), ['RENAME', `${list}:aside`, list]);
  await work();
  expect(await read(at)).toMatchObject({state: 'done', erased: {blockers: 1, standups: 2}});
});

/** Reads the state from the store, because the API cannot count remaining data while a key is broken. */
async function broken(at: string): Promise<string | undefined> {
  const {erasures} = front.core.store;
  return (await erasures.find(workspace.id, asId(at.split('/').at(-1) ?? ''), newDeadline()))?.state;
}

it('erasures are listed newest first for managers of the workspace; a removal without erasure is not listed', async () => {
  const member = await addPerson(front, workspace, {name: 'Mia'});
  await erase((await addPerson(front, workspace, {name: 'B'})).id);
  const before = await read('/v1/erasures');
  const [gone, kept] = [
    await addPerson(front, workspace, {name: 'G'}),
    await addPerson(front, workspace, {name: 'K'}),
  ];
  const at = await erase(gone.id);
  const plain = await workspace.request('DELETE', `/v1/members/${kept.id}`, {token: owner.token});
  expect([plain.status, plain.headers.get('location')]).toEqual([204, null]);
  const {data} = await read('/v1/erasures');
  expect(data.map(({id}: Json) => id)).toEqual([
    at.split('/').at(-1),
    ...before.data.map(({id}: Json) => id),
  ]);
  const page = await read('/v1/erasures?limit=1');
  expect(page.has_more).toBe(true);
  expect((await read(`/v1/erasures?limit=1&cursor=${page.next_cursor}`)).data[0].id).toBe(before.data[0].id);
  for (const path of ['/v1/erasures', at]) {
    expectProblem(await workspace.request('GET', path, {token: member.token}), 'forbidden');
  }
});
