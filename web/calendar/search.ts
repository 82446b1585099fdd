/** Means all teams of the workspace; it is not a valid slug. */
export const everyTeam = '*';

export type CalendarView = 'month' | 'list';

/** The choice of the calendar in its address. */
export interface CalendarSearch {
  /** Slug of one team, or `everyTeam`; undefined: the viewer's own teams. */
  readonly team?: string | undefined;
  /** Id of a member. */
  readonly person?: string | undefined;
  /** `2026-11`; undefined: the current month. */
  readonly month?: string | undefined;
  /** Undefined: the view that fits the screen. */
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
