import {expect, it} from '@jest/globals';
import {createFairSemaphore} from '../../../src/api/http/fair-semaphore.js';
import {until} from '../../support/until.js';
import {asId} from '../../support/ids.js';

/** Callers by name in order of admission, with the function that frees their slot. */
function createStage(count: () => number) {
  const enter = createFairSemaphore(count);
  const inside = new Map<string, () => void>();
  return {
    inside: () => [...inside.keys()],
    come: (name: string, {workspace = asId<'workspace'>('one'), timeoutMs = 60_000} = {}) =>
      void Promise.resolve(enter(workspace, timeoutMs)).then((leave) => inside.set(name, leave)),
    async leave(name: string) {
      inside.get(name)?.();
      inside.delete(name);
      await flushPromises();
    },
  };
}

const flushPromises = () => new Promise((resolve) => setImmediate(resolve));

it('the gate admits as many requests as it has slots, in order of arrival', async () => {
  const stage = createStage(() => 2);
  for (const name of ['a', 'b', 'c', 'd']) stage.come(name);
  await flushPromises();
  expect(stage.inside()).toEqual(['a', 'b']);
  await stage.leave('b');
  stage.come('late');
  await stage.leave('a');
  expect(stage.inside()).toEqual(['c', 'd']);
  await stage.leave('c');
  expect(stage.inside()).toEqual(['d', 'late']);
  for (const name of ['d', 'late']) await stage.leave(name);
});

it('regression: many requests of one workspace do not delay those of another', async () => {
  const stage = createStage(() => 1);
  for (const name of ['a', 'b', 'c', 'd']) stage.come(name);
  for (const name of ['x', 'y']) stage.come(name, {workspace: asId<'workspace'>('two')});
  await flushPromises();
  const order: string[] = [];
  for (let [name] = stage.inside(); name !== undefined; [name] = stage.inside()) {
    order.push(name);
    await stage.leave(name);
  }
  expect(order).toEqual(['a', 'b', 'x', 'c', 'y', 'd']);
});

it('the gate admits all waiting requests once there are more slots, and none while more slots are taken than exist', async () => {
  let count = 3;
  const stage = createStage(() => count);
  for (const name of ['a', 'b', 'c', 'd', 'e']) stage.come(name);
  await flushPromises();
  count = 1;
  await stage.leave('a');
  expect(stage.inside()).toEqual(['b', 'c']);
  count = Number.POSITIVE_INFINITY;
  await stage.leave('b');
  expect(stage.inside()).toEqual(['c', 'd', 'e']);
  for (const name of ['c', 'd', 'e']) await stage.leave(name);
});

it('the gate admits a request that has waited for its full time, however many others it has admitted', async () => {
  const stage = createStage(() => 1);
  stage.come('a');
  stage.come('b', {timeoutMs: 5});
  await until(() => stage.inside().length === 2, {what: 'the second one is let in'});
  stage.come('c');
  await stage.leave('a');
  expect(stage.inside()).toEqual(['b']);
  await stage.leave('b');
  expect(stage.inside()).toEqual(['c']);
  await stage.leave('c');
});
