import {expect, it} from '@jest/globals';
import {type AttemptParts, createAttempts, type DeliveryTarget} from '../../src/jobs/attempts.js';
import type {Webhook} from '../../src/domain/webhooks/webhook.js';
import {defaultSettings} from '../../src/domain/webhooks/webhook-settings.js';
import {standardRetention} from '../../src/domain/core/limits.js';
import {asId, asSuffix} from '../support/ids.js';

/** Creates the attempts of a delivery to a receiver that answers 410. */
function attemptsWith(parts: Partial<AttemptParts>) {
  return createAttempts({
    pace: async () => undefined,
    decrypt: () => '',
    sign: () => ({}),
    send: async () => ({status: 410, durationMs: 1}),
    disable: async () => undefined,
    userAgent: 'test',
    now: Date.now,
    random: () => 0.5,
    failpoint: () => undefined,
    retention: standardRetention,
    ...parts,
  });
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
  const result = await attemptsWith({disable}).make(
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
  const asked: string[][] = [];
  const disable = async (...args: string[]) => void asked.push(args);
  const result = await attemptsWith({disable}).make(
    asId('ws_1'),
    claim,
    {entry, body: '{}'},
    target,
    () => true,
  );
  expect(result).toMatchObject({state: 'aborted', charge: 'none'});
  expect(asked).toEqual([['ws_1', 'whk_1', 'https://example.com/']]);
});
