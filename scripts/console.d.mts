export class StopError extends Error {}

export function checkNodeVersion(version?: string): void;
