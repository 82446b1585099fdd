import {describe, expect, it} from '@jest/globals';
import fc from 'fast-check';
import {
  listAllowances,
  createOverQuotaError,
  type QuotaCost,
  computeRetryAfter,
  takeFrom,
  type Tally,
  unused,
} from '../../../src/domain/core/quota.js';

const noon = Date.UTC(2026, 10, 21, 12);
const cost = (all: number, writes = 0, isWrite = false): QuotaCost => ({limits: {all, writes}, isWrite});

/** Makes `count` requests at the same time, all of which the quota must allow. */
function takeMany(count: number, what: QuotaCost, at = noon, from: Tally = unused): Tally {
  let tally = from;
  for (let i = 0; i < count; i++) {
    const verdict = takeFrom(tally, what, at);
    expect(verdict.granted).toBe(true);
    ({tally} = verdict);
  }
  return tally;
}

it.each([1, 7, 30, 120, 600, 999_999])(
  'a quota of %d a minute allows exactly that many requests at once',
  (limit) => {
    const sent = Math.min(limit, 1_000);
    const tally = takeMany(sent, cost(limit));
    const [left] = listAllowances(cost(limit), {granted: true, tally, at: noon});
    expect(left?.remaining).toBe(limit - sent);
    if (sent === limit) expect(takeFrom(tally, cost(limit), noon)).toEqual({granted: false, tally, at: noon});
  },
);

it('used quota becomes available again evenly: with 120 a minute, one request each half second', () => {
  const tally = takeMany(120, cost(120));
  expect(takeFrom(tally, cost(120), noon + 499).granted).toBe(false);
  const next = takeFrom(tally, cost(120), noon + 500);
  expect(next.granted).toBe(true);
  expect(takeFrom(next.tally, cost(120), noon + 999).granted).toBe(false);
  takeMany(120, cost(120), noon + 60_500, next.tally);
});

it('a read uses nothing of the quota for writes, and a write uses both quotas', () => {
  const read = takeMany(3, cost(10, 5));
  const both = takeMany(2, cost(10, 5, true), noon, read);
  expect(listAllowances(cost(10, 5), {granted: true, tally: both, at: noon})).toEqual([
    {policy: 'all', remaining: 5, moreIn: 6},
    {policy: 'writes', remaining: 3, moreIn: 12},
  ]);
});

it('a write refused by one of two quotas uses nothing of the other', () => {
  const tally = takeMany(2, cost(10, 2, true));
  const refused = takeFrom(tally, cost(10, 2, true), noon);
  expect(refused).toEqual({granted: false, tally, at: noon});
  expect(takeFrom(tally, cost(10, 2), noon).granted).toBe(true);
});

it('a limit of 0 means no limit', () => {
  expect(takeMany(5_000, cost(0, 0, true))).toEqual(unused);
  expect(listAllowances(cost(0, 0, true), {granted: true, tally: unused, at: noon})).toEqual([]);
});

it('an unused quota has all of its limit left, and no time to wait', () => {
  const left = listAllowances(cost(10, 5), {granted: true, tally: unused, at: noon});
  expect(left).toEqual([
    {policy: 'all', remaining: 10, moreIn: 0},
    {policy: 'writes', remaining: 5, moreIn: 0},
  ]);
});

describe('a refusal by a quota', () => {
  it('names the quota that is used up and the time to wait', () => {
    const tally = takeMany(5, cost(10, 5, true));
    const {message, context} = createOverQuotaError(
      cost(10, 5, true),
      takeFrom(tally, cost(10, 5, true), noon),
    );
    expect(message).toBe('You have used up your 5 writes a minute, over all your tokens. Repeat after 12 s.');
    expect(context.retryAfter).toBe(12);
  });

  it('gives the time to wait under the new limit if the limit was lowered', () => {
    const tally = takeMany(600, cost(600));
    const refused = takeFrom(tally, cost(60), noon);
    expect(refused.granted).toBe(false);
    expect(computeRetryAfter(cost(60), refused)).toBe(1);
    expect(takeFrom(tally, cost(30), noon).granted).toBe(false);
  });
});

it('after a refusal the next request is allowed when the named time is over, and not a second earlier', () => {
  const limit = fc.integer({min: 1, max: 2_000});
  fc.assert(
    fc.property(
      limit,
      limit,
      fc.array(fc.integer({min: 0, max: 400}), {maxLength: 50}),
      (all, writes, gaps) => {
        const what = cost(all, writes, true);
        let [tally, at] = [unused, noon];
        for (const gap of gaps) {
          at += gap;
          ({tally} = takeFrom(tally, what, at));
        }
        for (let verdict = takeFrom(tally, what, at); verdict.granted; verdict = takeFrom(tally, what, at))
          ({tally} = verdict);
        const refused = takeFrom(tally, what, at);
        const seconds = computeRetryAfter(what, refused);
        expect(takeFrom(tally, what, at + seconds * 1_000).granted).toBe(true);
        expect(takeFrom(tally, what, at + (seconds - 1) * 1_000).granted).toBe(false);
      },
    ),
    {seed: 3, numRuns: 200},
  );
});

it('no caller gets more than the limit at once plus what becomes available over time', () => {
  const gaps = fc.array(fc.integer({min: 0, max: 2_000}), {minLength: 1, maxLength: 200});
  fc.assert(
    fc.property(fc.integer({min: 1, max: 60}), gaps, (limit, waits) => {
      let [tally, at, granted] = [unused, noon, 0];
      for (const wait of waits) {
        at += wait;
        const verdict = takeFrom(tally, cost(limit), at);
        if (verdict.granted) granted += 1;
        ({tally} = verdict);
      }
      expect(granted).toBeLessThanOrEqual(limit + ((at - noon) / 60_000) * limit);
    }),
    {seed: 3, numRuns: 200},
  );
});
