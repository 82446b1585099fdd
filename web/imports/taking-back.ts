import type {Schema} from '../api/schema.ts';

export type Import = Schema<'Import'>;

/** The days for which an import can be taken back. */
export const removableDays = 30;

const dayMs = 24 * 3_600_000;

/** True if the standups of an import can be taken back. */
export function canTakeBack(
  {state, dry_run: isDry, created_at: begun, counts}: Import,
  now: number,
): boolean {
  if (isDry || counts.created === 0 || state === 'removing' || state === 'removed') return false;
  return now < Date.parse(begun) + removableDays * dayMs;
}

/** Finds the open import that is not a dry run: a workspace has one. */
export function findOpenImport(imports: readonly Import[]): Import | undefined {
  return imports.find(({state, dry_run: isDry}) => state === 'open' && !isDry);
}
