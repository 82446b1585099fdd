export function ensureBrowser(env?: NodeJS.ProcessEnv): Promise<string>;
export function findBrowser(env?: NodeJS.ProcessEnv): string | undefined;
