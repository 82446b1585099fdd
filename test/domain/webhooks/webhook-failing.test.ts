import {describe, expect, test} from '@jest/globals';
import {type FailureStreak, decideFailureAction} from '../../../src/domain/webhooks/webhook-failing.js';

const hour = 3_600_000;
const now = Date.parse('2026-11-21T12:00:00Z');

function failing(hours: number, attempts: number, warned = false): FailureStreak {
  return {since: now - hours * hour, attempts, warned};
}

describe('a webhook without one success', () => {
  test.each([
    ['is well while it does not fail', undefined, 'well'],
    ['is well just before half-way', failing(59.9, 500), 'well'],
    ['is well half-way after few attempts', failing(60, 4), 'well'],
    ['causes a warning half-way', failing(60, 5), 'warn'],
    ['causes one warning only', failing(61, 50, true), 'well'],
    ['causes a warning after five days of few attempts', failing(121, 9), 'warn'],
    ['is disabled after five days and ten attempts', failing(120, 10, true), 'disable'],
    ['is disabled although no warning was possible', failing(120, 10), 'disable'],
    ['is not disabled before five days', failing(119.9, 5_000, true), 'well'],
  ] as const)('%s', (_, given, failureAction) => {
    expect(decideFailureAction(given, now)).toBe(failureAction);
  });
});
