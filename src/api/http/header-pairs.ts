/** Header lines in the form that Node writes fastest: names and values, alternating. */
export type HeaderPairs = readonly string[];

export function pairsOf(lines: Readonly<Record<string, string>>): HeaderPairs {
  return Object.entries(lines).flat();
}
