export function nodeBuilds(platform: string, arch: string): {name: string; versions: readonly string[]};
export const nodeVersions: readonly string[];
export const standardNode: string;
