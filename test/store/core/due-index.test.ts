import {setTimeout as pause} from 'node:timers/promises';
import {afterAll, beforeAll, beforeEach, expect, it} from '@jest/globals';
import {openConnection, type RedisConnection} from '../../../src/store/core/connection.js';
import {emptyCommit} from '../../../src/domain/commit/commit.js';
import {createCommits} from '../../../src/store/commit/commits.js';
import {findFrozenScript} from '../../../src/store/core/compiled/lua.js';
import {addDueIndexUpdates, createDueIndex} from '../../../src/store/core/due-index.js';
import {createFrozenWorkspaces} from '../../../src/store/core/frozen.js';
import {globalKeys, workspaceKeys} from '../../../src/store/core/keys.js';
import {createReadySets} from '../../../src/store/core/ready.js';
import {createChance} from '../../support/seeded-random.js';
import {until} from '../../support/until.js';
import {openTestStore, newDeadline, type TestStore} from '../open-test-store.js';
import {asSuffix, asId} from '../../support/ids.js';
import type {Id} from '../../../src/domain/core/ids.js';

const many = 450;

let test: TestStore;
let commands: number;

beforeAll(async () => {
  test = await openTestStore();
});

/** Creates many workspaces, all with work that is due in an hour. */
beforeEach(async () => {
  const {call} = test.store.connection;
  await call(newDeadline(), ['FLUSHDB', 'SYNC']);
  const all = Array.from({length: many}, (_, i) => idOf(i));
  await call(newDeadline(), ['SADD', globalKeys.workspaces(), ...all]);
  await Promise.all(all.map((id) => putWork(id, Date.now() + 3_600_000)));
});

afterAll(() => test.store.close());

const idOf = (i: number) => asId<'workspace'>(`ws_${String(i).padStart(26, '0')}`);

/** Adds work as a process that is killed before it updates the index. */
const putWork = (id: Id<'workspace'>, at: number) =>
  test.store.connection.call(newDeadline(), ['ZADD', workspaceKeys(id).ready(), String(at), 'fan-out']);

function openScheduler() {
  const {connection} = test.store;
  const ready = createReadySets({
    ...connection,
    call(deadline, args) {
      commands += 1;
      return connection.call(deadline, args);
    },
  });
  let from = 0;
  return async function look(): Promise<string[]> {
    commands = 0;
    const size = {perWorkspace: 10, mostOfOne: 500, atMost: 500};
    const found = await ready.listDue({side: 'service', from, ...size}, newDeadline());
    from = found.next;
    return found.due.map(({workspace}) => workspace);
  };
}

/** Number of searches that cover all workspaces. */
const round = Math.ceil(many / 100) + 1;

it('due work that was not announced is found once the searches have covered all workspaces', async () => {
  const look = openScheduler();
  for (let i = 0; i < round; i += 1) expect(await look()).toEqual([]);
  await putWork(idOf(7), 1);
  await putWork(idOf(444), 2);
  const found = new Set<string>();
  for (let i = 0; i < round; i += 1) for (const id of await look()) found.add(id);
  expect([...found].toSorted()).toEqual([idOf(7), idOf(444)]);
});

it('due work added by a script is found by the next search, with few commands for any number of workspaces', async () => {
  const look = openScheduler();
  for (let i = 0; i < round; i += 1) await look();
  const behind = idOf(321);
  await test.store.ready.reschedule(behind, {kind: 'deliver', webhook: asSuffix('a')}, 1, newDeadline());
  const index = createDueIndex(test.store.connection);
  await until(async () => (await index.list('service', Date.now() + 1_000, 10, newDeadline())).length > 0);
  expect(await look()).toEqual([behind]);
  expect(commands).toBeLessThan(300);
  await test.store.ready.reschedule(
    behind,
    {kind: 'deliver', webhook: asSuffix('a')},
    undefined,
    newDeadline(),
  );
  expect(await look()).toEqual([]);
  expect((await index.find('service', [behind], newDeadline()))[0]?.score).not.toBe('');
});

it('due work added during a search is found by the next search', async () => {
  const {connection} = test.store;
  const index = createDueIndex(connection);
  const id = idOf(1);
  const score = async () => (await index.find('service', [id], newDeadline()))[0]?.score ?? '';
  const note = async () => {
    const before = await score();
    await test.store.ready.reschedule(id, {kind: 'fan-out'}, 1, newDeadline());
    await until(async () => (await score()) !== before);
  };
  // The workspace is unknown, due, or due later. A reading from before the new work must change nothing.
  for (const at of [undefined, 1, Date.now() + 3_600_000]) {
    await index.correct('service', [{workspace: id, score: await score(), at}], newDeadline());
    const read = await score();
    await note();
    await index.correct('service', [{workspace: id, score: read, at: undefined}], newDeadline());
    const due = await index.list('service', Date.now() + 1_000, 10, newDeadline());
    expect(due.map(({workspace}) => workspace)).toContain(id);
  }
});

it('regression: due work is found behind any number of workspaces that do not answer', async () => {
  const {call} = test.store.connection;
  const silent = Array.from({length: 510}, (_, i) => idOf(1_000 + i));
  await Promise.all(
    silent.map((id) => call(newDeadline(), ['SET', workspaceKeys(id).ready(), 'unreadable'])),
  );
  await call(newDeadline(), ['ZADD', globalKeys.due(), ...silent.flatMap((id) => ['1', id])]);
  await putWork(idOf(3), Date.now() - 1_000);
  await call(newDeadline(), ['ZADD', globalKeys.due(), '2', idOf(3)]);
  expect(await openScheduler()()).toEqual([idOf(3)]);
});

it('one round over 40,000 workspaces takes at most 240 searches of few workspaces each', async () => {
  const {call} = test.store.connection;
  await call(newDeadline(), ['FLUSHDB', 'SYNC']);
  for (let at = 0; at < 40_000; at += 5_000) {
    const some = Array.from({length: 5_000}, (_, i) => idOf(at + i));
    await call(newDeadline(), ['SADD', globalKeys.workspaces(), ...some]);
  }
  await putWork(idOf(31_234), 1);
  const look = openScheduler();
  const found: string[] = [];
  for (let i = 0; i < 240; i += 1) {
    found.push(...(await look()));
    expect(commands).toBeLessThan(250);
  }
  expect(found).toContain(idOf(31_234));
});

it('a search for due work and a commit say whether the workspace is read-only, without a question of its own', async () => {
  const {store} = await openTestStore();
  let asked = 0;
  const counting: RedisConnection = {
    ...store.connection,
    run(deadline, script, keys, args) {
      if (script === findFrozenScript) asked += 1;
      return store.connection.run(deadline, script, keys, args);
    },
  };
  const draft = {slug: 'busy', name: 'Busy', suffix: asSuffix<'workspace'>('b'.repeat(16))};
  const {id = idOf(0)} = (await store.workspaces.create(draft, newDeadline())) ?? {};
  await store.ready.reschedule(id, {kind: 'fan-out'}, 1, newDeadline());
  async function search(): Promise<[number, boolean]> {
    const frozen = createFrozenWorkspaces(counting);
    const size = {perWorkspace: 10, mostOfOne: 500, atMost: 500};
    const ready = createReadySets(counting, frozen);
    const {due} = await ready.listDue({side: 'service', from: 0, ...size}, newDeadline());
    return [due.length, await frozen.isFrozen(id, newDeadline())];
  }
  expect(await search()).toEqual([1, false]);
  const frozen = createFrozenWorkspaces(counting);
  const commits = createCommits(counting, undefined, undefined, undefined, frozen);
  await commits.run({workspace: id, deadline: newDeadline()}, emptyCommit);
  expect(await frozen.isFrozen(id, newDeadline())).toBe(false);
  await store.frozen.freeze(id, newDeadline());
  expect(await search()).toEqual([0, true]);
  expect(asked).toBe(0);
  const others = createFrozenWorkspaces(counting);
  await createCommits(counting, undefined, undefined, undefined, others).run(
    {workspace: id, deadline: newDeadline()},
    {...emptyCommit, finishes: true},
  );
  // A commit that finishes work is also made in a read-only workspace, so it says nothing.
  expect([await others.isFrozen(id, newDeadline()), asked]).toEqual([true, 1]);
  await store.close();
});

/** A process with its own notes for the index. After its kill, nothing that it sends reaches Redis. */
function startKillable(connection: RedisConnection) {
  let alive = true;
  const {reschedule} = createReadySets(
    addDueIndexUpdates({
      ...connection,
      run: (...args) => (alive ? connection.run(...args) : Promise.resolve(undefined as never)),
    }),
  );
  return {
    reschedule,
    kill() {
      alive = false;
    },
  };
}

it('after 60 kills at random moments, the next two searches find 99 of 100 pieces of work', async () => {
  const chance = createChance(7);
  const connection = await openConnection({url: test.url, tlsVerify: true, onError: () => undefined});
  const look = openScheduler();
  /** The number of searches before each piece of work that is not found yet. */
  const begun = new Map<string, number>();
  let [searches, late] = [0, 0];
  let pieces = 0;
  const playing = Array.from({length: 60}, async () => {
    const {reschedule, kill} = startKillable(connection);
    const life = new AbortController();
    setTimeout(
      () => {
        kill();
        life.abort();
      },
      chance.between(4_000, 6_000),
    );
    while (!life.signal.aborted) {
      const id = idOf(many + pieces);
      pieces += 1;
      begun.set(id, searches);
      await reschedule(id, {kind: 'fan-out'}, 1, newDeadline());
      if (begun.has(id)) begun.set(id, searches);
      await pause(chance.between(0, 400), undefined, {signal: life.signal}).catch(() => undefined);
    }
  });
  let last = Number.POSITIVE_INFINITY;
  const ended = Promise.all(playing).then(() => (last = searches + 3));
  while (searches < last) {
    const found = await look();
    searches += 1;
    for (const id of found) {
      const at = begun.get(id);
      // The search that runs while the work is noted may miss it.
      if (begun.delete(id) && at !== undefined && searches - at > 2) late += 1;
    }
    await Promise.all(found.map((id) => connection.call(newDeadline(), ['DEL', `{${id}}:ready`])));
    await pause(chance.between(800, 1_200));
  }
  await ended;
  await connection.close();
  expect(pieces).toBeGreaterThan(1_000);
  expect((late + begun.size) / pieces).toBeLessThan(0.01);
});
