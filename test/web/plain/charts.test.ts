import {describe, expect, it} from '@jest/globals';
import {chooseAxisLabels, findAxisEnd} from '../../../web/parts/charts/columns.ts';
import {computeTrendLine, toSvgDots, toSvgPath} from '../../../web/parts/charts/paths.ts';

describe('charts', () => {
  it('have a line that is broken at columns without a value, where a lone value is a dot', () => {
    const pieces = computeTrendLine([1, 0.5, null, null, 0]);
    expect(toSvgPath(pieces)).toBe('M0.5 0L1.5 0.5M4.5 1');
    expect(toSvgDots(pieces)).toBe('M0.5 0h0M1.5 0.5h0M4.5 1h0');
    expect(computeTrendLine([null])).toEqual([]);
  });

  it('end at a number that is easy to halve and holds the value', () => {
    expect([0, 0.3, 1, 6.25, 47, 1_000, 9_001, -3].map(findAxisEnd)).toEqual([
      0, 0.4, 1, 8, 60, 1_000, 10_000, -4,
    ]);
  });

  it('name the first, the middle and the last column, and only the outer ones of a few', () => {
    const columns = Array.from({length: 9}, (_, i) => ({id: String(i), label: `Day ${i}`}));
    const labelsOf = (count: number) => chooseAxisLabels(columns.slice(0, count)).map(({id}) => id);
    expect([0, 1, 2, 3, 4, 9].map((count) => labelsOf(count).join())).toEqual([
      '',
      '0',
      '0,1',
      '0,2',
      '0,3',
      '0,4,8',
    ]);
  });
});
