/** A person's calendar: the runs to come, and days off. It has no text of a standup. */
export interface CalendarFeed {
  readonly name: string;
  readonly runs: readonly CalendarRun[];
  readonly days: readonly CalendarDays[];
}

export interface CalendarRun {
  /** The same for as long as the run has the same team and date, so that calendars move it. */
  readonly uid: string;
  readonly title: string;
  readonly opensAt: string;
  readonly closesAt: string;
  readonly url: string;
  readonly changedAt: string;
}

export interface CalendarDays {
  readonly uid: string;
  readonly title: string;
  /** The first and the last day, both included. */
  readonly from: string;
  readonly until: string;
  readonly note: string | null;
  readonly changedAt: string;
}

/** Writes a calendar as an iCalendar file (RFC 5545): the same bytes for the same content. */
export type WriteCalendarFile = (feed: CalendarFeed) => string;
