import type {RunCounts} from '../api/schema.ts';
import {formatNumber} from '../texts/format.ts';

export const otherStatuses = ['missed', 'unreachable', 'away', 'holiday', 'skipped'] as const;

/** The counts of a run in table order: expected, written, late, then each other status. */
export function listTableCounts(counts: RunCounts): readonly number[] {
  const {expected, posted, late} = counts;
  return [expected, posted + late, late, ...otherStatuses.map((one) => counts[one])];
}

/** Formats the participation as a percentage; `–` when no member was expected. */
export function formatShare({participation}: RunCounts): string {
  return participation === null ? '–' : formatNumber(participation, {style: 'percent'});
}

export function findReasonForNoChart(
  runs: number,
  people: number,
  schedule: object | null | undefined,
): 'no-schedule' | 'no-run' | 'no-members' | undefined {
  if (runs === 0) return schedule === null ? 'no-schedule' : 'no-run';
  return people === 0 ? 'no-members' : undefined;
}
