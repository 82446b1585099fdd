import {afterEach, expect, it} from '@jest/globals';
import type {Claim} from '../../src/store/webhooks/claims.js';
import {createLeases, type LeaseHolder} from '../../src/jobs/leases.js';
import {startStopwatch} from '../support/stopwatch.js';
import {until} from '../support/until.js';
import {asId, asSuffix} from '../support/ids.js';
import type {Id} from '../../src/domain/core/ids.js';

const closing: (() => void)[] = [];

afterEach(() => {
  for (const close of closing.splice(0)) close();
});

const claim: Claim = {
  suffix: asSuffix<'delivery'>('00000000000deliv'),
  sequence: 1,
  attempt: 1,
  failures: 0,
  claimedAt: 1,
  probe: false,
};

/**
 * Starts one lease holder with one request in progress for each of `workspaces` workspaces at the same time.
 */
function holdOneEach(workspaces: number, leaseMs: number) {
  const holders: LeaseHolder[] = Array.from({length: workspaces}, (_, i) => ({
    workspace: asId(`w${i}`),
    webhook: asSuffix('h'),
    held: new Map(),
    renewAt: 0,
  }));
  const renewed: {readonly workspace: Id<'workspace'>; readonly at: number; readonly ticked: number}[] = [];
  const watch = startStopwatch();
  closing.push(() => watch.stop());
  const leases = createLeases<LeaseHolder>({
    holders: () => holders,
    renew: async (workspace) => {
      renewed.push({workspace, at: performance.now(), ticked: watch.ms()});
      return [];
    },
    onRenewal: () => undefined,
    leaseMs,
    log: {debug: () => undefined} as never,
  });
  closing.push(() => leases.close());
  const since = performance.now();
  for (const holder of holders) {
    leases.take(holder, [claim], since);
    leases.maySend(holder, claim);
  }
  return {leases, holders, renewed};
}

it('a process that holds no lease looks for none to renew, until it holds one again', async () => {
  const looks = {idle: 0, busy: 0};
  const start = (name: 'idle' | 'busy') => {
    const holder: LeaseHolder = {workspace: asId('w'), webhook: asSuffix('h'), held: new Map(), renewAt: 0};
    const leases = createLeases<LeaseHolder>({
      holders: () => {
        looks[name] += 1;
        return [holder];
      },
      renew: async () => [],
      onRenewal: () => undefined,
      leaseMs: 200,
      log: {debug: () => undefined} as never,
    });
    closing.push(() => leases.close());
    const take = () => leases.take(holder, [claim], performance.now());
    take();
    return {holder, take};
  };
  const [idle] = [start('idle'), start('busy')];
  await until(() => looks.idle > 1, {what: 'the leases are looked at'});
  idle.holder.held.clear();
  const [looked, busy] = [looks.idle, looks.busy];
  await until(() => looks.busy > busy + 10, {what: 'the other leases are looked at'});
  expect(looks.idle).toBeLessThanOrEqual(looked + 1);
  idle.take();
  await until(() => looks.idle > looked + 2, {what: 'the new lease is looked at'});
});

it('leases that many workspaces took at the same time are renewed a few at a time, within half of their lifetime', async () => {
  const [workspaces, leaseMs] = [40, 4_000];
  const {renewed} = holdOneEach(workspaces, leaseMs);
  await until(() => new Set(renewed.map(({workspace}) => workspace)).size === workspaces);
  const first = renewed.slice(0, workspaces);
  expect(new Set(first.map(({workspace}) => workspace)).size).toBe(workspaces);
  const [begun, ended] = [first[0]?.at ?? 0, first.at(-1)?.at ?? 0];
  expect(first.at(-1)?.ticked).toBeLessThan(leaseMs / 2);
  // The renewals are spread over most of the interval, and not all at its beginning.
  expect(ended - begun).toBeGreaterThan(leaseMs / 16);
});

it('a process that was suspended renews all its leases at once', async () => {
  const [workspaces, leaseMs] = [40, 4_000];
  const {holders, renewed} = holdOneEach(workspaces, leaseMs);
  for (const holder of holders) holder.renewAt = performance.now() - 1;
  await until(() => renewed.length >= workspaces);
  expect(new Set(renewed.slice(0, workspaces).map(({workspace}) => workspace)).size).toBe(workspaces);
  expect((renewed[workspaces - 1]?.ticked ?? 0) - (renewed[0]?.ticked ?? 0)).toBeLessThan(leaseMs / 32);
});

it('a lease of a delivery that has ended in the meantime is not renewed', async () => {
  const {holders, renewed} = holdOneEach(8, 1_000);
  for (const {held} of holders.slice(4)) held.clear();
  await until(() => renewed.length >= 8);
  expect(new Set(renewed.map(({workspace}) => workspace))).toEqual(new Set(['w0', 'w1', 'w2', 'w3']));
});
