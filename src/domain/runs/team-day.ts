import type {Principal} from '../core/access.js';
import type {Run, RunStatus} from './run.js';
import type {ReportCounts} from './run-report.js';
import type {Standup} from '../standups/standup.js';
import type {Id} from '../core/ids.js';

/** `not_expected`: no run asks them for a standup, and nothing else is known of their day. */
export type DayStatus = RunStatus | 'not_expected';

/** How everybody of a team stands on a day, with a run or without. */
export interface TeamDay {
  readonly object: 'team_day';
  readonly team: string;
  readonly team_id: Id<'team'>;
  readonly date: string;
  readonly timezone: string;
  /** Null: there is none of this date, or none yet. */
  readonly run: Pick<Run, 'id' | 'kind' | 'state' | 'opens_at' | 'closes_at'> | null;
  readonly counts: ReportCounts;
  /** By name: the team's people, and who else has posted or was expected. */
  readonly people: readonly DayPerson[];
  /** True when standups have more words than are shown. */
  readonly truncated: boolean;
}

export interface DayPerson {
  readonly member: Principal;
  /** The team's for those who have none. */
  readonly timezone: string;
  readonly status: DayStatus;
  /** Of a day off: why, and its last day where that is known. */
  readonly reason: string | null;
  readonly until: string | null;
  /** When the run closes for them, or would; null where nothing is expected of them. */
  readonly closes_at: string | null;
  /** The earliest first. */
  readonly standups: readonly DayStandup[];
}

/** Its words are null where all of them together would be too many. */
export interface DayStandup
  extends Pick<Standup, 'id' | 'revision' | 'source' | 'late' | 'edited' | 'created_at'> {
  readonly update: Standup['update'] | null;
  readonly answers: Standup['answers'] | null;
}
