import type {DayOff} from '../absences/absence.js';
import type {Resource} from '../core/resource.js';
import type {Schedule} from '../schedules/schedule.js';
import type {Id, IdSuffix} from '../core/ids.js';

/** One occurrence of a team's schedule. A team has at most one for each date. */
export interface Run extends Resource<'run'> {
  readonly object: 'run';
  readonly team: string;
  readonly team_id: Id<'team'>;
  readonly date: string;
  /** `ad_hoc`: opened by a person, not by the schedule. */
  readonly kind: 'scheduled' | 'ad_hoc';
  readonly state: RunState;
  /** When it was to open for the first of its people, and to close for the last. */
  readonly opens_at: string;
  readonly closes_at: string;
  /** When that happened; null before, and where it never did. */
  readonly opened_at: string | null;
  readonly closed_at: string | null;
  /**
   * The schedule at the opening, which the run follows to its end. Null for a run that a person has opened.
   */
  readonly schedule: Schedule | null;
  /** The team's zone then. */
  readonly timezone: string;
  /**
   * The expected people: those in the team when it opened, with their own zone where they go by their own
   * clocks.
   */
  readonly participants: readonly Participant[];
  /**
   * Steps that were not done within two hours of their time because the service was away, or before the team
   * was paused.
   */
  readonly missed_steps: readonly MissedStep[];
  /** The outcome; null until it has closed. It is shown with the texts that it refers to. */
  readonly report: ReportReferences | null;
}

export type RunState = 'open' | 'closed' | 'missed' | 'cancelled';

export interface Participant {
  /** Id of the member. */
  readonly member: Id<'member'>;
  /** Null when they go by the team's clock. */
  readonly timezone: string | null;
}

export interface MissedStep {
  readonly step: 'open' | 'remind' | 'close';
  readonly due_at: string;
}

/** A member's status in a run. `expected`: it is open and they have not posted yet. */
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

/** A member's status apart from their standups. */
export type StatusWithoutStandup = Exclude<RunStatus, 'posted' | 'late'>;

/**
 * A report as the revision of a closed run keeps it: references to revisions, without any text that a person
 * wrote. Texts are added when it is shown, so that an erased text is gone from it too.
 */
export interface ReportReferences {
  readonly lines: readonly LineReference[];
  readonly blockers: readonly StoredReference[];
}

export interface LineReference {
  /** Id of the member, and the revision that their name is from. */
  readonly member: Id<'member'>;
  readonly revision: number;
  readonly otherwise: StatusWithoutStandup | null;
  /** The name of a holiday; the text of an absence is in the absence. */
  readonly holiday?: string;
  readonly until?: string;
  readonly absence?: {readonly id: Id<'absence'>; readonly revision: number};
  readonly standups?: readonly StandupReference[];
}

/** A revision, by the id suffix of its resource. */
export interface Reference {
  readonly suffix: IdSuffix;
  readonly revision: number;
}

/** The same in the record of a run: `drawn` is the suffix, under the name that the first releases stored. */
export interface StoredReference {
  readonly drawn: IdSuffix;
  readonly revision: number;
}

export interface StandupReference extends StoredReference {
  readonly drawn: IdSuffix<'standup'>;
  readonly late: boolean;
}

/** Steps that are late by less than this are still done. */
export const graceMs = 2 * 3_600_000;
