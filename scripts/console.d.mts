export class StopError extends Error {}
