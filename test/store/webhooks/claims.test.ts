import {recordAndClaimOne} from '../../support/claims.js';
import {afterEach, beforeEach, describe, expect, it} from '@jest/globals';
import {readTimeAt, type RedisCommand} from '../../../src/store/core/connection.js';
import {createAttemptRecord} from '../../../src/domain/webhooks/attempt-record.js';
import {
  type Id,
  suffixFromBytes,
  suffixWithSequence,
  sequenceOfId,
  type IdSuffix,
} from '../../../src/domain/core/ids.js';
import type {Claim, Result} from '../../../src/store/webhooks/claims.js';
import type {EventRange, TakenWebhooks} from '../../../src/store/webhooks/deliveries.js';
import type {NewDelivery} from '../../../src/domain/webhooks/delivery.js';
import {workspaceKeys, type WorkspaceKeys} from '../../../src/store/core/keys.js';
import {createHash} from 'node:crypto';
import {lists} from '../../../src/domain/core/lists.js';
import {
  blockKeyOf,
  createDeliveryFields,
  createBlockField,
} from '../../../src/store/webhooks/delivery-blocks.js';
import {findDurationBucket} from '../../../src/domain/webhooks/webhook-health.js';
import {openTestStore, newDeadline, type TestStore} from '../open-test-store.js';
import {asSuffix, asId} from '../../support/ids.js';

/*
 * Tests one webhook and its scripts without a receiver; the test decides the result of each attempt. Times
 * are those of Redis. To let time pass, the test changes the stored time that is compared.
 */
let test: TestStore;
let workspace: Id<'workspace'>;
let keys: WorkspaceKeys;
const webhook = asSuffix('00000000000webh1');
const teams = [asSuffix<'team'>('00000000000team1'), asSuffix<'team'>('00000000000team2')] as const;

beforeEach(async () => {
  test = await openTestStore();
  const made = await test.store.workspaces.create(
    {slug: 'acme', name: 'Acme', suffix: asSuffix<'workspace'>('w'.repeat(16))},
    newDeadline(),
  );
  workspace = made?.id ?? asId('');
  keys = workspaceKeys(workspace);
  await call('SET', keys.record(webhook), JSON.stringify({id: `whk_0000000000${webhook}`, url: 'http://x/'}));
  await call('SET', keys.secret(webhook), 'sealed');
});

afterEach(async () => {
  await test.store.close();
});

describe('the circuit breaker of a webhook', () => {
  it('opens after five failures in a row, and then no request is sent before the probe is due', async () => {
    await makeDeliveries(20);
    const {claims} = await recordAndClaim();
    expect(claims).toHaveLength(16);
    const after = await recordAndClaim(claims.slice(0, 4).map(failed));
    expect(await state()).not.toHaveProperty('breaker');
    expect(after.claims).toHaveLength(4);

    const opened = await recordAndClaim([failed(claims[4])]);
    expect(await state()).toMatchObject({breaker: 'open', every: '30000'});
    expect(opened.claims).toEqual([]);
    // The next check is when a lease ends or, without requests in progress, when the probe is due.
    const idle = await recordAndClaim([...claims.slice(5), ...after.claims].map(failed));
    expect(idle.claims).toEqual([]);
    const {probe} = await state();
    expect(idle.nextAt).toBeGreaterThanOrEqual(Number(probe));
  });

  it('opens when half of the last twenty attempts have failed', async () => {
    for (let i = 0; i < 10; i++) {
      expect(await state()).not.toHaveProperty('breaker');
      await makeDeliveries(2);
      const {claims} = await recordAndClaim();
      await recordAndClaim([failed(claims[0], {state: 'exhausted'}), succeeded(claims[1])]);
    }
    // The twentieth attempt was a success, so one more failure is needed.
    await makeDeliveries(1);
    await recordAndClaim((await recordAndClaim()).claims.map((claim) => failed(claim, {state: 'exhausted'})));
    expect(await state()).toMatchObject({breaker: 'open'});
  });

  it('sends one probe at a time, of the delivery that has waited longest, without using up an attempt', async () => {
    await openBreaker();
    await makeDeliveries(3);
    const [first] = await call<string[]>('ZRANGE', keys.pending(webhook), '0', '0');
    await call('ZADD', keys.pending(webhook), '1', first ?? '');
    await passProbeTime();
    const {claims} = await recordAndClaim();
    expect(claims).toMatchObject([{suffix: first, probe: true, failures: 0}]);
    expect((await recordAndClaim()).claims).toEqual([]);

    const {claims: none} = await recordAndClaim([failed(claims[0], {counted: false, delayMs: 0})]);
    expect(none).toEqual([]);
    expect(await state()).toMatchObject({breaker: 'open', every: '60000'});
    await passProbeTime();
    const again = await recordAndClaim();
    expect(again.claims).toMatchObject([{probe: true, failures: 0}]);
  });

  it('waits for the next probe if one ends without a result about the receiver', async () => {
    await openBreaker();
    await makeDeliveries(2);
    await passProbeTime();
    const {claims} = await recordAndClaim();
    const given = failed(claims[0], {state: 'aborted', charge: 'none', counted: false});
    const after = await recordAndClaim([given]);
    expect(after.claims).toEqual([]);
    expect((after.nextAt ?? 0) - after.now).toBeGreaterThan(25_000);
  });

  it('regression: lets any worker send a probe at once that another worker returned unsent', async () => {
    await openBreaker();
    await makeDeliveries(3);
    await passProbeTime();
    const {claims} = await recordAndClaim();
    const {claims: again} = await recordAndClaim([
      {...succeeded(claims[0]), state: 'returned', charge: 'none'},
    ]);
    expect(again).toMatchObject([{suffix: claims[0]?.suffix, attempt: 1, probe: true}]);
    expect(await state()).toMatchObject({breaker: 'open', every: '30000'});
  });

  it('regression: does not send its probe earlier when a delivery claimed before it opened is returned', async () => {
    await makeDeliveries(20);
    const {claims} = await recordAndClaim();
    await recordAndClaim(claims.slice(0, 5).map(failed));
    const {probe} = await state();
    await recordAndClaim(
      claims.slice(5).map((claim) => ({...succeeded(claim), state: 'returned', charge: 'none'})),
    );
    expect(await state()).toMatchObject({breaker: 'open', probe});
  });

  it('doubles the time between probes up to fifteen minutes', async () => {
    await openBreaker();
    await makeDeliveries(1);
    const waits: number[] = [];
    for (let i = 0; i < 7; i++) {
      await passProbeTime();
      const {claims} = await recordAndClaim();
      await recordAndClaim([failed(claims[0], {counted: false, delayMs: 0})]);
      waits.push(Number((await state())['every']) / 1_000);
    }
    expect(waits).toEqual([60, 120, 240, 480, 900, 900, 900]);
  });

  it('allows one, two, then four requests at a time after a successful probe, then the usual number', async () => {
    await openBreaker();
    await makeDeliveries(40);
    await passProbeTime();
    const sizes: number[] = [];
    let {claims} = await recordAndClaim();
    while (sizes.length < 8 && claims.length > 0) {
      sizes.push(claims.length);
      ({claims} = await recordAndClaim(claims.map(succeeded)));
    }
    expect(sizes.slice(0, 5)).toEqual([1, 1, 2, 4, 16]);
    expect(await state()).not.toHaveProperty('breaker');
  });

  it('opens again for twice as long at the first failure during the recovery', async () => {
    await openBreaker();
    await makeDeliveries(5);
    await passProbeTime();
    const {claims: probe} = await recordAndClaim();
    const {claims: first} = await recordAndClaim(probe.map(succeeded));
    const {claims} = await recordAndClaim(first.map((claim) => failed(claim)));
    expect(claims).toEqual([]);
    expect(await state()).toMatchObject({breaker: 'open', every: '60000'});
  });

  it('is not changed by results of requests that began before it opened', async () => {
    await makeDeliveries(16);
    const {claims} = await recordAndClaim();
    await recordAndClaim(claims.slice(0, 5).map(failed));
    const before = await state();
    await recordAndClaim(claims.slice(5).map((claim, i) => (i % 2 === 0 ? failed(claim) : succeeded(claim))));
    expect(await state()).toMatchObject({breaker: 'open', every: '30000', probe: before['probe']});
  });

  it('is not changed by results of requests that began before the webhook was reset', async () => {
    await makeDeliveries(10);
    const {claims, now} = await recordAndClaim();
    await call('HSET', keys.webhookState(webhook), 'anew', String(now));
    await recordAndClaim(claims.map((claim) => failed(claim)));
    expect(await state()).not.toHaveProperty('breaker');
    expect(await state()).not.toHaveProperty('failing');
  });

  it('does not count errors that the receiver did not cause', async () => {
    await makeDeliveries(10);
    const {claims} = await recordAndClaim();
    await recordAndClaim(
      claims.map((claim) => failed(claim, {charge: 'none', counted: false, delayMs: 60_000})),
    );
    expect(await state()).not.toHaveProperty('breaker');
    expect(await state()).not.toHaveProperty('failing');
    expect(await call('HVALS', keys.tries(webhook))).toEqual(Array(10).fill(expect.stringMatching(/^1:0:/)));
  });
});

describe('the throttle of a webhook', () => {
  it('allows only a fixed number of requests to begin in each period', async () => {
    await call('HSET', keys.webhookState(webhook), 'throttle', '3/10');
    await makeDeliveries(8);
    const {claims, nextAt = 0, now} = await recordAndClaim();
    expect(claims).toHaveLength(3);
    expect(nextAt - now).toBeGreaterThan(9_000);
    expect(nextAt - now).toBeLessThanOrEqual(10_001);
    expect((await recordAndClaim(claims.map(succeeded))).claims).toEqual([]);

    // Makes the first request ten seconds old.
    const [oldest = ''] = await call<string[]>('ZRANGE', keys.starts(webhook), '0', '0');
    await call('ZADD', keys.starts(webhook), String(now - 10_001), oldest);
    expect((await recordAndClaim()).claims).toHaveLength(1);
  });
});

describe('the order of deliveries within a team', () => {
  beforeEach(() => call('HSET', keys.webhookState(webhook), 'ordering', 'per_team'));

  it('allows one delivery of a team at a time, the oldest first, and makes no team wait for another', async () => {
    const made = await makeDeliveries(6, (i) => teams[i % 2]);
    const seen: string[] = [];
    let {claims} = await recordAndClaim();
    for (; claims.length > 0; {claims} = await recordAndClaim(claims.map(succeeded))) {
      expect(claims).toHaveLength(2);
      seen.push(...claims.map(({suffix}) => suffix));
    }
    for (const parity of [0, 1]) {
      const ofTeam = made.filter((_, i) => i % 2 === parity);
      expect(seen.filter((suffix) => ofTeam.some((one) => one === suffix))).toEqual(ofTeam);
    }
    expect(await leftovers()).toEqual([]);
  });

  it('makes the next delivery of the team wait until a failing one has ended', async () => {
    const [head] = await makeDeliveries(2, () => teams[0]);
    const {claims} = await recordAndClaim();
    expect(claims.map(({suffix}) => suffix)).toEqual([head]);
    const {claims: none} = await recordAndClaim([failed(claims[0], {delayMs: 60_000})]);
    expect(none).toEqual([]);

    await call('ZADD', keys.pending(webhook), '1', head ?? '');
    const {claims: again} = await recordAndClaim();
    expect(again).toMatchObject([{suffix: head, failures: 1}]);
    const {claims: next} = await recordAndClaim([failed(again[0], {state: 'exhausted'})]);
    expect(next.map(({suffix}) => suffix)).not.toEqual([head]);
    expect(next).toHaveLength(1);
  });

  it('keeps the normal priority of a replayed delivery that is first in its team, when its lease ends', async () => {
    const [suffix = ''] = await makeDeliveries(1, () => teams[0]);
    await call('ZREM', keys.pending(webhook), suffix);
    await call('ZADD', keys.replaying(webhook), '1', suffix);
    await call('HSET', keys.tries(webhook), suffix, `1:0::${teams[0]}:00000000000repl1`);
    await call('HSET', keys.webhookState(webhook), 'concurrency', '1');
    await makeDeliveries(1);
    // The only allowed request is for the replayed delivery, not for the other one.
    expect((await recordAndClaim()).claims).toMatchObject([{suffix, attempt: 2}]);
  });

  it('lets the next delivery pass if the first one would be retried more than a day after it became first', async () => {
    await makeDeliveries(2, () => teams[0]);
    const {claims} = await recordAndClaim();
    const {claims: next} = await recordAndClaim([failed(claims[0], {delayMs: 24 * 3_600_000 + 1})]);
    expect(next).toHaveLength(1);
    // When the released delivery ends, the next one is not released as well.
    await call('ZADD', keys.pending(webhook), '1', claims[0]?.suffix ?? '');
    const {claims: late} = await recordAndClaim();
    await recordAndClaim(late.map(succeeded));
    await recordAndClaim(next.map(succeeded));
    expect(await leftovers()).toEqual([]);
  });

  it('no longer applies to waiting deliveries once the webhook stops requiring it', async () => {
    await makeDeliveries(5, () => teams[0]);
    await call('HDEL', keys.webhookState(webhook), 'ordering');
    const {claims} = await recordAndClaim();
    expect(claims).toHaveLength(5);
    await recordAndClaim(claims.map(succeeded));
    expect(await leftovers()).toEqual([]);
  });
});

describe('the claims of a webhook’s deliveries', () => {
  it('give replays at most a quarter of the requests, after everything else that is due', async () => {
    const replayed = await makeDeliveries(10);
    for (const suffix of replayed) {
      await call('ZREM', keys.pending(webhook), suffix);
      await call('ZADD', keys.replays(webhook), '1', suffix);
      await call('HSET', keys.tries(webhook), suffix, '0:0:::00000000000repl1');
    }
    const live = await makeDeliveries(14);
    const {claims} = await recordAndClaim();
    expect(
      claims
        .slice(0, 14)
        .map(({suffix}) => suffix)
        .toSorted(),
    ).toEqual(live.toSorted());
    expect(claims.slice(14)).toMatchObject([{replay: '00000000000repl1'}, {replay: '00000000000repl1'}]);

    const {claims: more} = await recordAndClaim(claims.slice(0, 14).map(succeeded));
    expect(more).toHaveLength(2);
    const results = [...claims.slice(14), ...more].map((claim, i) =>
      i === 0 ? failed(claim, {state: 'exhausted'}) : succeeded(claim),
    );
    await recordAndClaim(results);
    expect(await call<string[]>('HGETALL', keys.replayed(webhook))).toEqual(
      '00000000000repl1:failed 1 00000000000repl1:succeeded 3'.split(' '),
    );
  });

  it('regression: take back no ended lease in the late slice of a frozen process, but in the next slice', async () => {
    await makeDeliveries(2);
    const {claims} = await recordAndClaim([], 2);
    await call('ZADD', keys.inflight(webhook), '1', claims[0]?.suffix ?? '', '1', claims[1]?.suffix ?? '');
    const request = {results: [succeeded(claims[0])], concurrency: 2, leaseMs: 60_000};
    const late = {...request, sureUntil: performance.now() - 1_000};
    const outcome = await recordAndClaimOne(test.store.deliveries, workspace, webhook, late);
    expect(outcome).toMatchObject({refused: 0, claims: []});
    expect((await recordAndClaim([], 2)).claims).toMatchObject([{suffix: claims[1]?.suffix, attempt: 2}]);
  });

  it('return a delivery whose lease has ended to its earlier priority', async () => {
    const [suffix = ''] = await makeDeliveries(1);
    await call('ZREM', keys.pending(webhook), suffix);
    await call('ZADD', keys.replaying(webhook), '1', suffix);
    await call('HSET', keys.tries(webhook), suffix, '1:0:::00000000000repl1');
    const {claims} = await recordAndClaim();
    expect(claims).toMatchObject([{suffix, attempt: 2, replay: '00000000000repl1'}]);
    expect(await call('ZCARD', keys.pending(webhook))).toBe(0);
  });

  it('regression: contain the deliveries leased by a dead worker before waiting ones, in the order of events', async () => {
    const lost = await makeDeliveries(5);
    const {claims: held} = await recordAndClaim();
    const later = await makeDeliveries(40);
    await loseLeases();
    const {claims} = await recordAndClaim();
    expect(claims.map(({suffix}) => suffix)).toEqual([...lost, ...later.slice(0, 11)]);
    expect(claims.slice(0, 5)).toMatchObject(held.map(() => ({attempt: 2, failures: 0})));
    // A delivery may be lost three times. One that kills its worker must not block the others.
    for (let losses = 2; losses <= 4; losses++) {
      await loseLeases();
      const {claims: next} = await recordAndClaim();
      expect(next.slice(0, 5).map(({suffix}) => suffix)).toEqual(losses < 4 ? lost : later.slice(0, 5));
    }
  });

  it('contain a retry of a dead worker at once, at the same point of its retry schedule', async () => {
    const [suffix = ''] = await makeDeliveries(1);
    const {claims} = await recordAndClaim();
    await recordAndClaim([failed(claims[0])]);
    await call('ZADD', keys.pending(webhook), '1', suffix);
    expect((await recordAndClaim()).claims).toMatchObject([{suffix, attempt: 2, failures: 1}]);
    await loseLeases();
    expect((await recordAndClaim()).claims).toMatchObject([{suffix, attempt: 3, failures: 1}]);
  });

  it('report that more deliveries wait only if the number of requests is the limit', async () => {
    await makeDeliveries(17);
    const first = await recordAndClaim();
    expect(first).toMatchObject({waits: true});
    expect(await recordAndClaim(first.claims.slice(0, 1).map(succeeded))).toMatchObject({waits: false});
    await makeDeliveries(1);
    expect(await recordAndClaim()).toMatchObject({waits: true, claims: []});
    await call('HSET', keys.webhookState(webhook), 'throttle', '100/1');
    expect(await recordAndClaim()).toMatchObject({waits: false});
  });

  it('lease up to 64 deliveries in advance to a lone worker, and none beside another worker or after a failure', async () => {
    await makeDeliveries(80);
    const first = await recordAndClaim([], 16, 0);
    expect([first.claims.length, first.wire]).toEqual([64, 16]);
    // The other worker waits until fewer leases are held than requests are allowed.
    expect((await recordAndClaim([], 16, 0)).claims).toEqual([]);
    const some = await recordAndClaim(first.claims.slice(0, 49).map(succeeded), 16, 14);
    expect(some.claims).toHaveLength(1);
    const none = await recordAndClaim([failed(first.claims[49])], 16, 15);
    expect(none).toMatchObject({claims: [{attempt: 1}], wire: 16});
    expect(await call('ZCARD', keys.inflight(webhook))).toBe(16);
  });

  it('lease in advance four times as many deliveries as requests are allowed, and at most 64', async () => {
    await makeDeliveries(101);
    for (const [wire, leased] of [
      [2, 8],
      [20, 64],
      [32, 64],
    ] as const) {
      const {claims} = await recordAndClaim([], wire, 0);
      expect(claims).toHaveLength(leased);
      await recordAndClaim(
        claims.map((claim): Result => ({...succeeded(claim), state: 'returned', charge: 'none'})),
        0,
      );
    }
  });

  it('regression: lease no delivery in advance if only one request at a time is allowed', async () => {
    const made = await makeDeliveries(3);
    for (const suffix of made) {
      const {claims, wire} = await recordAndClaim([], 1, 0);
      expect([claims.map((claim) => claim.suffix), wire]).toEqual([[suffix], 1]);
      expect((await recordAndClaim(claims.map(succeeded), 0)).refused).toBe(0);
    }
  });

  it('begin with unsent deliveries that were returned, without counting an attempt', async () => {
    const made = await makeDeliveries(40);
    const {claims} = await recordAndClaim();
    const back = claims
      .slice(3)
      .map((claim): Result => ({...succeeded(claim), state: 'returned', charge: 'none'}));
    const [kept, again] = [
      claims.slice(0, 3),
      await recordAndClaim([...back, ...claims.slice(0, 3).map(succeeded)], 20),
    ];
    expect(again.claims.map(({suffix}) => suffix)).toEqual(made.slice(3, 23));
    expect(again.claims.every(({attempt: number}) => number === 1)).toBe(true);
    expect((await recordAndClaim(kept.map(succeeded))).refused).toBe(3);
  });

  it('contain the event and its resource, unless the log has dropped the event', async () => {
    await makeDeliveries(1);
    await call('SET', keys.record(subject), '{"words":"as they stand"}');
    const event = {entry: {sequence: 1, about: subject}, latest: '{"words":"as they stand"}'};
    expect((await recordAndClaim()).claims).toMatchObject([{event}]);
    // A record of another type is read again separately, when the event is rendered.
    await makeDeliveries(1);
    await call('DEL', keys.record(subject));
    await call('HSET', keys.record(subject), 'a', 'b');
    const [unreadable] = (await recordAndClaim()).claims;
    expect(unreadable?.event).toMatchObject({entry: {sequence: 2}});
    expect(unreadable?.event).not.toHaveProperty('latest');
    await makeDeliveries(1);
    await call('DEL', keys.events());
    const [dropped] = (await recordAndClaim()).claims;
    expect(dropped?.sequence).toBe(3);
    expect(dropped).not.toHaveProperty('event');
  });

  it('allow as many requests at a time as the webhook’s own `concurrency`', async () => {
    await call('HSET', keys.webhookState(webhook), 'concurrency', '2');
    await makeDeliveries(5);
    expect((await recordAndClaim()).claims).toHaveLength(2);
  });
});

describe('the renewal of leases', () => {
  const other = asSuffix<'webhook'>('00000000000webh2');

  it('extends the leases of all webhooks of a workspace in one step, and postpones the check at their end', async () => {
    await makeDeliveries(20);
    const {claims, nextAt = 0} = await recordAndClaim();
    await call('ZADD', keys.inflight(other), '5', 'theirs');
    await call('HSET', keys.tries(other), 'theirs', '1:0:::');
    await call('ZADD', keys.ready(), '5', `deliver/${other}`);
    const theirs = {...claims[0], suffix: 'theirs', attempt: 1} as Claim;
    await renew([
      {webhook, claims},
      {webhook: other, claims: [theirs]},
    ]);
    for (const [name, suffix] of [[webhook, claims[0]?.suffix ?? ''] as const, [other, 'theirs'] as const]) {
      const until = Number(await call('ZSCORE', keys.inflight(name), suffix));
      expect(until).toBeGreaterThan(nextAt);
      expect(await lookAt(asSuffix(name))).toBe(until);
    }
  });

  it('postpones no retry that is due sooner', async () => {
    const [suffix = ''] = await makeDeliveries(2);
    const {claims, now} = await recordAndClaim();
    const retried = claims.filter((claim) => claim.suffix === suffix);
    await recordAndClaim(retried.map((claim) => failed(claim, {delayMs: 90_000})));
    await renew([{webhook, claims: claims.filter((claim) => claim.suffix !== suffix)}], 120_000);
    expect((await lookAt()) - now).toBeLessThan(100_000);
  });

  it('postpones no probe that is due sooner', async () => {
    await openBreaker();
    await passProbeTime();
    await makeDeliveries(2);
    const {claims} = await recordAndClaim();
    await renew([{webhook, claims}], 120_000);
    expect(await lookAt()).toBe(Number((await state()).probe));
  });

  it('does not postpone the next check of a webhook with a throttle', async () => {
    await call('HSET', keys.webhookState(webhook), 'throttle', '1/60');
    await makeDeliveries(2);
    const {claims, nextAt} = await recordAndClaim();
    await renew([{webhook, claims}], 120_000);
    expect(await lookAt()).toBe(nextAt);
  });

  it('gives no lease back to a worker that has lost it', async () => {
    await makeDeliveries(1);
    const {claims, nextAt} = await recordAndClaim();
    await renew([{webhook, claims: claims.map((claim) => ({...claim, attempt: 2}))}]);
    expect(await lookAt()).toBe(nextAt);
  });

  function renew(
    held: readonly {webhook: IdSuffix<'webhook'>; claims: readonly Claim[]}[],
    leaseMs = 80_000,
  ) {
    return test.store.deliveries.renew(workspace, held, leaseMs, newDeadline());
  }

  async function lookAt(name = webhook): Promise<number> {
    return Number(await call('ZSCORE', keys.ready(), `deliver/${name}`));
  }
});

describe('the result of an attempt', () => {
  it('is refused if the lease has ended, whether or not the next attempt has begun', async () => {
    const [suffix = asSuffix<'delivery'>('')] = await makeDeliveries(1);
    const {claims: lost} = await recordAndClaim();
    await call('ZADD', keys.inflight(webhook), '1', suffix);
    await recordAndClaim([], 0);
    expect(await call('ZSCORE', keys.inflight(webhook), suffix)).toBeNull();
    expect((await recordAndClaim(lost.map(succeeded), 0)).refused).toBe(1);

    const {claims: next} = await recordAndClaim();
    expect(next).toMatchObject([{suffix, attempt: 2}]);
    expect((await recordAndClaim(lost.map(succeeded))).refused).toBe(1);
    expect(await call('HMGET', keys.delivery(suffix), 'state', 'attempts')).toEqual([null, null]);
    expect((await recordAndClaim(next.map(succeeded))).refused).toBe(0);
    expect(await call('HMGET', keys.delivery(suffix), 'state', 'attempts')).toEqual(['succeeded', '2']);
  });
});

describe('a worker that takes new deliveries at once', () => {
  const taken = {webhooks: new Set([webhook]), concurrency: 4, leaseMs: 60_000};

  it('gets them under a lease with the webhook’s record and secrets, and records them as any claim', async () => {
    const {made, handed} = await handDeliveries(2, taken);
    expect(handed).toMatchObject([
      {
        webhook,
        wire: 4,
        waits: false,
        claims: made.map((suffix, i) => ({suffix, number: i + 1, attempt: 1, failures: 0, probe: false})),
        target: {webhook: {url: 'http://x/'}, encrypted: {secrets: ['sealed']}},
      },
    ]);
    expect(await sizes()).toEqual({pending: 0, inflight: 2});
    const [first] = handed;
    expect((await recordAndClaim(first?.claims.map(succeeded))).refused).toBe(0);
    expect(await sizes()).toEqual({pending: 0, inflight: 0});
    expect(await call('ZCARD', keys.ready())).toBe(0);
  });

  it('loses them when their lease ends, and the next claim is their second attempt', async () => {
    const {made, handed} = await handDeliveries(1, taken);
    expect(await call('ZSCORE', keys.ready(), `deliver/${webhook}`)).not.toBeNull();
    await call('ZADD', keys.inflight(webhook), '1', made[0] ?? '');
    expect((await recordAndClaim()).claims).toMatchObject([{suffix: made[0], attempt: 2, number: 1}]);
    const late = handed[0]?.claims.map(succeeded);
    expect((await recordAndClaim(late)).refused).toBe(1);
  });

  it('gets no more than the webhook may have at a time, and the others wait', async () => {
    await call('HSET', keys.webhookState(webhook), 'concurrency', '2');
    const {made, handed} = await handDeliveries(3, taken);
    expect(handed[0]?.claims.map(({suffix}) => suffix)).toEqual(made.slice(0, 2));
    expect(await sizes()).toEqual({pending: 1, inflight: 2});
    expect((await handDeliveries(1, taken)).handed).toEqual([]);
    expect(await sizes()).toEqual({pending: 2, inflight: 2});
  });

  it.each([
    ['ordering', 'per_team'],
    ['off', '1'],
    ['throttle', '5/1'],
    ['breaker', 'open'],
    ['streak', '1'],
    ['slow', '3'],
  ])('gets none while the state of the webhook has %s', async (field, value) => {
    await call('HSET', keys.webhookState(webhook), field, value);
    expect((await handDeliveries(2, taken)).handed).toEqual([]);
    expect(await sizes()).toEqual({pending: 2, inflight: 0});
  });

  it('gets none while others wait, so that these go first', async () => {
    await makeDeliveries(1);
    expect((await handDeliveries(1, taken)).handed).toEqual([]);
    const {claims} = await recordAndClaim();
    expect(claims.map(({number}) => number)).toEqual([1, 2]);
  });

  it('gets none of a delivery that exists already', async () => {
    const {made} = await handDeliveries(1, taken);
    const sequence = sequenceOfId(made[0] ?? '');
    await call('HSET', keys.head(), 'cursor:webhooks', String(sequence - 1));
    const again = [{webhook, suffix: made[0] ?? asSuffix<'delivery'>(''), sequence}];
    const span = {from: sequence, last: {sequence, at: 1, about: subject}};
    expect(await fanOut(span, again, taken)).toEqual({outcome: 'done', handed: []});
    expect(await sizes()).toEqual({pending: 0, inflight: 1});
  });

  async function sizes() {
    const [pending, inflight] = [keys.pending(webhook), keys.inflight(webhook)];
    return {pending: await call('ZCARD', pending), inflight: await call('ZCARD', inflight)};
  }
});

describe('the fan-out of events to webhooks', () => {
  it.each([2, 0])(
    'makes no delivery of events from %i on if the cursor has been reset to 0',
    async (from) => {
      const suffix = asSuffix('abcdefgh00000002');
      const span = {from, last: {sequence: 2, at: 1, about: subject}};
      const made = [{webhook, suffix, sequence: 2}];
      expect((await fanOut(span, made)).outcome).toBe('moved');
      expect(await call('HGET', keys.head(), 'cursor:webhooks')).toBe('0');
      expect(await call('EXISTS', keys.delivery(suffix), keys.pending(webhook))).toBe(0);
    },
  );
});

describe('the deliveries of a webhook', () => {
  it('are numbered without a gap', async () => {
    await makeDeliveries(3);
    await makeDeliveries(2);
    const {claims} = await recordAndClaim();
    expect(claims.map(({number}) => number)).toEqual([1, 2, 3, 4, 5]);
  });

  it('are not made again by fan-out if they exist already, and missing ones beside them are made', async () => {
    const suffixes = await makeDeliveries(2);
    await recordAndClaim((await recordAndClaim()).claims.map(succeeded), 0);
    // A process still has the old cursor. One of the deliveries was never created.
    const made = suffixes.map((one) => ({webhook, suffix: one, sequence: sequenceOfId(one)}));
    const to = sequenceOfId(suffixes[1] ?? '');
    await call('HSET', keys.head(), 'cursor:webhooks', String(to - 2));
    await call(
      'HDEL',
      blockKeyOf(keys, webhook, suffixes[1] ?? asSuffix('')),
      createBlockField(suffixes[1] ?? asSuffix('')),
    );
    const span = {from: to - 1, last: {sequence: to, at: 1, about: subject}};
    const known = {version: '', teams: undefined, webhooks: [{suffix: webhook, revision: 1}]};
    expect((await test.store.deliveries.fanOut(workspace, span, known, made, newDeadline())).outcome).toBe(
      'done',
    );
    expect((await recordAndClaim()).claims).toMatchObject([{suffix: suffixes[1], number: 3}]);
    expect(await call('HKEYS', blockKeyOf(keys, webhook, suffixes[0] ?? asSuffix('')))).toEqual(
      suffixes.map(createBlockField),
    );
  });

  it('are limited to 10,000 waiting ones, and the webhook catches up later, in steps and without duplicates', async () => {
    const many = Array.from({length: 9_999}, (_, i) => ['2000000000000', `x${i}`]).flat();
    await call('ZADD', keys.pending(webhook), ...many);
    const made = await makeDeliveries(3);
    const {deliveries} = test.store;
    const lag = await deliveries.findLag(workspace, webhook, newDeadline());
    expect(lag).toMatchObject({cursor: (lag?.fannedOut ?? 0) - 2, revision: 1});
    expect((await recordAndClaim()).claims).toMatchObject([{number: 1}]);

    const {cursor: from = 0, fannedOut: to = 0} = lag ?? {};
    const rest = made.slice(1).map((suffix, i) => ({webhook, suffix, sequence: from + 1 + i}));
    const last = {sequence: to, at: 1, about: subject};
    const step = {from, to, last, revision: 1, missed: 0, deliveries: rest};
    expect(await deliveries.catchUp(workspace, webhook, step, newDeadline())).toBe('full');
    await call('ZREM', keys.pending(webhook), 'x0');
    expect(await deliveries.catchUp(workspace, webhook, step, newDeadline())).toBe('abreast');
    expect(await deliveries.catchUp(workspace, webhook, step, newDeadline())).toBe('moved');
    expect(await deliveries.findLag(workspace, webhook, newDeadline())).toBeUndefined();
    expect((await recordAndClaim()).claims).toMatchObject([{number: 2}, {number: 3}]);
  });

  it('regression: do not skip an event of a webhook that has fallen behind if the log was restored since the read', async () => {
    const many = Array.from({length: 9_999}, (_, i) => ['2000000000000', `x${i}`]).flat();
    await call('ZADD', keys.pending(webhook), ...many);
    await makeDeliveries(3);
    await call('DEL', keys.pending(webhook));
    const {deliveries} = test.store;
    const {cursor: from = 0, fannedOut: to = 0} =
      (await deliveries.findLag(workspace, webhook, newDeadline())) ?? {};
    const others = [
      {sequence: to, at: 2, about: subject},
      {sequence: to, at: 1, about: asSuffix('y'.repeat(16))},
      undefined,
    ];
    for (const last of others) {
      const step = {from, to, last, revision: 1, missed: 0, deliveries: []};
      expect(await deliveries.catchUp(workspace, webhook, step, newDeadline())).toBe('moved');
    }
    expect(await deliveries.findLag(workspace, webhook, newDeadline())).toMatchObject({cursor: from});
    await call('XTRIM', keys.events(), 'MAXLEN', '0');
    const step = {from, to, last: undefined, revision: 1, missed: 0, deliveries: []};
    expect(await deliveries.catchUp(workspace, webhook, step, newDeadline())).toBe('abreast');
  });

  it('regression: continue only from the webhook’s own cursor if it has fallen behind, without a gap or duplicate', async () => {
    const many = Array.from({length: 9_999}, (_, i) => ['2000000000000', `x${i}`]).flat();
    await call('ZADD', keys.pending(webhook), ...many);
    await makeDeliveries(3);
    const {deliveries} = test.store;
    const {cursor = 0, fannedOut: to = 0} =
      (await deliveries.findLag(workspace, webhook, newDeadline())) ?? {};
    expect(to).toBeGreaterThan(cursor + 1);
    const last = {sequence: to, at: 1, about: subject};
    for (const from of [cursor - 1, cursor + 1]) {
      const step = {from, to, last, revision: 1, missed: 1, deliveries: []};
      expect(await deliveries.catchUp(workspace, webhook, step, newDeadline())).toBe('moved');
    }
    expect(await deliveries.findLag(workspace, webhook, newDeadline())).toMatchObject({cursor});
    expect(await state()).not.toHaveProperty('missed');
  });

  it('do not count a test event that is not created because there is no room', async () => {
    const many = Array.from({length: 10_000}, (_, i) => ['2000000000000', `x${i}`]).flat();
    await call('ZADD', keys.pending(webhook), ...many);
    const made = {webhook, suffix: asSuffix('abcdefgh00000001'), sequence: 1};
    await test.store.deliveries.make(workspace, made, newDeadline());
    expect(await state()).toEqual({});
  });
});

describe('an unreadable record of a webhook’s deliveries', () => {
  const broken = ['', 'x', '::::', '3:x:1::', '1:0', 'nil:0:1:team:'];

  it.each(broken)('regression: delays neither its delivery nor others if it is %j', async (entry) => {
    const [suffix = '', ...others] = await makeDeliveries(3);
    await call('HSET', keys.tries(webhook), suffix, entry);
    const {claims, repaired} = await recordAndClaim();
    expect(claims.map((claim) => claim.suffix).sort()).toEqual([suffix, ...others].sort());
    expect(repaired).toBe(1);
    const after = await recordAndClaim(claims.map(succeeded));
    expect(after).toMatchObject({refused: 0, repaired: 0});
    expect(await leftovers()).toEqual([]);
  });

  it.each(broken)(
    'regression: does not stop its team if it belongs to the team’s first delivery and is %j',
    async (entry) => {
      await call('HSET', keys.webhookState(webhook), 'ordering', 'per_team');
      const [head = '', second] = await makeDeliveries(2, () => teams[0]);
      await call('HSET', keys.tries(webhook), head, entry);
      const after = await recordAndClaim((await recordAndClaim()).claims.map(succeeded));
      expect(after.claims.map(({suffix}) => suffix)).toEqual([second]);
    },
  );

  it.each(['', 'x', ':', 'abc:def'])(
    'regression: does not stop its team if it names the team’s first delivery and is %j',
    async (head) => {
      await call('HSET', keys.webhookState(webhook), 'ordering', 'per_team');
      const [, second] = await makeDeliveries(2, () => teams[0]);
      await call('HSET', keys.heads(webhook), teams[0], head);
      const after = await recordAndClaim((await recordAndClaim()).claims.map(succeeded));
      expect(after.claims.map(({suffix}) => suffix)).toEqual([second]);
    },
  );

  it('regression: does not stop its team if it is a waiting entry that names no delivery', async () => {
    await call('HSET', keys.webhookState(webhook), 'ordering', 'per_team');
    const [, second] = await makeDeliveries(2, () => teams[0]);
    await call('ZADD', keys.waiting(webhook), '0', `${teams[0]}:!`);
    const junk = await recordAndClaim((await recordAndClaim()).claims.map(succeeded));
    const after = await recordAndClaim(junk.claims.map((claim) => failed(claim, {state: 'expired'})));
    expect(after.claims.map(({suffix}) => suffix)).toEqual([second]);
  });

  it.each([
    ...['failing', 'failed', 'opened', 'anew', 'forgotten', 'concurrency', 'slow'].map((name) => [name, 'x']),
    ...['open', 'ramp', 'x'].map((kind) => ['breaker', kind]),
    ['throttle', '0/0'],
    ['throttle', 'x'],
    ['n', 'x'],
  ])('regression: does not stop the webhook if %s of its state is %j', async (name = '', value = '') => {
    await call('HSET', keys.webhookState(webhook), name, value);
    await makeDeliveries(2);
    const {claims} = await recordAndClaim();
    expect(claims).toHaveLength(2);
    await renewOnce(claims);
    const after = await recordAndClaim([failed(claims[0], {state: 'exhausted'}), succeeded(claims[1])]);
    expect(after.refused).toBe(0);
    expect((await recordAndClaim()).repaired).toBe(0);
  });

  it('regression: does not stop the webhook if it is a count that is no number', async () => {
    const suffix = '00000000000repl1';
    await makeDeliveries(1);
    const {claims} = await recordAndClaim();
    const hour = Math.floor((claims[0]?.claimedAt ?? 0) / 3_600_000);
    await call('HSET', keys.health(webhook, hour), String(findDurationBucket(attempt.duration_ms)), 'x');
    await call('HSET', keys.tries(webhook), claims[0]?.suffix ?? '', `1:0:1::${suffix}`);
    await call('ZADD', keys.replaying(webhook), '9999999999999', claims[0]?.suffix ?? '');
    await call('HSET', keys.replayed(webhook), `${suffix}:succeeded`, 'x');
    expect((await recordAndClaim(claims.map(succeeded))).refused).toBe(0);
  });

  it('regression: does not stop the renewal of other leases if it is the probe of one webhook', async () => {
    await makeDeliveries(1);
    const {claims} = await recordAndClaim();
    await call('HSET', keys.webhookState(webhook), 'probe', 'x');
    const before = await leaseEnd();
    await renewOnce(claims, 80_000);
    expect(await leaseEnd()).toBeGreaterThan(before + 10_000);
  });

  it.each(broken)('regression: expires with all others if it is %j', async (entry) => {
    await call('HSET', keys.webhookState(webhook), 'off', '1', 'ordering', 'per_team');
    const [suffix = ''] = await makeDeliveries(3, () => teams[0]);
    await call('HSET', keys.tries(webhook), suffix, entry);
    const {expired} = await test.store.deliveries.expire(
      workspace,
      webhook,
      {before: 4, cursor: '0'},
      newDeadline(),
    );
    expect(expired).toBe(3);
    expect(await leftovers()).toEqual([]);
  });

  async function renewOnce(claims: readonly Claim[], leaseMs = 4_000): Promise<void> {
    await test.store.deliveries.renew(workspace, [{webhook, claims}], leaseMs, newDeadline());
  }

  async function leaseEnd(): Promise<number> {
    return Number((await call<string[]>('ZRANGE', keys.inflight(webhook), '0', '0', 'WITHSCORES'))[1]);
  }
});

describe('a receiver that fails for days', () => {
  const days = 24 * 3_600_000;

  it('is due for a warning after two and a half days and five attempts, until the warning has been sent', async () => {
    await failFor(2.5 * days, 4);
    await makeDeliveries(1);
    const {claims, failureAction} = await recordAndClaim();
    expect(failureAction).toBe('well');
    expect((await recordAndClaim([failed(claims[0], {state: 'exhausted'})])).failureAction).toBe('warn');
    expect((await recordAndClaim()).failureAction).toBe('warn');
    await call('HSET', keys.webhookState(webhook), 'warned', '1');
    expect((await recordAndClaim()).failureAction).toBe('well');
  });

  it('is due to be disabled after five days and ten attempts', async () => {
    await failFor(5 * days, 9);
    await call('HSET', keys.webhookState(webhook), 'warned', '1');
    await makeDeliveries(1);
    const {claims, failureAction} = await recordAndClaim();
    expect(failureAction).toBe('well');
    expect((await recordAndClaim([failed(claims[0], {state: 'exhausted'})])).failureAction).toBe('disable');
  });

  it('counts as healthy again after one success', async () => {
    await failFor(6 * days, 30);
    await makeDeliveries(1);
    const {claims} = await recordAndClaim();
    expect((await recordAndClaim([succeeded(claims[0])])).failureAction).toBe('well');
    expect(await state()).not.toHaveProperty('failing');
  });

  async function failFor(ms: number, attempts: number): Promise<void> {
    const now = await readTimeAt(test.store.connection, keys.head(), newDeadline());
    const since = now - ms - 1_000;
    await call('HSET', keys.webhookState(webhook), 'failing', String(since), 'failed', String(attempts));
  }
});

describe('deliveries that expire', () => {
  const replay = '00000000000repl1';

  /** Lets all deliveries expire page by page, as upkeep does. */
  async function expire(before: number): Promise<number> {
    let [total, cursor] = [0, '0'];
    do {
      const found = await test.store.deliveries.expire(workspace, webhook, {before, cursor}, newDeadline());
      total += found.expired;
      cursor = found.cursor;
    } while (cursor !== '0');
    return total;
  }

  const stateOf = (suffix: IdSuffix<'delivery'>) => call('HGET', keys.delivery(suffix), 'state');

  it('are ended whatever their list and number, and leave nothing behind', async () => {
    await call('HSET', keys.webhookState(webhook), 'off', '1', 'ordering', 'per_team');
    const made = await makeDeliveries(700, (i) => (i % 2 === 0 ? teams[0] : undefined));
    for (const suffix of made.filter((_, i) => i % 10 === 1)) {
      await call('ZREM', keys.pending(webhook), suffix);
      await call('ZADD', keys.replays(webhook), '1', suffix);
      await call('HSET', keys.tries(webhook), suffix, `0:0:::${replay}`);
    }
    expect(await expire(701)).toBe(700);
    expect(new Set(await Promise.all(made.map(stateOf)))).toEqual(new Set(['expired']));
    expect(await call('HGET', keys.replayed(webhook), `${replay}:failed`)).toBe('70');
    expect(await leftovers()).toEqual([]);
    expect(await expire(701)).toBe(0);
  });

  it('let the next delivery of their team continue, and only that one', async () => {
    await call('HSET', keys.webhookState(webhook), 'ordering', 'per_team');
    const [head = asSuffix<'delivery'>(''), second, third] = await makeDeliveries(3, () => teams[0]);
    await recordAndClaim((await recordAndClaim()).claims.map(failed));
    await call('DEL', keys.ready());
    expect(await expire(2)).toBe(1);
    expect(await stateOf(head)).toBe('expired');
    expect(await call('ZCARD', keys.ready())).toBe(1);
    const {claims} = await recordAndClaim();
    expect(claims.map(({suffix}) => suffix)).toEqual([second]);
    expect((await recordAndClaim(claims.map(succeeded))).claims.map(({suffix}) => suffix)).toEqual([third]);
  });

  it('are not ended while they are being sent', async () => {
    const [suffix = ''] = await makeDeliveries(1);
    const {claims} = await recordAndClaim();
    expect(await expire(2)).toBe(0);
    await recordAndClaim(claims.map(succeeded));
    const kept = await call('HGETALL', keys.deliveryBlock(webhook, suffix.slice(8, 15)));
    expect(kept).toEqual([suffix.slice(0, 8) + suffix.slice(15), expect.stringMatching(/^1,/)]);
    expect(await expire(2)).toBe(0);
  });
});

it('regression: a delivery that is moved out of its block during a read is still found', async () => {
  const [suffix = asSuffix<'delivery'>('')] = await makeDeliveries(1);
  await recordAndClaim((await recordAndClaim()).claims.map(succeeded));
  const block = blockKeyOf(keys, webhook, suffix);
  const [field = '', entry = ''] = await call<string[]>('HGETALL', block);
  expect(entry).not.toBe('');
  await call('ZADD', keys.list(lists.webhooks()), '1', webhook);
  for (const read of ['read', 'findWebhook'] as const) {
    await call('DEL', keys.delivery(suffix));
    await call('HSET', block, field, entry);
    const fields = createDeliveryFields({
      run: test.store.connection.run,
      // A redelivery unpacks the delivery between the read of its record and the read of its block.
      async call(deadline, command) {
        if (command[1] === block) {
          await call('HSET', keys.delivery(suffix), 'webhook', webhook, 'n', '1', 'state', 'pending');
          await call('HDEL', block, field);
        }
        return test.store.connection.call(deadline, command);
      },
    });
    if (read === 'findWebhook')
      expect(await fields.findWebhook(workspace, suffix, newDeadline())).toBe(webhook);
    else
      expect((await fields.read(workspace, webhook, [suffix], newDeadline()))[0]?.get('state')).toBe(
        'pending',
      );
  }
});

it('an attempt whose result came too late is not counted', async () => {
  await makeDeliveries(1);
  const {claims, now} = await recordAndClaim();
  await recordAndClaim([succeeded(claims[0])]);
  expect((await recordAndClaim([succeeded(claims[0])])).refused).toBe(1);
  const key = keys.health(webhook, Math.floor(now / 3_600_000));
  expect(await call('HVALS', key)).toEqual(['1']);
});

it('attempts are counted by hour and by duration', async () => {
  await makeDeliveries(3);
  const {claims, now} = await recordAndClaim();
  await recordAndClaim([succeeded(claims[0]), succeeded(claims[1]), failed(claims[2])]);
  const counted = await call<string[]>('HGETALL', keys.health(webhook, Math.floor(now / 3_600_000)));
  const health = Object.fromEntries(
    Array.from({length: counted.length / 2}, (_, i) => counted.slice(2 * i, 2 * i + 2)),
  );
  expect(health).toMatchObject({bad: '1'});
  const timed = Object.entries(health).filter(([field]) => /^\d+$/.test(field));
  expect(timed.reduce((sum, [, count]) => sum + Number(count), 0)).toBe(3);
});

it('a receiver that takes over five seconds counts as slow until twenty attempts in a row are faster', async () => {
  await makeDeliveries(21);
  let {claims, slow} = await recordAndClaim();
  expect(slow).toBe(false);
  const first = succeeded(claims[0]);
  const taking = {...first, attempt: {...attempt, duration_ms: 5_001}};
  ({claims, slow} = await recordAndClaim([taking, ...claims.slice(1).map(succeeded)]));
  expect(slow).toBe(true);
  ({slow} = await recordAndClaim(claims.map(succeeded)));
  expect(slow).toBe(false);
});

function call<T = unknown>(...args: RedisCommand): Promise<T> {
  return test.store.connection.call(newDeadline(), args) as Promise<T>;
}

/** `held`: number of leases of a worker that claims in advance. */
function recordAndClaim(results: readonly Result[] = [], concurrency = 16, held?: number) {
  const request = {results, concurrency, leaseMs: 60_000, ...(held !== undefined && {held})};
  return recordAndClaimOne(test.store.deliveries, workspace, webhook, request);
}

const attempt = createAttemptRecord({status: 500, durationMs: 10}, 1_700_000_000_000, false);

function succeeded(claim: Claim | undefined): Result {
  if (claim === undefined) throw new Error('nothing was claimed');
  return {claim, state: 'succeeded', delayMs: 0, charge: 'success', counted: false, attempt};
}

function failed(claim: Claim | undefined, more: unknown = {}): Result {
  if (claim === undefined) throw new Error('nothing was claimed');
  const changes = typeof more === 'object' ? (more as Partial<Result>) : {};
  return {claim, state: 'retrying', delayMs: 60_000, charge: 'failure', counted: true, attempt, ...changes};
}

/** The suffix of the resource that all events are about. */
const subject = asSuffix('x'.repeat(16));

/** Creates deliveries as fan-out does, oldest first. */
async function makeDeliveries(
  count: number,
  teamOf?: (i: number) => IdSuffix<'team'> | undefined,
): Promise<IdSuffix<'delivery'>[]> {
  return (await handDeliveries(count, undefined, teamOf)).made;
}

/** Creates deliveries as fan-out does, of which the worker takes some at once. */
async function handDeliveries(
  count: number,
  taken?: TakenWebhooks,
  teamOf?: (i: number) => IdSuffix<'team'> | undefined,
) {
  const cursor = (await call<string | null>('HGET', keys.head(), 'cursor:webhooks')) ?? '0';
  const made = Array.from({length: count}, (_, i) => {
    const sequence = Number(cursor) + 1 + i;
    const start = suffixFromBytes(createHash('sha256').update(String(sequence)).digest().subarray(0, 10));
    const team = teamOf?.(i);
    return {
      webhook,
      suffix: suffixWithSequence(start, sequence),
      sequence,
      ...(team !== undefined && {team}),
    };
  });
  const last = {sequence: Number(cursor) + count, at: 1, about: subject};
  await call('XADD', keys.events(), `${last.sequence}-0`, 'n', '1', 't', 'team.created', 'a', last.about);
  const span = {from: Number(cursor) + 1, last};
  const {outcome, handed} = await fanOut(span, made, taken);
  expect(outcome).toBe('done');
  return {made: made.map(({suffix}) => suffix), handed};
}

function fanOut(span: EventRange, made: readonly NewDelivery[], taken?: TakenWebhooks) {
  const known = {version: '', teams: undefined, webhooks: [{suffix: webhook, revision: 1}]};
  return test.store.deliveries.fanOut(workspace, span, known, made, newDeadline(), taken);
}

async function state(): Promise<Record<string, string>> {
  const flat = await call<string[]>('HGETALL', keys.webhookState(webhook));
  return Object.fromEntries(Array.from({length: flat.length / 2}, (_, i) => [flat[2 * i], flat[2 * i + 1]]));
}

async function openBreaker(): Promise<void> {
  await makeDeliveries(5);
  const {claims} = await recordAndClaim();
  await recordAndClaim(claims.map((claim) => failed(claim, {state: 'exhausted'})));
  expect(await state()).toMatchObject({breaker: 'open'});
}

function passProbeTime(): Promise<unknown> {
  // The time of the opening is changed too. A probe claimed in the same millisecond would count as begun
  // before the breaker opened.
  return call('HSET', keys.webhookState(webhook), 'probe', '1', 'opened', '1');
}

/** Ends all leases, as after the death of a worker. */
async function loseLeases(): Promise<void> {
  for (const suffix of await call<string[]>('ZRANGE', keys.inflight(webhook), '0', '-1'))
    await call('ZADD', keys.inflight(webhook), '1', suffix);
}

/** Lists keys of deliveries that remain without any work for them. */
async function leftovers(): Promise<string[]> {
  const work = [
    keys.pending,
    keys.inflight,
    keys.waiting,
    keys.heads,
    keys.tries,
    keys.replays,
    keys.replaying,
  ];
  const found = await Promise.all(
    work.map(async (key) => [key(webhook), await call('EXISTS', key(webhook))] as const),
  );
  return found.flatMap(([key, exists]) => (exists === 1 ? [key] : []));
}
