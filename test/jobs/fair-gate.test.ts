import {expect, it} from '@jest/globals';
import {createFairGate, type GatePool} from '../../src/jobs/fair-gate.js';
import type {Id} from '../../src/domain/core/ids.js';
import {asId} from '../support/ids.js';

/** Creates a gate that records admitted slices, which end when the test ends them. */
function openGate({
  slots = 4,
  perWorkspace = 10,
  lowRestMs = 1,
}: {
  slots?: number;
  perWorkspace?: number;
  lowRestMs?: number;
} = {}) {
  const gate = createFairGate({
    slots: {normal: slots, low: slots, slack: slots, mail: slots, away: slots},
    perWorkspace,
    lowRestMs,
  });
  /** Workspaces of the admitted slices, in order. */
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
    /** Ends the slice that has run for the longest time. */
    async endOne(): Promise<void> {
      leaves.shift()?.();
      await flushPromises();
    },
    inside: () => leaves.length,
  };
}

const flushPromises = () => new Promise((resolve) => setImmediate(resolve));

it('the gate for slices runs no more slices at a time than there are slots', async () => {
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

it('the gate for slices admits a workspace with one webhook as often as one with twenty', async () => {
  const {enter, endOne, admitted} = openGate({slots: 2});
  for (let i = 0; i < 20; i++) enter(asId('many'));
  enter(asId('one'));
  await flushPromises();
  // Each slice that ends is requested again, as for a webhook with a backlog.
  for (let i = 0; i < 60; i++) {
    const ended = admitted[i];
    if (ended !== undefined) enter(ended);
    await endOne();
  }
  // The workspace gets one slice in three, not in twenty-one. It requests the next slice only when its last
  // one has ended.
  expect(admitted.filter((workspace) => workspace === 'one').length).toBeGreaterThanOrEqual(20);
});

it('the gate for slices alternates between workspaces, and admits slices of each in order of arrival', async () => {
  const {enter, endOne, admitted} = openGate({slots: 1});
  for (const workspace of ['a', 'a', 'a', 'b', 'b', 'c']) enter(asId(workspace));
  await flushPromises();
  for (let i = 0; i < 6; i++) await endOne();
  expect(admitted).toEqual(['a', 'a', 'b', 'c', 'a', 'b']);
});

it('the gate for slices limits a workspace to its share of slots, without making others wait', async () => {
  const {enter, endOne, inside, admitted} = openGate({slots: 8, perWorkspace: 3});
  for (let i = 0; i < 6; i++) enter(asId('greedy'));
  enter(asId('other'));
  await flushPromises();
  expect(admitted).toEqual(['greedy', 'greedy', 'greedy', 'other']);
  expect(inside()).toBe(4);
  await endOne();
  expect(admitted).toEqual(['greedy', 'greedy', 'greedy', 'other', 'greedy']);
});

it('the gate for slices admits normal priority while all slots of low priority are taken', async () => {
  const {enter, admitted} = openGate({slots: 2});
  for (let i = 0; i < 50; i++) enter(asId(`slow${i}`), 'low');
  enter(asId('healthy'), 'normal');
  await flushPromises();
  expect(admitted).toEqual(['slow0', 'slow1', 'healthy']);
});

it('the gate for slices frees slots of low priority one after the other, even if the slices end together', async () => {
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
  // The first slice waits 60 ms, and each later one a quarter of that more. Timers may fire 1 ms early.
  for (const [i, ms] of restedMs.entries()) expect(ms).toBeGreaterThan(60 + 15 * i - 3);
});

it('closing the gate for slices refuses waiting and new slices, and lets running ones end', async () => {
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
