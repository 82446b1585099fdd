import {expect, it} from '@jest/globals';
import type {Webhook} from '../../src/domain/webhooks/webhook.js';
import {defaultSettings} from '../../src/domain/webhooks/webhook-settings.js';
import type {Claim, Result} from '../../src/store/webhooks/claims.js';
import {
  createInFlightState,
  computeFlushDelay,
  type InFlight,
  mayLeaveResultsToFlushTimer,
} from '../../src/jobs/in-flight.js';
import {asSuffix, asId} from '../support/ids.js';

const webhook = {id: 'whk_1', url: 'https://example.com/'} as Webhook;
const suffix = asSuffix<'delivery'>('0'.repeat(16));
const claim = {suffix, sequence: 1, attempt: 1, failures: 0, claimedAt: 0, probe: false};

function resultOf(of: Partial<Claim> = {}, state: Result['state'] = 'succeeded'): Result {
  return {claim: {...claim, ...of}, state, delayMs: 0, charge: 'success', counted: false};
}

/**
 * Results of a webhook with up to 16 requests in progress, which wait to be recorded together with others.
 */
function waitingResults(results: Result[], parts: Partial<InFlight> = {}): InFlight {
  return Object.assign(createInFlightState('key', asId<'workspace'>('ws_1'), asSuffix('x')), {
    results,
    wire: 16,
    answeredAt: performance.now(),
    flushTimer: setTimeout(() => undefined, 0),
    ...parts,
  });
}

function successes(count: number): Result[] {
  return Array.from({length: count}, () => resultOf());
}

it('the next claim of deliveries need not record a few results that are not urgent', () => {
  expect(mayLeaveResultsToFlushTimer(waitingResults(successes(4)))).toBe(true);
  expect(computeFlushDelay(waitingResults(successes(4)))).toBe(20);
});

it('the next claim of deliveries records results that are many compared with the allowed requests', () => {
  expect(mayLeaveResultsToFlushTimer(waitingResults(successes(5)))).toBe(false);
  expect(mayLeaveResultsToFlushTimer(waitingResults(successes(1), {wire: 3}))).toBe(false);
  expect(computeFlushDelay(waitingResults(successes(1), {wire: 3}))).toBe(4);
  // No request is allowed: a breaker is open, a throttle is reached, or a failure is not recorded yet.
  expect(mayLeaveResultsToFlushTimer(waitingResults(successes(1), {wire: 0}))).toBe(false);
});

it('the next claim of deliveries records results that something waits for, such as retries, probes and replays', () => {
  const target = {
    webhook,
    settings: {...defaultSettings, ordering: 'per_team'},
    headers: {},
    secrets: [],
  } as const;
  expect(mayLeaveResultsToFlushTimer(waitingResults([resultOf({}, 'retrying')]))).toBe(false);
  expect(mayLeaveResultsToFlushTimer(waitingResults([resultOf({probe: true})]))).toBe(false);
  expect(mayLeaveResultsToFlushTimer(waitingResults([resultOf({replay: asSuffix('x')})]))).toBe(false);
  expect(mayLeaveResultsToFlushTimer(waitingResults(successes(1), {waits: true}))).toBe(false);
  expect(mayLeaveResultsToFlushTimer(waitingResults(successes(1), {target}))).toBe(false);
});

it('the next claim of deliveries records results that are overdue or could not be recorded', () => {
  expect(mayLeaveResultsToFlushTimer(waitingResults(successes(1), {flushTimer: undefined}))).toBe(false);
});

it('regression: the next claim of deliveries records results that the team’s next delivery or a replay waits for', () => {
  const queue = [{claim, messages: undefined, found: undefined, since: 0}];
  const target = {
    webhook,
    settings: {...defaultSettings, ordering: 'per_team'},
    headers: {},
    secrets: [],
  } as const;
  expect(mayLeaveResultsToFlushTimer(waitingResults(successes(1), {queue}))).toBe(true);
  expect(mayLeaveResultsToFlushTimer(waitingResults(successes(1), {queue, target}))).toBe(false);
  expect(mayLeaveResultsToFlushTimer(waitingResults([resultOf({replay: asSuffix('x')})], {queue}))).toBe(
    false,
  );
  expect(computeFlushDelay(waitingResults(successes(1), {queue, target}))).toBe(4);
});
