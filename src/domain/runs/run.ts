import type {DayOff} from '../absences/absence.js';
import type {Resource} from '../core/resource.js';
import type {Schedule} from '../schedules/schedule.js';
import type {Id, IdSuffix} from '../core/ids.js';

/** A run: one date of a team's schedule. A team has at most one run for each date. */
export interface Run extends Resource<'run'> {
  readonly object: 'run';
  readonly team: string;
  readonly team_id: Id<'team'>;
  readonly date: string;
  /** `ad_hoc`: a person opened the run, and not the schedule. */
  readonly kind: 'scheduled' | 'ad_hoc';
  readonly state: RunState;
  /** The planned opening for the first person. `closes_at`: the planned closing for the last person. */
  readonly opens_at: string;
  readonly closes_at: string;
  /** The actual opening; null if the run has not opened. */
  readonly opened_at: string | null;
  readonly closed_at: string | null;
  /** The schedule at the opening, which is used until the run ends. Null for a run that a person opened. */
  readonly schedule: Schedule | null;
  /** The team's time zone at the opening. */
  readonly timezone: string;
  /**
   * The expected people: the team's members at the opening. They have a time zone if the run uses each
   * member's own.
   */
  readonly participants: readonly Participant[];
  /**
   * Steps that were not done within two hours, because the service was not running or the team was paused.
   */
  readonly missed_steps: readonly MissedStep[];
  /** The result of a closed run; null until then. It is shown together with the texts that it refers to. */
  readonly report: ReportReferences | null;
}

export type RunState = 'open' | 'closed' | 'missed' | 'cancelled';

export interface Participant {
  /** The id of the member. */
  readonly member: Id<'member'>;
  /** The member's time zone; null if the team's applies. */
  readonly timezone: string | null;
}

export interface MissedStep {
  readonly step: 'open' | 'remind' | 'close';
  readonly due_at: string;
}

/** A member's status in a run. `expected`: the run is open and the member has not posted yet. */
export type RunStatus = 'posted' | 'late' | 'missed' | 'expected' | 'unreachable' | DayOff['status'];

/** A member's status if no standup counts. */
export type StatusWithoutStandup = Exclude<RunStatus, 'posted' | 'late'>;

/**
 * A report in the stored form: references to revisions, without text that a person wrote. Texts are added
 * when the report is shown, so an erased text disappears from the report too.
 */
export interface ReportReferences {
  readonly lines: readonly LineReference[];
  readonly blockers: readonly Reference[];
}

export interface LineReference {
  /** The id of the member. `revision`: the revision that has the member's name. */
  readonly member: Id<'member'>;
  readonly revision: number;
  readonly otherwise: StatusWithoutStandup | null;
  /** The name of a holiday. The text of an absence is in the absence itself. */
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

export interface StandupReference extends Reference {
  readonly suffix: IdSuffix<'standup'>;
  readonly late: boolean;
}

/** The delay (ms) up to which a late step is still done. */
export const graceMs = 2 * 3_600_000;
