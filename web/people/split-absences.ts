import type {Absence} from '../api/schema.ts';

/** Splits absences into past ones in the API's order, and current or future ones, the next first. */
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
