import {describe, expect, test} from '@jest/globals';
import {presentAttemptError} from '../../../src/domain/webhooks/attempt.js';
import type {SendErrorClass, SendResult} from '../../../src/domain/webhooks/attempt.js';
import {
  decideAttemptOutcome,
  retrySchedule,
  convertRetryScheduleToWaits,
} from '../../../src/domain/webhooks/retry.js';
import type {RetryContext} from '../../../src/domain/webhooks/retry.js';

const minute = 60_000;
const hour = 60 * minute;

function decide(result: Omit<SendResult, 'durationMs'>, context: Partial<RetryContext> = {}) {
  return decideAttemptOutcome(
    {durationMs: 12, ...result},
    {failures: 0, schedule: retrySchedule, random: () => 0.5, nowMs: 0, ...context},
  );
}

describe('the outcome of an attempt', () => {
  test.each([200, 201, 202, 204, 299])('is success for status %i', (status) => {
    expect(decide({status})).toEqual({kind: 'succeeded'});
  });

  test.each([301, 302, 307, 400, 401, 404, 409, 500])(
    'is a retry after the scheduled wait for status %i',
    (status) => {
      expect(decide({status})).toEqual({kind: 'retry', delayMs: 5000, counted: true});
    },
  );

  test('is no success for a status 2xx whose body never ended', () => {
    expect(decide({status: 200, error: 'reset'})).toEqual({kind: 'retry', delayMs: 5000, counted: true});
  });

  test('is a retry at the published times up to ten attempts, then none', () => {
    const delays = [];
    for (let failures = 0; failures < 10; failures += 1) {
      const outcome = decide({error: 'refused'}, {failures});
      delays.push(outcome.kind === 'retry' ? outcome.delayMs : outcome.kind);
    }
    expect(delays).toEqual([
      5000,
      5 * minute,
      30 * minute,
      2 * hour,
      5 * hour,
      10 * hour,
      14 * hour,
      20 * hour,
      24 * hour,
      'exhausted',
    ]);
  });

  test("follows the webhook's own schedule", () => {
    const schedule = [0, 1000];
    expect(decide({status: 500}, {schedule})).toEqual({kind: 'retry', delayMs: 1000, counted: true});
    expect(decide({status: 500}, {schedule, failures: 1})).toEqual({kind: 'exhausted'});
  });

  test('has a random wait of up to 20 % less or more', () => {
    expect(decide({status: 500}, {failures: 1, random: () => 0})).toEqual({
      kind: 'retry',
      delayMs: 4 * minute,
      counted: true,
    });
    expect(decide({status: 500}, {failures: 1, random: () => 1})).toEqual({
      kind: 'retry',
      delayMs: 6 * minute,
      counted: true,
    });
  });

  test.each<[string, Omit<SendResult, 'durationMs'>]>([
    ['429', {status: 429}],
    ['502', {status: 502}],
    ['503', {status: 503}],
    ['504', {status: 504}],
    ['a timeout', {error: 'timeout'}],
  ])('is a retry after a minute or randomly more for %s', (_, result) => {
    expect(decide(result, {random: () => 0})).toEqual({kind: 'retry', delayMs: minute, counted: true});
    expect(decide(result, {random: () => 1})).toEqual({kind: 'retry', delayMs: 72_000, counted: true});
    expect(decide(result, {failures: 1})).toEqual({kind: 'retry', delayMs: 5 * minute, counted: true});
  });

  test('has a longer wait with Retry-After, of up to a day, and never a shorter one', () => {
    expect(decide({status: 503, retryAfterMs: 10 * minute})).toEqual({
      kind: 'retry',
      delayMs: 10 * minute,
      counted: true,
    });
    expect(decide({status: 503, retryAfterMs: 100 * hour})).toEqual({
      kind: 'retry',
      delayMs: 24 * hour,
      counted: true,
    });
    expect(decide({status: 500, retryAfterMs: 1000}, {failures: 2})).toEqual({
      kind: 'retry',
      delayMs: 30 * minute,
      counted: true,
    });
  });

  test('is an expired delivery if the next attempt would come too late', () => {
    expect(decide({status: 500}, {nowMs: 1000, expiresAtMs: 6000})).toEqual({
      kind: 'retry',
      delayMs: 5000,
      counted: true,
    });
    expect(decide({status: 500}, {nowMs: 1000, expiresAtMs: 5999})).toEqual({kind: 'expired'});
  });

  test('is not counted as a failure if our own outgoing proxy fails, and has a longer wait each time, up to 15 minutes', () => {
    const delays = [0, 1, 2, 3, 4, 5, 500].map((uncounted) => {
      const outcome = decide({error: 'proxy'}, {uncounted, failures: 9});
      return outcome.kind === 'retry' && !outcome.counted ? outcome.delayMs / 1000 : outcome;
    });
    expect(delays).toEqual([30, 60, 120, 240, 480, 900, 900]);
  });

  test('disables the webhook for status 410 and for the directive disable, whatever else the response contains', () => {
    expect(decide({status: 410})).toEqual({kind: 'gone', delivered: false});
    expect(decide({status: 410, error: 'reset'})).toEqual({kind: 'gone', delivered: false});
    expect(decide({status: 200, directive: 'disable'})).toEqual({kind: 'gone', delivered: true});
    expect(decide({status: 500, directive: 'disable'})).toEqual({kind: 'gone', delivered: false});
  });

  test('ends a failed delivery for the directive abort, and leaves a successful one successful', () => {
    expect(decide({status: 500, directive: 'abort'})).toEqual({kind: 'aborted'});
    expect(decide({status: 200, directive: 'abort'})).toEqual({kind: 'succeeded'});
  });
});

describe('the retry schedule of a webhook', () => {
  test('contains the webhook’s own waits, or else the default ones', () => {
    expect(convertRetryScheduleToWaits([1, 86_400])).toEqual([0, 1_000, 24 * hour]);
    expect(convertRetryScheduleToWaits(null)).toBe(retrySchedule);
  });

  test('allows one attempt if the webhook has an empty list of waits', () => {
    expect(decide({status: 500}, {schedule: convertRetryScheduleToWaits([])})).toEqual({kind: 'exhausted'});
  });
});

describe('the error shown for an attempt', () => {
  test('is the same for a blocked address as for a refused connection', () => {
    expect(presentAttemptError({error: 'blocked', durationMs: 1})).toBe(
      presentAttemptError({error: 'refused', durationMs: 1}),
    );
  });

  test('is never the word blocked', () => {
    const classes: SendErrorClass[] = [
      'blocked',
      'dns',
      'refused',
      'reset',
      'tls',
      'timeout',
      'protocol',
      'aborted',
    ];
    expect(classes.map((error) => presentAttemptError({error, durationMs: 1}))).not.toContain('blocked');
  });

  test('is none for a success and `status` for any other status', () => {
    expect(presentAttemptError({status: 204, durationMs: 1})).toBeNull();
    expect(presentAttemptError({status: 302, durationMs: 1})).toBe('status');
  });
});
