import type {Schema} from '../api/schema.ts';

type Absence = Schema<'Absence'>;

/** Those that go on or come, the next first, and those that are over, as the API lists them. */
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
