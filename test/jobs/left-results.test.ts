import {expect, it} from '@jest/globals';
import type {Webhook} from '../../src/domain/webhooks/webhook.js';
import {defaultSettings} from '../../src/domain/webhooks/webhook-settings.js';
import type {Claim, Result} from '../../src/store/webhooks/claims.js';
import {
  createInFlightState,
  flushDelay,
  type InFlight,
  mayLeaveToFlushTimer,
} from '../../src/jobs/in-flight.js';
import {asSuffix, asId} from '../support/ids.js';

const webhook = {id: 'whk_1', url: 'https://example.com/'} as Webhook;
const suffix = asSuffix<'delivery'>('0'.repeat(16));
const claim = {suffix, sequence: 1, attempt: 1, failures: 0, claimedAt: 0, probe: false};

function resultOf(of: Partial<Claim> = {}, state: Result['state'] = 'succeeded'): Result {
  return {claim: {...claim, ...of}, state, delayMs: 0, charge: 'success', counted: false};
}

/**
 * Results of a webhook that may have 16 requests on the wire. They wait to be recorded together with others.
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

it('a claim does not wait for the recording of a few results that are not urgent', () => {
  expect(mayLeaveToFlushTimer(waitingResults(successes(4)))).toBe(true);
  expect(flushDelay(waitingResults(successes(4)))).toBe(20);
});

it('results are recorded with the next claim if they are many compared with the requests of a webhook', () => {
  expect(mayLeaveToFlushTimer(waitingResults(successes(5)))).toBe(false);
  expect(mayLeaveToFlushTimer(waitingResults(successes(1), {wire: 3}))).toBe(false);
  expect(flushDelay(waitingResults(successes(1), {wire: 3}))).toBe(4);
  // A breaker that is open or recovers, a throttle, or a failure that the store does not know yet.
  expect(mayLeaveToFlushTimer(waitingResults(successes(1), {wire: 0}))).toBe(false);
});

it('results that a caller waits for are recorded with the next claim', () => {
  const target = {
    webhook,
    settings: {...defaultSettings, ordering: 'per_team'},
    headers: {},
    secrets: [],
  } as const;
  expect(mayLeaveToFlushTimer(waitingResults([resultOf({}, 'retrying')]))).toBe(false);
  expect(mayLeaveToFlushTimer(waitingResults([resultOf({probe: true})]))).toBe(false);
  expect(mayLeaveToFlushTimer(waitingResults([resultOf({replay: asSuffix('x')})]))).toBe(false);
  expect(mayLeaveToFlushTimer(waitingResults(successes(1), {waits: true}))).toBe(false);
  expect(mayLeaveToFlushTimer(waitingResults(successes(1), {target}))).toBe(false);
});

it('results that are overdue or could not be recorded are recorded with the next claim', () => {
  expect(mayLeaveToFlushTimer(waitingResults(successes(1), {flushTimer: undefined}))).toBe(false);
});

it('regression: results that another delivery of the team waits for are not postponed while others wait for requests', () => {
  const queue = [{claim, messages: undefined, found: undefined, since: 0}];
  const target = {
    webhook,
    settings: {...defaultSettings, ordering: 'per_team'},
    headers: {},
    secrets: [],
  } as const;
  expect(mayLeaveToFlushTimer(waitingResults(successes(1), {queue}))).toBe(true);
  expect(mayLeaveToFlushTimer(waitingResults(successes(1), {queue, target}))).toBe(false);
  expect(mayLeaveToFlushTimer(waitingResults([resultOf({replay: asSuffix('x')})], {queue}))).toBe(false);
  expect(flushDelay(waitingResults(successes(1), {queue, target}))).toBe(4);
});
