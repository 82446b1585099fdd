/** HTTP headers as a list of alternating names and values, the form that Node writes fastest. */
export type HeaderPairs = readonly string[];

export function convertToHeaderPairs(lines: Readonly<Record<string, string>>): HeaderPairs {
  return Object.entries(lines).flat();
}
