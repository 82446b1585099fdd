import type {Principal} from './access.js';
import type {Resource} from './resource.js';

/** Days on which somebody does not take part: they are not prompted, and not missed. */
export interface Absence extends Resource {
  readonly object: 'absence';
  readonly member: Principal;
  /** `away`: out of office. `skip`: there, but takes no part in the standup of that day. */
  readonly kind: 'away' | 'skip';
  /** Calendar days, both inclusive, by the clocks of the member; `until` null: until they are back. */
  readonly from: string;
  readonly until: string | null;
  readonly reason: string | null;
  /** The one team that it is about; null for all. */
  readonly team: string | null;
  readonly team_id: string | null;
  /** Who entered it: the member, or a lead on their behalf. */
  readonly created_by: Principal;
}

/** Why somebody is not expected on a date. */
export interface DayOff {
  readonly status: 'away' | 'holiday' | 'skipped';
  /** What they or the calendar say: "Parental leave", "Christmas Day". */
  readonly reason: string | null;
  /** The last day of it; null when that is not known. */
  readonly until: string | null;
  /** The absence that says so; none for a holiday. */
  readonly absence?: {readonly id: string; readonly revision: number};
}

/** Which days off a member has by calendar. */
export interface HolidayChoice {
  /** ISO 3166-1, such as `DE`; null for none. */
  readonly country: string | null;
  /** A part of it as the calendar names it, such as `BY`. */
  readonly region: string | null;
  /** Id of a calendar of the workspace, made from an iCalendar file. */
  readonly calendar: string | null;
}
