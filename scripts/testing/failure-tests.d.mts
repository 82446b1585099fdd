export const kinds: readonly string[];
export const suites: Readonly<
  Record<
    string,
    {tests: string; options: Readonly<Record<string, readonly [variable: string, count: number]>>}
  >
>;
export function listSkipped(suite: {tests: string}, kind: string): {tests: string; reason: string}[];
