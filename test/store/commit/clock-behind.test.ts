import {afterAll, beforeAll, beforeEach, expect, it} from '@jest/globals';
import {composeId, type Id, type IdSuffix, suffixFromBytes} from '../../../src/domain/core/ids.js';
import {workName} from '../../../src/domain/core/work.js';
import {workspaceKeys} from '../../../src/store/core/keys.js';
import {lists} from '../../../src/domain/core/lists.js';
import {createWrite} from '../../../src/domain/commit/writes.js';
import type {Store} from '../../../src/store/store.js';
import {testRedisUrl} from '../../support/redis-server.js';
import {createTestClock, type TestClock} from '../../support/test-clock.js';
import {newDeadline, openTestStore} from '../open-test-store.js';

let clock: TestClock;
let store: Store;
let workspace: Id<'workspace'>;

beforeAll(async () => {
  const url = await testRedisUrl();
  clock = await createTestClock(url);
  ({store} = await openTestStore({url, time: clock.time}));
});

beforeEach(async () => {
  const suffix = nextSuffix();
  const made = await store.workspaces.create({slug: `w${suffix}`, name: 'One', suffix}, newDeadline());
  if (made === undefined) throw new Error('not made');
  workspace = made.id;
});

afterAll(async () => {
  await store?.close();
  await clock?.close();
});

let generated = 0;

function nextSuffix(): IdSuffix<never> {
  generated += 1;
  const bytes = new Uint8Array(10);
  new DataView(bytes.buffer).setUint32(6, generated);
  return suffixFromBytes(bytes);
}

/** Makes a standup, and returns its time (ms) and its stored instant. */
async function post(): Promise<{at: number; createdAt: string}> {
  const suffix: IdSuffix<'standup'> = nextSuffix();
  const of = createWrite('standup', suffix, {object: 'standup', update: 'Words.'}, [
    {list: lists.standups()},
  ]);
  const outcome = await store.commits.run(
    {workspace, deadline: newDeadline()},
    {
      guards: [],
      writes: [of],
      events: [{type: 'standup.created', about: suffix, revision: 1}],
      reply: {kind: 'resource', of},
    },
  );
  if (outcome.kind !== 'committed') throw new Error(outcome.kind);
  const found = await store.records.find(workspace, composeId('standup', outcome.at, suffix), newDeadline());
  return {at: outcome.at, createdAt: found?.created_at ?? 'not found by its id'};
}

const instantOf = (ms: number) => new Date(ms).toISOString();

it('instants, ids and times of events do not go back when a server whose clock is behind takes over', async () => {
  const before = await post();
  const [start, behindMs] = [clock.now(), 2_500];
  await clock.set(start - behindMs);
  const behind = [await post(), await post()];
  await clock.advance(behindMs - 1);
  const nearly = await post();
  await clock.advance(2);
  const after = await post();
  expect([before, ...behind, nearly, after].map(({at}) => at - start)).toEqual([0, 0, 0, 0, 1]);
  for (const {at, createdAt} of [...behind, nearly, after]) expect(createdAt).toBe(instantOf(at));
  const events = await store.events.listNext(workspace, 0, 10, newDeadline());
  expect(events.map(({sequence, at}) => [sequence, at - start])).toEqual([
    [1, 0],
    [2, 0],
    [3, 0],
    [4, 0],
    [5, 1],
  ]);
});

it('work is due by the clock of the server that took over, so that it is neither late nor lost', async () => {
  await post();
  await clock.set(clock.now() - 2_500);
  const keys = workspaceKeys(workspace);
  // The readers have got everything, so that the next event wakes them.
  await store.connection.call(newDeadline(), ['HSET', keys.head(), 'cursor:webhooks', '1']);
  await store.connection.call(newDeadline(), ['DEL', keys.ready()]);
  await post();
  const due = ['ZSCORE', keys.ready(), workName({kind: 'fan-out'})] as const;
  expect(Number(await store.connection.call(newDeadline(), due))).toBe(clock.now());
});

it('a clock that was wrong by more than five minutes is not followed once it is set right', async () => {
  const right = clock.now();
  await clock.set(right + 3_600_000);
  expect((await post()).at).toBe(right + 3_600_000);
  await clock.set(right);
  expect((await post()).at).toBe(right);
});
