/**
 * True during `npm run test:deep`, which sets TEST_DEEP=1. Tests then use a whole table or random walk.
 * Otherwise they use a part of it: `deep ? all : some`.
 */
export const deep = process.env['TEST_DEEP'] === '1';

/** Returns all rows of a table in deep runs, otherwise at most `count` of them, evenly spread. */
export function sampleUnlessDeep<const Row>(rows: readonly Row[], count: number): readonly Row[] {
  if (deep || rows.length <= count) return rows;
  return rows.filter(
    (_, at) => Math.floor((at * count) / rows.length) !== Math.floor(((at - 1) * count) / rows.length),
  );
}
