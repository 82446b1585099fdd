import {createHash} from 'node:crypto';
import {describe, expect, it} from '@jest/globals';
import {positionsPerEvent} from '../../../src/domain/webhooks/delivery.js';
import {isId, sequenceOfId, type IdSuffix} from '../../../src/domain/core/ids.js';
import {lifetimes, limits} from '../../../src/domain/core/limits.js';
import {
  type EarlierDelivery,
  isSelectedForReplay,
  createReplay,
  createReplayedDeliverySuffix,
  type ReplayPlan,
} from '../../../src/domain/webhooks/replay.js';
import {asId, asSuffix} from '../../support/ids.js';

const delivery = (state: string, attempts = 1): EarlierDelivery => ({state, attempts});

describe('the choice of events for a replay', () => {
  it.each<[string, EarlierDelivery[], {failed: boolean; missed: boolean}]>([
    ['that was never sent', [], {failed: false, missed: true}],
    ['that has arrived', [delivery('succeeded')], {failed: false, missed: false}],
    ['that waits for its first attempt', [delivery('pending', 0)], {failed: false, missed: false}],
    ['that waits for another attempt', [delivery('retrying')], {failed: false, missed: false}],
    ['whose attempts are used up', [delivery('exhausted', 10)], {failed: true, missed: false}],
    ['that the receiver did not want', [delivery('aborted')], {failed: true, missed: false}],
    ['that has expired, perhaps unsent', [delivery('expired', 0)], {failed: true, missed: false}],
    ['that was taken back unsent', [delivery('aborted', 0)], {failed: false, missed: true}],
    [
      'that failed at first and arrived by an earlier replay',
      [delivery('exhausted'), delivery('succeeded')],
      {failed: false, missed: false},
    ],
    [
      'that failed at first and is on its way by another replay',
      [delivery('exhausted'), delivery('pending', 0)],
      {failed: false, missed: false},
    ],
    [
      'that failed at first and in a replay',
      [delivery('exhausted'), delivery('expired')],
      {failed: true, missed: false},
    ],
    [
      'that failed at first and was taken back from a replay',
      [delivery('exhausted'), delivery('aborted', 0)],
      {failed: true, missed: false},
    ],
  ])('is correct for an event %s', (_, earlier, {failed, missed}) => {
    expect(isSelectedForReplay('failed', earlier)).toBe(failed);
    expect(isSelectedForReplay('missed', earlier)).toBe(missed);
    expect(isSelectedForReplay('all', earlier)).toBe(true);
  });
});

it('the delivery of an event in a replay has a fixed id, which differs for each replay, event and webhook', () => {
  const sha256 = (text: string) => createHash('sha256').update(text).digest();
  const event = {id: asId('evt_01m83t4cm07n5a9d8k0000002a'), sequence: 74};
  const suffix = (replay: IdSuffix<'replay'>, about: typeof event, webhook: IdSuffix<'webhook'>) =>
    createReplayedDeliverySuffix(sha256, replay, about, webhook);
  const ids = [
    suffix(asSuffix('7h455vb4pex5vskn'), event, asSuffix<'webhook'>('7x8s4g5q1w6mjy3c')),
    suffix(asSuffix('7h455vb4pex5vskp'), event, asSuffix<'webhook'>('7x8s4g5q1w6mjy3c')),
    suffix(
      asSuffix('7h455vb4pex5vskn'),
      {...event, id: asId('evt_01m83t4cm17n5a9d8k0000002a')},
      asSuffix<'webhook'>('7x8s4g5q1w6mjy3c'),
    ),
    suffix(asSuffix('7h455vb4pex5vskn'), event, asSuffix<'webhook'>('7x8s4g5q1w6mjy3d')),
  ];
  expect(new Set(ids).size).toBe(4);
  expect(suffix(asSuffix('7h455vb4pex5vskn'), event, asSuffix<'webhook'>('7x8s4g5q1w6mjy3c'))).toBe(ids[0]);
  for (const id of ids) {
    expect(isId('delivery', `dlv_01m83t4cm0${id}`)).toBe(true);
    expect(sequenceOfId(id)).toBe(74);
  }
});

it('a replay starts with nothing scanned, even for a period without events', () => {
  const plan: ReplayPlan = {
    webhook: asId('whk_01kfb2t9v07x8s4g5q1w6mjy3c'),
    since: 0,
    until: 1_000,
    types: null,
    only: 'missed',
    dryRun: false,
    first: 11,
    last: 30,
  };
  const none = {scanned: 0, matched: 0, succeeded: 0, failed: 0};
  const begun = createReplay(asSuffix('7h455vb4pex5vskn'), plan, 2_000);
  expect(begun).toMatchObject({state: 'running', progress: {...none, total: 20}, ended_at: null});
  expect(isId('replay', begun.id)).toBe(true);
  expect(createReplay(asSuffix('7h455vb4pex5vskn'), {...plan, last: 10}, 2_000).progress).toEqual({
    ...none,
    total: 0,
  });
});

it('the positions reserved for an event suffice for the deliveries of all its possible replays', () => {
  // Replays of an event are possible for the lifetime of a delivery. Periods of 24 hours touch one day more
  // than that.
  const days = lifetimes.delivery / (24 * 3600) + 1;
  expect(1 + days * limits.replaysPerDay).toBeLessThan(positionsPerEvent);
});
