import {expect, it} from '@jest/globals';
import {createFairGate, type GatePool} from '../../src/jobs/fair-gate.js';
import type {Id} from '../../src/domain/core/ids.js';
import {asId} from '../support/ids.js';

/** A gate whose admitted slices are counted and end when the test says so. */
function openGate({
  slots = 4,
  perWorkspace = 10,
  lowRestMs = 1,
}: {
  slots?: number;
  perWorkspace?: number;
  lowRestMs?: number;
} = {}) {
  const gate = createFairGate({slots: {normal: slots, low: slots, slack: slots}, perWorkspace, lowRestMs});
  /** Workspaces in order of admission. */
  const admitted: Id<'workspace'>[] = [];
  const leaves: (() => void)[] = [];
  let refused = 0;
  return {
    gate,
    admitted,
    refused: () => refused,
    enter(workspace: Id<'workspace'>, pool: GatePool = 'normal'): void {
      void gate.enter(pool, workspace).then((leave) => {
        if (leave === undefined) refused += 1;
        else {
          admitted.push(workspace);
          leaves.push(leave);
        }
      });
    },
    /** Ends the slice that has been inside for longest. */
    async endOne(): Promise<void> {
      leaves.shift()?.();
      await flushPromises();
    },
    inside: () => leaves.length,
  };
}

const flushPromises = () => new Promise((resolve) => setImmediate(resolve));

it('the gate runs no more slices than there are slots', async () => {
  const {enter, endOne, inside, admitted} = openGate({slots: 3});
  for (let i = 0; i < 8; i++) enter(asId(`w${i}`));
  await flushPromises();
  expect(inside()).toBe(3);
  while (inside() > 0) {
    expect(inside()).toBeLessThanOrEqual(3);
    await endOne();
  }
  expect(admitted).toHaveLength(8);
});

it('the gate gives a workspace with one busy webhook a slice in every round, beside one with twenty', async () => {
  const {enter, endOne, admitted} = openGate({slots: 2});
  for (let i = 0; i < 20; i++) enter(asId('many'));
  enter(asId('one'));
  await flushPromises();
  // Each slice that ends is asked for again, as for a backlog.
  for (let i = 0; i < 60; i++) {
    const ended = admitted[i];
    if (ended !== undefined) enter(ended);
    await endOne();
  }
  // One slice in three, not in twenty-one: the workspace asks again only when its slice has ended.
  expect(admitted.filter((workspace) => workspace === 'one').length).toBeGreaterThanOrEqual(20);
});

it('the gate lets in slices of one workspace in order of arrival, and a new workspace waits one round', async () => {
  const {enter, endOne, admitted} = openGate({slots: 1});
  for (const workspace of ['a', 'a', 'a', 'b', 'b', 'c']) enter(asId(workspace));
  await flushPromises();
  for (let i = 0; i < 6; i++) await endOne();
  expect(admitted).toEqual(['a', 'a', 'b', 'c', 'a', 'b']);
});

it('the gate gives a workspace no more than its share of slots, and one that waits does not keep others out', async () => {
  const {enter, endOne, inside, admitted} = openGate({slots: 8, perWorkspace: 3});
  for (let i = 0; i < 6; i++) enter(asId('greedy'));
  enter(asId('other'));
  await flushPromises();
  expect(admitted).toEqual(['greedy', 'greedy', 'greedy', 'other']);
  expect(inside()).toBe(4);
  await endOne();
  expect(admitted).toEqual(['greedy', 'greedy', 'greedy', 'other', 'greedy']);
});

it('the gate lets slices of normal priority in while all slots of low priority are taken', async () => {
  const {enter, admitted} = openGate({slots: 2});
  for (let i = 0; i < 50; i++) enter(asId(`slow${i}`), 'low');
  enter(asId('healthy'), 'normal');
  await flushPromises();
  expect(admitted).toEqual(['slow0', 'slow1', 'healthy']);
});

it('the gate frees slots of low priority one after the other when they end together', async () => {
  const {gate, enter, endOne, admitted} = openGate({slots: 4, lowRestMs: 60});
  for (let i = 0; i < 4; i++) enter(asId(`first${i}`), 'low');
  await flushPromises();
  const ended = performance.now();
  for (let i = 0; i < 4; i++) await endOne();
  const restedMs: number[] = [];
  await Promise.all(
    Array.from({length: 4}, (_, i) =>
      gate.enter('low', asId<'workspace'>(`then${i}`)).then(() => restedMs.push(performance.now() - ended)),
    ),
  );
  expect(admitted).toHaveLength(4);
  // The first waits 60 ms, and each a quarter of that after the one before it. Timers may fire 1 ms early.
  for (const [i, ms] of restedMs.entries()) expect(ms).toBeGreaterThan(60 + 15 * i - 3);
});

it('closing the gate releases those that wait, lets none in, and lets those inside leave', async () => {
  const {gate, enter, endOne, admitted, refused} = openGate({slots: 1});
  for (let i = 0; i < 5; i++) enter(asId('w'));
  await flushPromises();
  gate.close();
  enter(asId('late'));
  await flushPromises();
  expect(refused()).toBe(5);
  await endOne();
  expect(admitted).toEqual(['w']);
});
