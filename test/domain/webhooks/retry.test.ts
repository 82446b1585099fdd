import {describe, expect, test} from '@jest/globals';
import {presentAttemptError} from '../../../src/domain/webhooks/attempt.js';
import type {SendErrorClass, SendResult} from '../../../src/domain/webhooks/attempt.js';
import {decideOutcome, retrySchedule, retryScheduleOf} from '../../../src/domain/webhooks/retry.js';
import type {RetryContext} from '../../../src/domain/webhooks/retry.js';

const minute = 60_000;
const hour = 60 * minute;

function decide(result: Omit<SendResult, 'durationMs'>, context: Partial<RetryContext> = {}) {
  return decideOutcome(
    {durationMs: 12, ...result},
    {failures: 0, schedule: retrySchedule, random: () => 0.5, nowMs: 0, ...context},
  );
}

describe('decideOutcome', () => {
  test.each([200, 201, 202, 204, 299])('treats %i as a success', (status) => {
    expect(decide({status})).toEqual({kind: 'succeeded'});
  });

  test.each([301, 302, 307, 400, 401, 404, 409, 500])(
    'retries %i after the time that the schedule gives',
    (status) => {
      expect(decide({status})).toEqual({kind: 'retry', delayMs: 5000, counted: true});
    },
  );

  test('does not treat a 2xx as a success if its body never ended', () => {
    expect(decide({status: 200, error: 'reset'})).toEqual({kind: 'retry', delayMs: 5000, counted: true});
  });

  test('makes ten attempts, at the published times, and then none', () => {
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

  test("follows a webhook's own schedule", () => {
    const schedule = [0, 1000];
    expect(decide({status: 500}, {schedule})).toEqual({kind: 'retry', delayMs: 1000, counted: true});
    expect(decide({status: 500}, {schedule, failures: 1})).toEqual({kind: 'exhausted'});
  });

  test('spreads a wait over 20 % to either side', () => {
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
  ])('waits at least a minute after %s, and not the same minute for all', (_, result) => {
    expect(decide(result, {random: () => 0})).toEqual({kind: 'retry', delayMs: minute, counted: true});
    expect(decide(result, {random: () => 1})).toEqual({kind: 'retry', delayMs: 72_000, counted: true});
    expect(decide(result, {failures: 1})).toEqual({kind: 'retry', delayMs: 5 * minute, counted: true});
  });

  test('lengthens a wait by Retry-After up to a day and never shortens one', () => {
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

  test('lets a delivery expire whose next attempt would come too late', () => {
    expect(decide({status: 500}, {nowMs: 1000, expiresAtMs: 6000})).toEqual({
      kind: 'retry',
      delayMs: 5000,
      counted: true,
    });
    expect(decide({status: 500}, {nowMs: 1000, expiresAtMs: 5999})).toEqual({kind: 'expired'});
  });

  test('does not count an error of our own egress as a failure, and waits longer each time, up to a quarter of an hour', () => {
    const delays = [0, 1, 2, 3, 4, 5, 500].map((uncounted) => {
      const outcome = decide({error: 'proxy'}, {uncounted, failures: 9});
      return outcome.kind === 'retry' && !outcome.counted ? outcome.delayMs / 1000 : outcome;
    });
    expect(delays).toEqual([30, 60, 120, 240, 480, 900, 900]);
  });

  test('ends everything on 410 and on the directive disable, whatever the rest of the answer', () => {
    expect(decide({status: 410})).toEqual({kind: 'gone', delivered: false});
    expect(decide({status: 410, error: 'reset'})).toEqual({kind: 'gone', delivered: false});
    expect(decide({status: 200, directive: 'disable'})).toEqual({kind: 'gone', delivered: true});
    expect(decide({status: 500, directive: 'disable'})).toEqual({kind: 'gone', delivered: false});
  });

  test('ends a failed delivery on the directive abort, and does not change a successful one', () => {
    expect(decide({status: 500, directive: 'abort'})).toEqual({kind: 'aborted'});
    expect(decide({status: 200, directive: 'abort'})).toEqual({kind: 'succeeded'});
  });
});

describe('scheduleOf', () => {
  test('returns the waits of a webhook from its second attempt on', () => {
    expect(retryScheduleOf([1, 86_400])).toEqual([0, 1_000, 24 * hour]);
    expect(retryScheduleOf(null)).toBe(retrySchedule);
  });

  test('returns one attempt for a webhook without waits', () => {
    expect(decide({status: 500}, {schedule: retryScheduleOf([])})).toEqual({kind: 'exhausted'});
  });
});

describe('presentAttemptError', () => {
  test('shows a refused target like a refused connection', () => {
    expect(presentAttemptError({error: 'blocked', durationMs: 1})).toBe(
      presentAttemptError({error: 'refused', durationMs: 1}),
    );
  });

  test('never shows a tenant the word blocked', () => {
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

  test('shows no error for a success and one for any other status', () => {
    expect(presentAttemptError({status: 204, durationMs: 1})).toBeNull();
    expect(presentAttemptError({status: 302, durationMs: 1})).toBe('status');
  });
});
