export function packClient(): Promise<string>;
