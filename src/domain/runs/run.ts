import type {DayOff} from '../absences/absence.js';
import type {Resource} from '../core/resource.js';
import type {Schedule} from '../schedules/schedule.js';
import type {Id, IdSuffix} from '../core/ids.js';

/** One occurrence of a team's schedule. There is one of a team and date, or none. */
export interface Run extends Resource<'run'> {
  readonly object: 'run';
  readonly team: string;
  readonly team_id: Id<'team'>;
  readonly date: string;
  /** `ad_hoc`: opened by somebody, not by the schedule. */
  readonly kind: 'scheduled' | 'ad_hoc';
  readonly state: RunState;
  /** When it was to open for the first and to close for the last of its people. */
  readonly opens_at: string;
  readonly closes_at: string;
  /** When it did; null while it has not, or where it never did. */
  readonly opened_at: string | null;
  readonly closed_at: string | null;
  /** The schedule as it was when the run opened: it goes by that to its end. Null of one that was opened by somebody. */
  readonly schedule: Schedule | null;
  /** The team's zone then. */
  readonly timezone: string;
  /** Who is expected: those who were in the team when it opened, with their own window where they go by their own clocks. */
  readonly participants: readonly Participant[];
  /** What could not be done within two hours of its time because the service was away, or not before the team was paused. */
  readonly missed_steps: readonly MissedStep[];
  /** How it ended; null until it has closed. It is shown with the words that it refers to. */
  readonly report: ReportReferences | null;
}

export type RunState = 'open' | 'closed' | 'missed' | 'cancelled';

export interface Participant {
  /** Id of the member. */
  readonly member: Id<'member'>;
  /** Null where they go by the team's clock. */
  readonly timezone: string | null;
}

export interface MissedStep {
  readonly step: 'open' | 'remind' | 'close';
  readonly due_at: string;
}

/** How somebody stands in a run. `expected`: it is open and they have not posted yet. */
export type RunStatus = 'posted' | 'late' | 'missed' | 'expected' | 'unreachable' | DayOff['status'];

export const runStatuses = [
  'posted',
  'late',
  'missed',
  'expected',
  'unreachable',
  'away',
  'holiday',
  'skipped',
] as const satisfies readonly RunStatus[];

/** How somebody stands but for what they have posted. */
export type Otherwise = Exclude<RunStatus, 'posted' | 'late'>;

/**
 * A report as the revision of a closed run keeps it: which revisions of what it was made of, and no word that anybody wrote. The words are
 * put in when it is shown, so that what has been erased is gone from it too.
 */
export interface ReportReferences {
  readonly lines: readonly LineReference[];
  readonly blockers: readonly Reference[];
}

export interface LineReference {
  /** Id of the member, and the revision that their name is of. */
  readonly member: Id<'member'>;
  readonly revision: number;
  readonly otherwise: Otherwise | null;
  /** The name of a holiday; words of an absence are in the absence. */
  readonly holiday?: string;
  readonly until?: string;
  readonly absence?: {readonly id: Id<'absence'>; readonly revision: number};
  readonly standups?: readonly StandupReference[];
}

/** A revision, by the drawn half of the id of what it is of. */
export interface Reference {
  readonly drawn: IdSuffix;
  readonly revision: number;
}

export interface StandupReference extends Reference {
  readonly drawn: IdSuffix<'standup'>;
  readonly late: boolean;
}

/** Steps that are late by less than this are done all the same. */
export const graceMs = 2 * 3_600_000;
