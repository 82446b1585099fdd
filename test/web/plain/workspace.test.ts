import {describe, expect, it} from '@jest/globals';
import {findFirstKeptDay, deletesMoreData} from '../../../web/workspace/retention.ts';
import {findFirstRetainedDate} from '../../../src/domain/workspaces/workspace.js';
import {canRetryPosts, findChannelProblem} from '../../../web/workspace/trouble.ts';

describe('retention', () => {
  it('begins on exactly the day that the service uses', () => {
    const now = Date.parse('2026-11-23T09:00:00Z');
    for (const days of [30, 90, 3_650])
      expect(findFirstKeptDay(days, now)).toBe(findFirstRetainedDate(days, now));
  });

  it.each([
    [null, 90, true],
    [90, 30, true],
    [90, 90, false],
    [30, 90, false],
    [90, null, false],
    [null, null, false],
  ])('deletes data when it changes from %s days to %s: %s', (before, after, less) => {
    expect(deletesMoreData(before, after)).toBe(less);
  });
});

describe('a Slack problem', () => {
  it('has the remedy for its code, and a general one for any other code', () => {
    expect(findChannelProblem('invalid_auth')).toBe('token');
    expect(findChannelProblem('is_archived')).toBe('is_archived');
    expect(findChannelProblem('constructor')).toBe('other');
  });

  it('offers a retry while a message waits or was given up, and not when the problem is resolved', () => {
    const none = {standups: 0, reports: 0};
    expect(canRetryPosts({state: 'open', given_up: none})).toBe(true);
    expect(canRetryPosts({state: 'solved', given_up: {standups: 1, reports: 0}})).toBe(true);
    expect(canRetryPosts({state: 'solved', given_up: none})).toBe(false);
  });
});
