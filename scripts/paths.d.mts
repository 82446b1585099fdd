export const root: string;
export const cacheFolder: string;
export function findInPath(name: string, env?: NodeJS.ProcessEnv): string | undefined;
