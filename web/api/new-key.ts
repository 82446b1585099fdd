/**
 * Creates an idempotency key. `crypto.randomUUID` is missing on a page that another machine serves over plain
 * HTTP.
 */
export function newKey(): string {
  const {randomUUID}: {randomUUID?: unknown} = crypto;
  if (randomUUID !== undefined) return crypto.randomUUID();
  return crypto.getRandomValues(new Uint32Array(4)).join('-');
}
