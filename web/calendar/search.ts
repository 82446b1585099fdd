export type CalendarView = 'month' | 'list';

/** Filters and view of the calendar, as the page's address stores them. */
export interface CalendarSearch {
  readonly team?: string | undefined;
  /** Id of the only member shown. */
  readonly person?: string | undefined;
  /** The month shown, such as `2026-11`; undefined for the current month. */
  readonly month?: string | undefined;
  /** The chosen view; undefined for the view that fits the screen. */
  readonly view?: CalendarView | undefined;
}

export function readCalendarSearch({team, person, month, view}: Record<string, unknown>): CalendarSearch {
  return {
    ...(((typeof team === 'string' && team !== '') || typeof team === 'number') && {team: String(team)}),
    ...(typeof person === 'string' && person !== '' && {person}),
    ...(typeof month === 'string' && /^20\d\d-(?:0[1-9]|1[0-2])$/.test(month) && {month}),
    ...((view === 'month' || view === 'list') && {view}),
  };
}
