/** Stands in the address of Today: another day than this one. */
export interface TodaySearch {
  readonly date?: string;
}

export function readTodaySearch({date}: Record<string, unknown>): TodaySearch {
  return typeof date === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(date) ? {date} : {};
}
