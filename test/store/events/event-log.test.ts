import {afterAll, beforeAll, beforeEach, describe, expect, it} from '@jest/globals';
import {sendToRedis} from '../../../scripts/redis-protocol.mjs';
import {type Id, suffixFromBytes} from '../../../src/domain/core/ids.js';
import {lifetimes} from '../../../src/domain/core/limits.js';
import {createEventLog} from '../../../src/store/events/event-log.js';
import {workspaceKeys} from '../../../src/store/core/keys.js';
import type {Store} from '../../../src/store/store.js';
import {until} from '../../support/until.js';
import {openTestStore, newDeadline} from '../open-test-store.js';
import {createWrite} from '../../../src/domain/commit/writes.js';
import {asId} from '../../support/ids.js';

let store: Store;
let url: string;
let workspace: Id<'workspace'>;
let made = 0;

beforeAll(async () => {
  ({store, url} = await openTestStore());
});

beforeEach(async () => {
  made += 1;
  const part = suffixFromBytes(new Uint8Array(10).fill(made));
  workspace =
    (await store.workspaces.create({slug: `w-${made}`, name: 'W', suffix: part}, newDeadline()))?.id ??
    asId('');
  await store.events.removeIdleConsumer(workspace, 'slack', 0, newDeadline());
});

afterAll(() => store.close());

/** Appends events, then makes the first `old` of them older than the retention. */
async function append(count: number, old = 0): Promise<void> {
  const {events} = workspaceKeys(workspace);
  for (let i = 0; i < count; i++) {
    const about = suffixFromBytes(new Uint8Array(10).fill(i));
    await store.commits.run(
      {workspace, deadline: newDeadline()},
      {guards: [], writes: [], events: [{type: 'team.created', about, revision: 1}], reply: {kind: 'empty'}},
    );
  }
  const [entries] = [
    await store.connection.call<[string, string[]][]>(newDeadline(), ['XRANGE', events(), '-', '+']),
  ];
  await sendToRedis(url, [['DEL', events()]]);
  for (const [i, [id, fields]] of entries.entries()) {
    const aged = [...fields];
    const at = aged.indexOf('n') + 1;
    if (i < old) aged[at] = String(Number(aged[at]) - (lifetimes.events + 60) * 1_000);
    await sendToRedis(url, [['XADD', events(), id, ...aged]]);
  }
}

const setCursor = (consumer: string, sequence: number) =>
  sendToRedis(url, [['HSET', workspaceKeys(workspace).head(), `cursor:${consumer}`, String(sequence)]]);

const left = async () =>
  (await store.events.listAfter(workspace, 0, 1_000, newDeadline())).map(({sequence}) => sequence);

describe('trimming the event log', () => {
  it('drops events older than 30 days and retains the rest', async () => {
    await append(6, 4);
    await setCursor('webhooks', 6);
    expect(await store.events.trim(workspace, newDeadline())).toBe(4);
    expect(await left()).toEqual([5, 6]);
    expect(await store.events.span(workspace, newDeadline())).toEqual({newest: 6, oldest: 5});
    expect(await store.events.trim(workspace, newDeadline())).toBe(0);
  });

  it.each([
    ['a consumer', 'slack'],
    ['a webhook that has fallen behind', 'webhook/00000000000webh1'],
  ])('regression: never passes the cursor of %s, however old the events are', async (_, consumer) => {
    await append(6, 6);
    await setCursor('webhooks', 6);
    await setCursor(consumer, 3);
    await store.events.trim(workspace, newDeadline());
    expect((await left()).filter((sequence) => sequence > 3)).toEqual([4, 5, 6]);
    await setCursor(consumer, 5);
    await store.events.trim(workspace, newDeadline());
    expect((await left()).filter((sequence) => sequence > 5)).toEqual([6]);
  });

  it('drops more events than fit into one step', async () => {
    await append(230, 220);
    await setCursor('webhooks', 230);
    expect(await store.events.trim(workspace, newDeadline())).toBe(220);
    expect((await left())[0]).toBe(221);
  });

  it('regression: is not stopped by an event with an unreadable time', async () => {
    await append(3, 3);
    await setCursor('webhooks', 3);
    const {events} = workspaceKeys(workspace);
    const [entries] = [
      await store.connection.call<[string, string[]][]>(newDeadline(), ['XRANGE', events(), '-', '+']),
    ];
    await sendToRedis(url, [['DEL', events()]]);
    for (const [i, [id, fields]] of entries.entries()) {
      const broken = fields.map((value, at) => (i === 0 && fields[at - 1] === 'n' ? 'x' : value));
      await sendToRedis(url, [['XADD', events(), id, ...broken]]);
    }
    expect(await store.events.trim(workspace, newDeadline())).toBe(2);
  });

  it('does nothing to an empty log', async () => {
    expect(await store.events.trim(workspace, newDeadline())).toBe(0);
    expect(await store.events.span(workspace, newDeadline())).toEqual({newest: 0, oldest: 1});
  });
});

describe('events of a period', () => {
  const range = (since: number, upTo: number) =>
    store.events.findRange(workspace, since, upTo, newDeadline());

  /** Creates a log with events at these times, of which the first `gone` have been trimmed. */
  async function logAt(times: readonly number[], gone = 0): Promise<void> {
    const {events, head} = workspaceKeys(workspace);
    const fields = ['t', 'team.created', 'a', suffixFromBytes(new Uint8Array(10)), 'r', '1', 'm', ''];
    for (const [i, at] of times.entries()) {
      if (i >= gone) await sendToRedis(url, [['XADD', events(), `${i + 1}-0`, 'n', String(at), ...fields]]);
    }
    await sendToRedis(url, [['HSET', head(), 'sequence', String(times.length)]]);
  }

  it('are found by their times, both ends included', async () => {
    await logAt([100, 200, 200, 200, 300, 400]);
    expect(await range(200, 300)).toEqual({first: 2, last: 5});
    expect(await range(200, 200)).toEqual({first: 2, last: 4});
    expect(await range(201, 299)).toEqual({first: 5, last: 4});
    expect(await range(0, 99)).toEqual({first: 1, last: 0});
    expect(await range(0, 1_000)).toEqual({first: 1, last: 6});
    expect(await range(400, 400)).toEqual({first: 6, last: 6});
    expect(await range(401, 1_000)).toEqual({first: 7, last: 6});
  });

  it('are found correctly in a long log whose beginning has been dropped', async () => {
    const times = Array.from({length: 150}, (_, i) => 1_000 + 7 * Math.floor(i / 3));
    await logAt(times, 40);
    for (let at = 1_050; at < 1_400; at += 13) {
      const kept = times.flatMap((time, i) => (i >= 40 && time >= at && time <= at + 50 ? [i + 1] : []));
      const {first, last} = await range(at, at + 50);
      expect(Array.from({length: last - first + 1}, (_, i) => first + i)).toEqual(kept);
    }
  });

  it('are not found in an empty log', async () => {
    expect(await range(0, 1_000)).toEqual({first: 1, last: 0});
  });
});

it('an event is found by its sequence, until the log drops it', async () => {
  await append(3);
  const all = await store.events.listAfter(workspace, 0, 10, newDeadline());
  const twin = await openTestStore({url});
  expect(await twin.store.events.findBySequence(workspace, 2, newDeadline())).toEqual(all[1]);
  expect(await twin.store.events.findEntries(workspace, [3, 9, 1], newDeadline())).toEqual([all[0], all[2]]);
  await twin.store.close();
});

it('the first and last sequence of a workspace without data are unknown', async () => {
  await sendToRedis(url, [['DEL', workspaceKeys(workspace).head()]]);
  expect(await store.events.span(workspace, newDeadline())).toBeUndefined();
});

it('regression: an event keeps its text in a list even if its cached body expires while others are read', async () => {
  const part = (fill: number) => suffixFromBytes(new Uint8Array(10).fill(fill));
  for (const fill of [101, 102]) {
    const [about, draft] = [part(fill), {object: 'team', slug: `t${fill}`}];
    const outcome = await store.commits.run(
      {workspace, deadline: newDeadline()},
      {
        guards: [],
        writes: [createWrite('team', about, draft, [])],
        events: [{type: 'team.created', about, revision: 1}],
        reply: {kind: 'empty'},
      },
    );
    expect(outcome.kind).toBe('committed');
  }
  const entries = await store.events.listAfter(workspace, 0, 10, newDeadline());
  const cached: {at?: number} = {};
  const slow = {
    ...store.records,
    findRevisions: (async (...args: Parameters<typeof store.records.findRevisions>) => {
      // Waits until the body has expired from the cache.
      await until(() => cached.at === undefined || performance.now() - cached.at > 2_100);
      return store.records.findRevisions(...args);
    }) as typeof store.records.findRevisions,
  };
  const log = createEventLog(store.connection, slow);
  await log.render(workspace, entries.slice(0, 1), newDeadline());
  cached.at = performance.now();
  const bodies = await log.render(workspace, entries, newDeadline());
  expect(bodies.map((body) => JSON.parse(body).data?.slug)).toEqual(['t101', 't102']);
});
