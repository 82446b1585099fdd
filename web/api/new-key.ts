/**
 * An idempotency key. `crypto.randomUUID` is missing where a page comes by plain http from another machine.
 */
export function newKey(): string {
  const {randomUUID}: {randomUUID?: unknown} = crypto;
  if (randomUUID !== undefined) return crypto.randomUUID();
  return crypto.getRandomValues(new Uint32Array(4)).join('-');
}
