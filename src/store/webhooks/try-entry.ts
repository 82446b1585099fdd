/** Returns the number of started attempts in an entry of `tries`, whose other parts may be unreadable. */
export function parseBegunAttempts(entry: string): number {
  return Number(entry.split(':', 1)[0]);
}
