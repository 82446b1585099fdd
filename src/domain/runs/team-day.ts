import type {Principal} from '../core/access.js';
import type {Run, RunStatus} from './run.js';
import type {ReportCounts} from './run-report.js';
import type {Standup} from '../standups/standup.js';
import type {Id} from '../core/ids.js';

/** `not_expected`: no run expects the person, and nothing else is known about the person's day. */
export type DayStatus = RunStatus | 'not_expected';

/** The status of every member of a team on a day, with or without a run. */
export interface TeamDay {
  readonly object: 'team_day';
  readonly team: string;
  readonly team_id: Id<'team'>;
  readonly date: string;
  readonly timezone: string;
  /** The run of this date; null if there is none, or none yet. */
  readonly run: Pick<Run, 'id' | 'kind' | 'state' | 'opens_at' | 'closes_at'> | null;
  readonly counts: ReportCounts;
  /**
   * The status of the team's members, and of other people who have posted or were expected, sorted by name.
   */
  readonly people: readonly DayPerson[];
  /** True when the standups have more text than is shown. */
  readonly truncated: boolean;
}

export interface DayPerson {
  readonly member: Principal;
  /** The person's time zone, or the team's for people without one. */
  readonly timezone: string;
  readonly status: DayStatus;
  /** The reason for the day off. `until`: its last day, if known. */
  readonly reason: string | null;
  readonly until: string | null;
  /** The instant at which the run closes for this person, or would close. Null if no standup is expected. */
  readonly closes_at: string | null;
  /** The person's standups, the earliest first. */
  readonly standups: readonly DayStandup[];
}

/** A standup of the day. Its texts are null if the texts of all standups together are too long. */
export interface DayStandup
  extends Pick<Standup, 'id' | 'revision' | 'source' | 'late' | 'edited' | 'created_at'> {
  readonly update: Standup['update'] | null;
  readonly answers: Standup['answers'] | null;
}
