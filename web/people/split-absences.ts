import type {Absence} from '../api/schema.ts';

/**
 * Splits absences into past ones, and current or future ones. The next absence comes first among the latter.
 * Past ones stay in the API's order.
 */
export function splitAbsences(
  all: readonly Absence[],
  today: string,
): {readonly coming: readonly Absence[]; readonly past: readonly Absence[]} {
  const isToCome = ({until}: Absence): boolean => until === null || until >= today;
  return {
    coming: all.filter(isToCome).toSorted((a, b) => (a.from < b.from ? -1 : 1)),
    past: all.filter((absence) => !isToCome(absence)),
  };
}
