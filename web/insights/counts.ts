import {formatNumber} from '../texts/format.ts';
import type {RunCounts} from './heat-map.ts';

export const otherStatuses = ['missed', 'unreachable', 'away', 'holiday', 'skipped'] as const;

/** Expected, written, late, and the days of each other status. */
export function tableCounts(counts: RunCounts): readonly number[] {
  const {expected, posted, late} = counts;
  return [expected, posted + late, late, ...otherStatuses.map((one) => counts[one])];
}

/** `–` when no member was expected. */
export function formatShare({participation}: RunCounts): string {
  return participation === null ? '–' : formatNumber(participation, {style: 'percent'});
}

/** The reason why there is no chart. */
export function whyNoChart(
  runs: number,
  people: number,
  schedule: object | null | undefined,
): 'no-schedule' | 'no-run' | 'nobody' | undefined {
  if (runs === 0) return schedule === null ? 'no-schedule' : 'no-run';
  return people === 0 ? 'nobody' : undefined;
}
