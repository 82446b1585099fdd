/** Index of the row to which `j` or `k` moves from row `at`, or from no row (-1). */
export function findNextRowIndex(key: 'j' | 'k', at: number, length: number): number {
  if (key === 'j') return Math.min(at + 1, length - 1);
  return at === -1 ? length - 1 : Math.max(at - 1, 0);
}
