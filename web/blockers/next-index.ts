/** The index of the row to which a key moves from row `at` (-1: none); stays within the rows. */
export function nextIndex(key: 'j' | 'k', at: number, length: number): number {
  if (key === 'j') return Math.min(at + 1, length - 1);
  return at === -1 ? length - 1 : Math.max(at - 1, 0);
}
