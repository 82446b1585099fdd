/** As the service takes it. */
export const retentionDays = {min: 30, max: 3_650} as const;

const dayMs = 86_400_000;

/** The first day of which standups are kept, anywhere in the world; `now` in ms. */
export function firstKeptDay(days: number, now: number): string {
  return new Date(now - (days + 1) * dayMs).toISOString().slice(0, 10);
}

/** Whether another retention deletes what the one before keeps; null: for ever. */
export function keepsLess(before: number | null, after: number | null): boolean {
  return after !== null && (before === null || after < before);
}
