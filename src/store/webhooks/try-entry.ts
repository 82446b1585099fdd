/**
 * Returns the number of started attempts in an entry of `tries` (include/try-entry.lua). Other parts of the entry
 * may be unreadable.
 */
export function parseBegunAttempts(entry: string): number {
  return Number(entry.split(':', 1)[0]);
}
