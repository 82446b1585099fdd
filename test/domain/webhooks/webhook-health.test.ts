import {describe, expect, test} from '@jest/globals';
import {
  computeBucketDuration,
  findDurationBucket,
  computePercentile,
} from '../../../src/domain/webhooks/webhook-health.js';

function count(durations: readonly number[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const ms of durations)
    counts.set(findDurationBucket(ms), (counts.get(findDurationBucket(ms)) ?? 0) + 1);
  return counts;
}

describe('the counted durations of attempts', () => {
  test('are accurate to within a tenth', () => {
    for (let ms = 10; ms < 90_000; ms = Math.ceil(ms * 1.03)) {
      expect(Math.abs(computeBucketDuration(findDurationBucket(ms)) / ms - 1)).toBeLessThan(0.101);
    }
    expect([0, 1, 2, 3, 4].map((ms) => computeBucketDuration(findDurationBucket(ms)))).toEqual([
      0, 1, 2, 3, 4,
    ]);
  });

  test('need a limited number of buckets, whatever values are measured', () => {
    const odd = [-1, Number.NaN, 0.4, 15_000, 1e9, Infinity].map(findDurationBucket);
    expect(odd).toEqual([0, 0, 0, 53, 64, 64]);
  });

  test('give the percentiles of their values, and none if nothing was counted', () => {
    const counts = count([...Array.from({length: 95}, () => 50), ...Array.from({length: 5}, () => 5_000)]);
    expect(Math.abs((computePercentile(counts, 0.5) ?? 0) / 50 - 1)).toBeLessThan(0.101);
    expect(computePercentile(counts, 0.95)).toBe(computePercentile(counts, 0.5));
    expect(Math.abs((computePercentile(counts, 0.96) ?? 0) / 5_000 - 1)).toBeLessThan(0.101);
    expect(computePercentile(new Map([[3, 0]]), 0.5)).toBeNull();
  });
});
