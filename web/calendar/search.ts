/** Stands for all teams of the workspace; no slug is like it. */
export const everyTeam = '*';

export type CalendarView = 'month' | 'list';

/** The content of the calendar, as its address says it. */
export interface CalendarSearch {
  /** Slug of one team, or `everyTeam`; left out: one's own. */
  readonly team?: string | undefined;
  /** Id of a member. */
  readonly person?: string | undefined;
  /** `2026-11`; left out: this one. */
  readonly month?: string | undefined;
  /** Left out: what fits the screen. */
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
