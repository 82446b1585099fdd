export function chooseTests(
  changed: readonly string[],
  sources: ReadonlyMap<string, string>,
): {all: boolean; tests: string[]};
