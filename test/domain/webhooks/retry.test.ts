import {describe, expect, test} from '@jest/globals';
import {presentAttemptError} from '../../../src/domain/webhooks/attempt.js';
import type {SendErrorClass, SendResult} from '../../../src/domain/webhooks/attempt.js';
import {decideOutcome, retrySchedule, scheduleOf} from '../../../src/domain/webhooks/retry.js';
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
  test.each([200, 201, 202, 204, 299])('%i succeeds', (status) => {
    expect(decide({status})).toEqual({kind: 'succeeded'});
  });

  test.each([301, 302, 307, 400, 401, 404, 409, 500])(
    '%i is retried after what the schedule says',
    (status) => {
      expect(decide({status})).toEqual({kind: 'retry', delayMs: 5000, counted: true});
    },
  );

  test('a 2xx whose body never ended is no success', () => {
    expect(decide({status: 200, error: 'reset'})).toEqual({kind: 'retry', delayMs: 5000, counted: true});
  });

  test('ten attempts are made, at the published times, and then none', () => {
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

  test('a webhook may have a schedule of its own', () => {
    const schedule = [0, 1000];
    expect(decide({status: 500}, {schedule})).toEqual({kind: 'retry', delayMs: 1000, counted: true});
    expect(decide({status: 500}, {schedule, failures: 1})).toEqual({kind: 'exhausted'});
  });

  test('a wait is spread over 20 % to either side', () => {
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
  ])('after %s at least a minute passes, and not the same minute for all', (_, result) => {
    expect(decide(result, {random: () => 0})).toEqual({kind: 'retry', delayMs: minute, counted: true});
    expect(decide(result, {random: () => 1})).toEqual({kind: 'retry', delayMs: 72_000, counted: true});
    expect(decide(result, {failures: 1})).toEqual({kind: 'retry', delayMs: 5 * minute, counted: true});
  });

  test('Retry-After lengthens a wait up to a day and never shortens one', () => {
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

  test('a delivery whose next attempt would come too late has expired', () => {
    expect(decide({status: 500}, {nowMs: 1000, expiresAtMs: 6000})).toEqual({
      kind: 'retry',
      delayMs: 5000,
      counted: true,
    });
    expect(decide({status: 500}, {nowMs: 1000, expiresAtMs: 5999})).toEqual({kind: 'expired'});
  });

  test('a fault of our own way out counts as no failure, and is waited for longer each time, at most a quarter of an hour', () => {
    const delays = [0, 1, 2, 3, 4, 5, 500].map((uncounted) => {
      const outcome = decide({error: 'proxy'}, {uncounted, failures: 9});
      return outcome.kind === 'retry' && !outcome.counted ? outcome.delayMs / 1000 : outcome;
    });
    expect(delays).toEqual([30, 60, 120, 240, 480, 900, 900]);
  });

  test('410 and the directive disable end everything, whatever the rest of the answer', () => {
    expect(decide({status: 410})).toEqual({kind: 'gone', delivered: false});
    expect(decide({status: 410, error: 'reset'})).toEqual({kind: 'gone', delivered: false});
    expect(decide({status: 200, directive: 'disable'})).toEqual({kind: 'gone', delivered: true});
    expect(decide({status: 500, directive: 'disable'})).toEqual({kind: 'gone', delivered: false});
  });

  test('the directive abort ends a failed delivery and takes nothing from a successful one', () => {
    expect(decide({status: 500, directive: 'abort'})).toEqual({kind: 'aborted'});
    expect(decide({status: 200, directive: 'abort'})).toEqual({kind: 'succeeded'});
  });
});

describe('scheduleOf', () => {
  test('the seconds of a webhook are the waits from its second attempt on', () => {
    expect(scheduleOf([1, 86_400])).toEqual([0, 1_000, 24 * hour]);
    expect(scheduleOf(null)).toBe(retrySchedule);
  });

  test('a webhook without waits has one attempt', () => {
    expect(decide({status: 500}, {schedule: scheduleOf([])})).toEqual({kind: 'exhausted'});
  });
});

describe('presentAttemptError', () => {
  test('a refused target cannot be told from a refused connection', () => {
    expect(presentAttemptError({error: 'blocked', durationMs: 1})).toBe(
      presentAttemptError({error: 'refused', durationMs: 1}),
    );
  });

  test('no tenant reads the word blocked', () => {
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

  test('a success has no error and any other status has one', () => {
    expect(presentAttemptError({status: 204, durationMs: 1})).toBeNull();
    expect(presentAttemptError({status: 302, durationMs: 1})).toBe('status');
  });
});
