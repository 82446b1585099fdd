import {afterEach, beforeEach, expect, it} from '@jest/globals';
import {type Work, workName} from '../../../src/domain/core/work.js';
import type {DueSearch} from '../../../src/store/core/ready.js';
import {createDueIndex} from '../../../src/store/core/due-index.js';
import {startService, type TestService} from '../../support/service.js';
import {until} from '../../support/until.js';
import type {Id, IdSuffix} from '../../../src/domain/core/ids.js';
import {asId, asSuffix} from '../../support/ids.js';

let service: TestService;
let workspaces: Id<'workspace'>[];

beforeEach(async () => {
  service = await startService({env: {ROLES: 'web'}});
  workspaces = [];
  for (let i = 0; i < 4; i++) workspaces.push((await service.addWorkspace()).id);
  const ready = service.core.store.ready;
  // The first workspace has twenty due webhooks, and each of the others one.
  for (const [index, id] of workspaces.entries()) {
    for (let i = 0; i < (index === 0 ? 20 : 1); i++)
      await ready.reschedule(id, deliver(asSuffix(`hook${i}`)), i + 1, newDeadline());
    await ready.reschedule(id, {kind: 'fan-out'}, undefined, newDeadline());
    await ready.reschedule(id, {kind: 'read-slack'}, undefined, newDeadline());
    await ready.reschedule(id, deliver(asSuffix('later')), Date.now() + 3_600_000, newDeadline());
  }
  // The index gets this work in several parts, every 20 ms. A search in the same millisecond as one, or before
  // the last, would not change its order.
  const index = createDueIndex(service.core.store.connection);
  let before = '';
  await until(
    async () => {
      const listed = await index.list('service', Date.now() - 10, 10, newDeadline());
      const isSame = JSON.stringify(listed) === before;
      before = JSON.stringify(listed);
      return listed.length === workspaces.length && isSame;
    },
    {everyMs: 60, what: 'the index has all work'},
  );
});

afterEach(() => service.close());

const deliver = (webhook: IdSuffix<'webhook'>): Work => ({kind: 'deliver', webhook});
const newDeadline = () => performance.now() + 5_000;

function look(options: Partial<DueSearch> = {}) {
  const defaults = {side: 'service', from: 0, perWorkspace: 10, mostOfOne: 500, atMost: 500} as const;
  return service.core.store.ready.listDue({...defaults, ...options}, newDeadline());
}

it('a search for due work returns one item of each workspace before a second of any, and none that is due later', async () => {
  const {due} = await look({atMost: 13});
  expect(due).toHaveLength(13);
  expect(new Set(due.slice(0, 4).map(({workspace}) => workspace)).size).toBe(4);
  expect(due.map(({work}) => work)).not.toContainEqual(deliver(asSuffix('later')));
});

it('a search for due work gives unused places to workspaces that have more than their share', async () => {
  const of = (due: {workspace: Id<'workspace'>}[]) =>
    due.filter(({workspace}) => workspace === workspaces[0]).length;
  const sizes: [number, number][] = [];
  for (const atMost of [10, 15, 23, 500]) {
    const {due} = await look({perWorkspace: 4, atMost});
    sizes.push([due.length, of(due)]);
  }
  expect(sizes).toEqual([
    [10, 7],
    [15, 12],
    [23, 20],
    [23, 20],
  ]);
});

it('a search for due work stops when it has enough, and the next one continues there, so that all are found', async () => {
  const seen = new Set<string>();
  let from = 0;
  for (let i = 0; i < 4; i++) {
    const {due, next} = await look({from, perWorkspace: 1, atMost: 1});
    expect(due).toHaveLength(1);
    for (const {workspace} of due) seen.add(workspace);
    from = next;
  }
  expect([...seen].sort()).toEqual([...workspaces].sort());
});

it('work that stays due does not hide other due work of its workspace permanently', async () => {
  const seen = new Set<string>();
  await until(
    async () => {
      for (const {workspace, work} of (await look({atMost: 13})).due) {
        if (workspace === workspaces[0] && work.kind === 'deliver') seen.add(work.webhook);
      }
      return seen.size === 20;
    },
    {everyMs: 100, what: 'all twenty are named'},
  );
});

it('regression: due work for Slack does not hide other due work of its workspace, nor the reverse', async () => {
  const {id} = await service.addWorkspace();
  const {ready} = service.core.store;
  await ready.reschedule(id, {kind: 'read-slack'}, undefined, newDeadline());
  const people = Array.from({length: 2_500}, (_, i) => ({kind: 'post-slack', channel: `U${i}`}) as const);
  await Promise.all(people.map((work) => ready.reschedule(id, work, 1, newDeadline())));
  const behind: Work[] = [deliver(asSuffix('behind')), {kind: 'schedule', team: asSuffix('behind')}];
  for (const work of behind) await ready.reschedule(id, work, 2, newDeadline());
  const found = (await look()).due.filter(({workspace}) => workspace === id).map(({work}) => work);
  expect(found).toEqual(expect.arrayContaining(behind));
  expect(found.filter(({kind}) => kind === 'post-slack')).toEqual([]);
  const slack = (await look({side: 'slack', mostOfOne: 100})).due.filter(({workspace}) => workspace === id);
  expect(slack.map(({work}) => work.kind)).toEqual(Array.from({length: 100}, () => 'post-slack'));
});

it("regression: each kind of work gets its share of a workspace's limit, and all is found within a few searches", async () => {
  const {id} = await service.addWorkspace();
  const {ready} = service.core.store;
  const teams = Array.from(
    {length: 1_200},
    (_, i) => ({kind: 'purge-team', team: asId<'team'>(`${i}`)}) as const,
  );
  await Promise.all(teams.map((work, i) => ready.reschedule(id, work, i + 1, newDeadline())));
  await ready.reschedule(id, deliver(asSuffix('behind')), 2_000, newDeadline());
  await ready.reschedule(id, {kind: 'fan-out'}, undefined, newDeadline());
  const seen = new Set<string>();
  await until(
    async () => {
      for (const {workspace, work} of (await look({perWorkspace: 100, atMost: 500})).due)
        if (workspace === id) seen.add(workName(work));
      return seen.size === 1_201;
    },
    {everyMs: 250, what: 'all of it is named'},
  );

  const few = await service.addWorkspace();
  for (let i = 0; i < 20; i++)
    await ready.reschedule(few.id, {kind: 'purge-team', team: asId(`${i}`)}, 1, newDeadline());
  await ready.reschedule(few.id, deliver(asSuffix('behind')), 2, newDeadline());
  await ready.reschedule(few.id, {kind: 'fan-out'}, undefined, newDeadline());
  let [from, found] = [0, [] as Work[]];
  while (found.length === 0) {
    const {due, next} = await look({from, perWorkspace: 2, atMost: 2});
    found = due.filter(({workspace}) => workspace === few.id).map(({work}) => work);
    from = next;
  }
  expect(found.map(({kind}) => kind).toSorted()).toEqual(['deliver', 'purge-team']);

  // If a workspace has only one place, the kinds of work alternate.
  const kinds = new Set<string>();
  await until(
    async () => {
      for (const {workspace, work} of (await look({perWorkspace: 1, mostOfOne: 1})).due)
        if (workspace === few.id) kinds.add(work.kind);
      return kinds.size === 2;
    },
    {everyMs: 250, what: 'both kinds are named'},
  );
});
