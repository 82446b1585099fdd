import {afterAll, beforeAll, describe, expect, it} from '@jest/globals';
import fc from 'fast-check';
import type {Commit, EventDraft} from '../../../src/domain/commit/commit.js';
import {
  type Id,
  composeId,
  suffixFromBytes,
  provisionalId,
  type IdSuffix,
} from '../../../src/domain/core/ids.js';
import {workspaceKeys} from '../../../src/store/core/keys.js';
import type {Store} from '../../../src/store/store.js';
import {openTestStore, newDeadline} from '../open-test-store.js';
import {asId} from '../../support/ids.js';

let store: Store;
let workspace: Id<'workspace'>;
/** Sequence of the newest event. */
let newest: number;

const part = (seed: number): IdSuffix<never> => suffixFromBytes(new Uint8Array(10).fill(seed));

beforeAll(async () => {
  ({store} = await openTestStore());
  workspace =
    (await store.workspaces.create({slug: 'w', name: 'W', suffix: part(1)}, newDeadline()))?.id ?? asId('');
  newest = (await store.events.findEnd(workspace, newDeadline()))?.sequence ?? 0;
});

afterAll(() => store.close());

async function commit(events: readonly EventDraft[], caller: object = {}): Promise<void> {
  const plan: Commit = {guards: [], writes: [], events, reply: {kind: 'empty'}};
  const {kind} = await store.commits.run({workspace, deadline: newDeadline(), ...caller}, plan);
  expect(kind).toBe('committed');
  newest += events.length;
}

const next = (after: number) => store.events.listNext(workspace, after, 10, newDeadline());
const fromLog = (after: number) => store.events.listAfter(workspace, after, 10, newDeadline());

describe('a single event that this process has just committed', () => {
  const seeds = fc.integer({min: 0, max: 255});
  const ids = <K extends 'team' | 'member' | 'service_account' | 'request'>(kind: K) =>
    seeds.map((seed) => composeId(kind, 1_790_000_000_000 + seed, part(seed)));
  const event = fc.record(
    {
      type: fc.constantFrom('standup.created', 'run.reminded', 'slack.post_failed', 'webhook.failing'),
      about: seeds.map(part),
      revision: fc.integer({min: 1, max: 1_000}),
      team: fc.oneof(
        ids('team'),
        seeds.map((seed) => provisionalId('team', part(seed))),
      ),
      since: fc.integer({min: 1, max: 2 ** 40}),
    },
    {requiredKeys: ['type', 'about', 'revision']},
  );
  const principal = fc.oneof(
    ids('member').map((id) => ({type: 'member', id})),
    ids('service_account').map((id) => ({type: 'service_account', id})),
    fc.constant({type: 'service_account', id: 'svc_jobs'}),
  );
  const caller = fc.record(
    {
      principal,
      entryPoint: fc.constantFrom('api', 'slack', 'cli', 'dashboard', 'system'),
      requestId: fc.oneof(ids('request'), fc.constant('made up')),
    },
    {requiredKeys: []},
  );

  it('is the same as read from the log, whatever its type and actor', async () => {
    const check = async (events: readonly object[], author: object): Promise<void> => {
      const before = newest;
      await commit(events as EventDraft[], author);
      const read = await next(before);
      expect(read).toEqual((await fromLog(before)).slice(0, read.length));
      expect(read).not.toHaveLength(0);
    };
    await fc.assert(fc.asyncProperty(fc.array(event, {minLength: 1, maxLength: 2}), caller, check));
  });

  it('is returned from memory once, if it is the only new event', async () => {
    const before = newest;
    await commit([{type: 'standup.created', about: part(3), revision: 1}]);
    const [kept] = await fromLog(before);
    const events = workspaceKeys(workspace).events();
    await store.connection.call(newDeadline(), ['XDEL', events, String(newest)]);
    expect(await next(before)).toEqual([kept]);
    expect(await next(before)).toEqual([]);
  });

  it('is read from the log if another event has followed', async () => {
    const before = newest;
    await commit([{type: 'standup.created', about: part(4), revision: 1}]);
    await commit([{type: 'standup.created', about: part(5), revision: 1}]);
    expect((await next(before)).map(({sequence}) => sequence)).toEqual([before + 1, before + 2]);
  });
});
