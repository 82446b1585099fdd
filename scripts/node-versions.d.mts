export const nodeVersions: readonly string[];
