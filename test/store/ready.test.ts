import {afterAll, beforeAll, expect, it} from '@jest/globals';
import type {Work} from '../../src/domain/work.js';
import {workspaceKeys} from '../../src/store/keys.js';
import {startService, type TestService} from '../support/service.js';
import {until} from '../support/until.js';

let service: TestService;
const workspaces: string[] = [];

beforeAll(async () => {
  service = await startService({env: {ROLES: 'web'}});
  for (let i = 0; i < 4; i++) workspaces.push((await service.addWorkspace()).id);
  const ready = service.core.store.ready;
  // The first has twenty webhooks that are due, the others one each.
  for (const [place, id] of workspaces.entries()) {
    for (let i = 0; i < (place === 0 ? 20 : 1); i++)
      await ready.settle(id, deliver(`hook${i}`), i + 1, soon());
    await ready.settle(id, {kind: 'fan-out'}, undefined, soon());
    await ready.settle(id, {kind: 'read-slack'}, undefined, soon());
    await ready.settle(id, deliver('later'), Date.now() + 3_600_000, soon());
  }
});

afterAll(() => service.close());

const deliver = (webhook: string): Work => ({kind: 'deliver', webhook});
const soon = () => performance.now() + 5_000;

function look(
  options: {from?: number; perWorkspace?: number; atMost?: number; isWanted?: () => boolean} = {},
) {
  const defaults = {from: 0, perWorkspace: 10, atMost: 500, isWanted: () => true};
  return service.core.store.ready.listDue({...defaults, ...options}, soon());
}

it('one piece of work of each workspace comes before the second of any, and nothing that is due later', async () => {
  const {due} = await look({atMost: 13});
  expect(due).toHaveLength(13);
  expect(new Set(due.slice(0, 4).map(({workspace}) => workspace)).size).toBe(4);
  expect(due.map(({work}) => work)).not.toContainEqual(deliver('later'));
});

it('the room that is left in a look goes to those who have more than their share, as far as it reaches', async () => {
  const of = (due: {workspace: string}[]) => due.filter(({workspace}) => workspace === workspaces[0]).length;
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

it('a look that has found enough stops, and those that follow begin where it has stopped, so that all are reached', async () => {
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

it('work that stays due does not hide the rest of its workspace for ever, and unwanted work hides nothing', async () => {
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
  expect((await look({isWanted: () => false})).due).toEqual([]);
});

it('any number of names that nobody wants hide nothing of their workspace', async () => {
  const {id} = await service.addWorkspace();
  const {ready, connection} = service.core.store;
  const foreign = Array.from({length: 250}, (_, i) => ['1', `post-slack/C${i}`]).flat();
  await connection.call(soon(), ['ZADD', workspaceKeys(id).ready(), ...foreign]);
  await ready.settle(id, deliver('behind'), 2, soon());
  const isWanted = ({kind}: Work) => kind === 'deliver';
  const {due} = await ready.listDue({from: 0, perWorkspace: 10, atMost: 500, isWanted}, soon());
  expect(due).toContainEqual(expect.objectContaining({workspace: id, work: deliver('behind')}));
});
