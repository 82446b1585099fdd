import type {Principal} from '../core/access.js';
import type {Run, RunStatus} from './run.js';
import type {ReportCounts} from './run-report.js';
import type {Standup} from '../standups/standup.js';
import type {Id} from '../core/ids.js';

/** `not_expected`: no run asks them for a standup, and nothing else is known of their day. */
export type DayStatus = RunStatus | 'not_expected';

/** The status of every member of a team on a day, with or without a run. */
export interface TeamDay {
  readonly object: 'team_day';
  readonly team: string;
  readonly team_id: Id<'team'>;
  readonly date: string;
  readonly timezone: string;
  /** Null: there is no run of this date, or none yet. */
  readonly run: Pick<Run, 'id' | 'kind' | 'state' | 'opens_at' | 'closes_at'> | null;
  readonly counts: ReportCounts;
  /** By name: the team's people, and others who have posted or were expected. */
  readonly people: readonly DayPerson[];
  /** True when standups have more text than is shown. */
  readonly truncated: boolean;
}

export interface DayPerson {
  readonly member: Principal;
  /** The team's zone for people who have none. */
  readonly timezone: string;
  readonly status: DayStatus;
  /** For a day off: the reason, and its last day where that is known. */
  readonly reason: string | null;
  readonly until: string | null;
  /** When the run closes for them, or would; null where no standup is expected of them. */
  readonly closes_at: string | null;
  /** The earliest first. */
  readonly standups: readonly DayStandup[];
}

/** Its texts are null when the texts of all standups together are too long. */
export interface DayStandup
  extends Pick<Standup, 'id' | 'revision' | 'source' | 'late' | 'edited' | 'created_at'> {
  readonly update: Standup['update'] | null;
  readonly answers: Standup['answers'] | null;
}
