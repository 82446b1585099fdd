export function listTestsThatReach(files: readonly string[], sources: ReadonlyMap<string, string>): string[];
export function readSources(folders?: readonly string[]): Map<string, string>;
