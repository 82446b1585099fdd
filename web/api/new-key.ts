/**
 * Creates an idempotency key. `crypto.randomUUID` is missing on a page served over plain HTTP by another
 * machine.
 */
export function newKey(): string {
  const {randomUUID}: {randomUUID?: unknown} = crypto;
  if (randomUUID !== undefined) return crypto.randomUUID();
  return crypto.getRandomValues(new Uint32Array(4)).join('-');
}
