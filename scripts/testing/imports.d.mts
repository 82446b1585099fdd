export function listTestsThatReach(file: string, sources: ReadonlyMap<string, string>): string[];
export function readSources(): Map<string, string>;
