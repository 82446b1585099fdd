/** An idempotency key. Pages from another machine over plain HTTP lack `crypto.randomUUID`. */
export function newKey(): string {
  const {randomUUID}: {randomUUID?: unknown} = crypto;
  if (randomUUID !== undefined) return crypto.randomUUID();
  return crypto.getRandomValues(new Uint32Array(4)).join('-');
}
