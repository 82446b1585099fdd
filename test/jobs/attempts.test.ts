import {expect, it} from '@jest/globals';
import {createAttempts, type DeliveryTarget} from '../../src/jobs/attempts.js';
import type {JobContext} from '../../src/jobs/context.js';
import type {Webhook} from '../../src/domain/webhooks/webhook.js';
import {defaultSettings} from '../../src/domain/webhooks/webhook-settings.js';
import {standardRetention} from '../../src/domain/core/limits.js';
import {asId, asSuffix} from '../support/ids.js';

/** Creates the attempts of a delivery to a receiver that answers 410. */
function attemptsWith(disableWebhook: (...asked: unknown[]) => Promise<void>) {
  const context = {
    store: {retention: standardRetention, clock: {now: Date.now}},
    services: {webhookFailures: {disableWebhook}},
    pace: async () => undefined,
    sign: () => ({}),
    send: async () => ({status: 410, durationMs: 1}),
    userAgent: 'test',
    random: () => 0.5,
    failpoint: () => undefined,
  };
  return createAttempts(context as unknown as JobContext);
}

const webhook = {id: 'whk_1', url: 'https://example.com/'} as Webhook;
const target: DeliveryTarget = {webhook, settings: defaultSettings, headers: {}, secrets: ['whsec_']};
const claim = {
  suffix: asSuffix<'delivery'>('0'.repeat(16)),
  sequence: 1,
  attempt: 1,
  failures: 0,
  claimedAt: Date.now(),
  probe: false,
};
const entry = {
  id: asId('evt_1'),
  sequence: 1,
  type: 'team.created',
  about: asSuffix(''),
  revision: 1,
  at: Date.now(),
} as const;

it('an attempt answered 410 is retried like any failure if the webhook cannot be disabled', async () => {
  const disable = async () => {
    throw new Error('the store is full');
  };
  const result = await attemptsWith(disable).make(
    asId('ws_1'),
    claim,
    {entry, body: '{}'},
    target,
    () => true,
  );
  expect(result).toMatchObject({state: 'retrying', delayMs: 5_000, charge: 'failure', counted: true});
  expect(result?.attempt).toMatchObject({status: 410});
});

it('an attempt answered 410 ends its delivery, and disables the webhook with that address', async () => {
  const asked: unknown[] = [];
  const disable = async (...args: unknown[]) => void asked.push(args);
  const result = await attemptsWith(disable).make(
    asId('ws_1'),
    claim,
    {entry, body: '{}'},
    target,
    () => true,
  );
  expect(result).toMatchObject({state: 'aborted', charge: 'none'});
  expect(asked).toEqual([
    [expect.objectContaining({workspace: 'ws_1'}), 'whk_1', 'gone', 'https://example.com/'],
  ]);
});
