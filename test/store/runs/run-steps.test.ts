import {afterAll, beforeAll, beforeEach, expect, it} from '@jest/globals';
import {type Id, suffixFromBytes, type IdSuffix} from '../../../src/domain/core/ids.js';
import type {Commit, EventDraft} from '../../../src/domain/commit/commit.js';
import {createWrite, type Write} from '../../../src/domain/commit/writes.js';
import {workName} from '../../../src/domain/core/work.js';
import {workspaceKeys} from '../../../src/store/core/keys.js';
import type {Store} from '../../../src/store/store.js';
import {testRedisUrl} from '../../support/redis-server.js';
import {createTestClock, type TestClock} from '../../support/test-clock.js';
import {openTestStore, newDeadline} from '../open-test-store.js';
import {asId} from '../../support/ids.js';

const start = Date.UTC(2026, 10, 23, 9);
let store: Store;
let clock: TestClock;
let workspace: Id<'workspace'>;
let generated = 0;

beforeAll(async () => {
  const url = await testRedisUrl();
  clock = await createTestClock(url, start);
  ({store} = await openTestStore({url, time: clock.time}));
  const made = await store.workspaces.create(
    {slug: 'steps', name: 'Steps', suffix: nextSuffix()},
    newDeadline(),
  );
  workspace = made?.id ?? asId('');
});
beforeEach(() => clock.set(start));
afterAll(async () => {
  await store.close();
  await clock.close();
});

function nextSuffix(): IdSuffix<never> {
  const bytes = new Uint8Array(10);
  new DataView(bytes.buffer).setUint32(6, (generated += 1));
  return suffixFromBytes(bytes);
}

const commit = async (writes: Write[], events: EventDraft[] = []): Promise<string> => {
  const made: Commit = {guards: [], writes, events, reply: {kind: 'empty'}};
  return (await store.commits.run({workspace, deadline: newDeadline()}, made)).kind;
};

it('a step of a run can be taken once, or again after some time if it may repeat', async () => {
  const run = nextSuffix();
  const take = (steps: string[], after?: number) =>
    commit([{do: 'take-steps', run, steps, ...(after !== undefined && {after})}]);
  expect(await take(['closed', 'nudge'])).toBe('committed');
  await clock.advance(300_000);
  expect(await take(['closed'])).toBe('stale');
  expect(await take(['nudge'], start - 1)).toBe('stale');
  expect(await take(['nudge'], start)).toBe('committed');
  const taken = await store.runSteps.findTaken(workspace, run, ['nudge', 'closed', 'other'], newDeadline());
  expect(taken).toEqual([start + 300_000, start, undefined]);
});

it('a requested check of a team’s runs is due at once, does not delay an earlier one, and voids older plans', async () => {
  const team = nextSuffix();
  const work = workName({kind: 'schedule', team});
  const read = async () => {
    const at = await store.connection.call<string | null>(newDeadline(), [
      'ZSCORE',
      workspaceKeys(workspace).ready(),
      work,
    ]);
    return [
      await store.runSteps.findLook(workspace, team, newDeadline()),
      at === null ? undefined : Number(at),
    ];
  };
  expect(await read()).toEqual([undefined, undefined]);
  await commit([{do: 'ask-look', team}]);
  expect(await read()).toEqual([{asked: 1, from: start}, start]);
  await clock.advance(1_000);
  await commit([{do: 'ask-look', team}]);
  expect(await read()).toEqual([{asked: 2, from: start}, start]);
  await commit([{do: 'look-again', team, seen: start + 500, next: start + 9_000}]);
  expect(await read()).toEqual([{asked: 2, from: start + 500}, start + 9_000]);
  // No work was due until a check was requested.
  await commit([{do: 'ask-look', team}]);
  expect(await read()).toEqual([{asked: 3, from: start + 1_000}, start + 1_000]);
  await commit([{do: 'look-again', team, seen: start + 500, next: null}]);
  expect(await read()).toEqual([{asked: 3, from: start + 500}, undefined]);
  await commit([{do: 'ask-look', team, after: 'step'}]);
  expect(await read()).toEqual([{asked: 4, from: start + 500}, undefined]);
  await commit([{do: 'forget-looks', team}]);
  expect(await read()).toEqual([undefined, undefined]);
});

it('a check of a team’s runs never covers the future, even if a clock is ahead or was set back', async () => {
  const team = nextSuffix();
  const from = async () => (await store.runSteps.findLook(workspace, team, newDeadline()))?.from;
  await commit([{do: 'ask-look', team}]);
  await commit([{do: 'look-again', team, seen: start + 20, next: null}]);
  expect(await from()).toBe(start);
  await clock.set(start - 1_000);
  await commit([{do: 'ask-look', team}]);
  expect(await from()).toBe(start - 1_000);
});

it('the event of a reminder contains the reminded members, and the reason and time of the reminder', async () => {
  const about = nextSuffix();
  const draft = {object: 'run', team: 'platform'};
  const event = {type: 'run.reminded', about, revision: 1} as const;
  const members = [asId<'member'>('mem_1'), asId<'member'>('mem_2')];
  await commit(
    [createWrite('run', about, draft, [])],
    [
      {...event, team: asId('team_1'), reminded: {at: 'before_closing', minutes: 60, members}},
      {...event, reminded: {at: 'asked', minutes: null, members: []}},
      {...event, reminded: {at: 'opening', minutes: null, members}},
    ],
  );
  const entries = (await store.events.listAfter(workspace, 0, 10, newDeadline())).slice(-3);
  expect(entries.map(({reminded}) => reminded)).toEqual([
    {at: 'before_closing', minutes: 60, members},
    {at: 'asked', minutes: null, members: []},
    {at: 'opening', minutes: null, members},
  ]);
  const [shown] = await store.events.render(workspace, entries, newDeadline());
  const {data} = JSON.parse(shown ?? '');
  expect(data).toMatchObject({...draft, revision: 1, reminder: {at: 'before_closing', minutes: 60, members}});
});

it('regression: the reminded members of an event are stored where older versions can read them', async () => {
  const reminded = {at: 'before_closing', minutes: 60, members: [asId('mem_1')]} as const;
  const principal = {type: 'service_account', id: asId('svc_jobs'), name: 'jobs'} as const;
  await store.commits.run(
    {workspace, deadline: newDeadline(), principal, entryPoint: 'system'},
    {
      guards: [],
      writes: [],
      events: [{type: 'run.reminded', about: nextSuffix(), revision: 1, reminded}],
      reply: {kind: 'empty'},
    },
  );
  const key = workspaceKeys(workspace).events();
  const newest = ['XREVRANGE', key, '+', '-', 'COUNT', '1'] as const;
  const [entry] = await store.connection.call<[string, string[]][]>(newDeadline(), newest);
  expect(entry?.[1].slice(10)).toEqual(['d', '60:mem_1', 'p', 'y s']);
  const read = (await store.events.listAfter(workspace, 0, 100, newDeadline())).at(-1);
  expect(read).toMatchObject({reminded, actor: {type: 'system', source: 'system'}});
});

it.each(['x', '5', 'NaN 1'])(
  'regression: an unreadable request %j for a check of runs does not void plans permanently',
  async (text) => {
    const team = nextSuffix();
    const {connection} = store;
    await connection.call(newDeadline(), ['HSET', workspaceKeys(workspace).looks(), team, text]);
    const asked = (await store.runSteps.findLook(workspace, team, newDeadline()))?.asked ?? 0;
    const made: Commit = {
      guards: [{check: 'unasked', team, asked}],
      writes: [{do: 'look-again', team, seen: start, next: null}],
      events: [],
      reply: {kind: 'empty'},
    };
    expect((await store.commits.run({workspace, deadline: newDeadline()}, made)).kind).toBe('committed');
  },
);
