/** Header lines as node writes them soonest: names and values in turn. */
export type HeaderPairs = readonly string[];

export function pairsOf(lines: Readonly<Record<string, string>>): HeaderPairs {
  return Object.entries(lines).flat();
}
