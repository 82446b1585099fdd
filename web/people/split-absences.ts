import type {Schema} from '../api/schema.ts';

type Absence = Schema<'Absence'>;

/**
 * Splits absences into current and future ones (the next absence first) and past ones (in the API's order).
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
