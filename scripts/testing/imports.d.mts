export function listTestsThatReach(file: string, sources: ReadonlyMap<string, string>): string[];
