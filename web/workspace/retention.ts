/** The shortest and the longest retention that the service accepts, in days. */
export const retentionDays = {min: 30, max: 3_650} as const;

const dayMs = 86_400_000;

/** The first date whose standups are kept in every time zone. `now` is in ms. */
export function findFirstKeptDay(days: number, now: number): string {
  return new Date(now - (days + 1) * dayMs).toISOString().slice(0, 10);
}

/** Whether the new retention deletes data that the old one keeps; null means forever. */
export function deletesMoreData(before: number | null, after: number | null): boolean {
  return after !== null && (before === null || after < before);
}
