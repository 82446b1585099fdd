import {expect, it} from '@jest/globals';
import type {Webhook} from '../../src/domain/webhooks/webhook.js';
import {defaultSettings} from '../../src/domain/webhooks/webhook-settings.js';
import {standardRetention} from '../../src/domain/core/limits.js';
import {noMeter} from '../../src/domain/core/meter.js';
import type {Claim} from '../../src/store/webhooks/claims.js';
import type {JobContext} from '../../src/jobs/context.js';
import {createDeliveryPerformer} from '../../src/jobs/deliver.js';
import {until} from '../support/until.js';
import {silentLog} from './stage.js';
import {asId, asSuffix} from '../support/ids.js';

const webhook = {...defaultSettings, id: 'whk_1', url: 'https://example.com/'} as unknown as Webhook;
const entry = {
  id: asId('evt_1'),
  sequence: 1,
  type: 'team.created',
  about: asSuffix(''),
  revision: 1,
} as const;

/**
 * Creates the deliveries of one webhook. The store returns two at a time, and the receiver takes `durationMs`
 * for each.
 */
function createStage({durationMs, waits}: {durationMs: number; waits: () => boolean}) {
  let asked = 0;
  const context = {
    store: {
      deliveries: {
        async recordAndClaim() {
          const now = Date.now();
          const claims = [1, 2].map((sequence): Claim => {
            const event = {entry: {...entry, at: now}, latest: '{}'};
            const suffix = asSuffix<'delivery'>(String(sequence).padStart(16, '0'));
            return {suffix, sequence, attempt: 1, failures: 0, claimedAt: now, probe: false, event};
          });
          const target = {webhook, encrypted: {headers: null, secrets: []}};
          const plain = {nextAt: undefined, refused: 0, slow: false, mayCatchUp: false, repaired: 0, wire: 2};
          return [{...plain, claims, target, now, failureAction: 'well', waits: waits()}];
        },
        renew: async () => [],
      },
      events: {renderRead: async (_: string, events: readonly unknown[]) => events.map(() => '{}')},
      retention: standardRetention,
      clock: {now: Date.now},
    },
    sign: () => ({}),
    send: async () => ({status: 204, durationMs}),
    userAgent: 'test',
    pace: async () => undefined,
    random: () => 0.5,
    failpoint: () => undefined,
    meter: noMeter,
    log: silentLog,
  };
  const deliver = createDeliveryPerformer(context as unknown as JobContext, () => void (asked += 1));
  return {
    pressing: deliver.pressing,
    /** Runs one slice and waits for the answers to its requests. */
    async runSlice() {
      const before = asked;
      const slice = {
        workspace: asId<'workspace'>('ws_1'),
        work: {kind: 'deliver', webhook: asSuffix('x')},
        until: 0,
      } as const;
      await deliver.perform({...slice, signal: new AbortController().signal});
      await until(() => asked >= before + 2, {what: 'both are answered'});
    },
  };
}

it('deliveries count as urgent while more of them wait and our own work takes longer than the receiver', async () => {
  let more = true;
  const stage = createStage({durationMs: 0, waits: () => more});
  await stage.runSlice();
  // The worker has not measured the receiver yet.
  expect(stage.pressing()).toBe(0);
  await stage.runSlice();
  expect(stage.pressing()).toBe(2);
  more = false;
  await stage.runSlice();
  expect(stage.pressing()).toBe(0);
});

it('deliveries that wait for a slow receiver do not count as urgent', async () => {
  const stage = createStage({durationMs: 600_000, waits: () => true});
  for (let round = 0; round < 3; round += 1) await stage.runSlice();
  expect(stage.pressing()).toBe(0);
});
