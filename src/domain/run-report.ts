import type {Principal} from './access.js';
import type {BlockerState} from './blocker.js';
import type {RunStatus} from './run.js';

/** How a run stands, or how it ended: the same for the API, the event and the digest in Slack. */
export interface RunReport {
  /** Everybody who is expected, has posted, or would be expected but for a day off. By name. */
  readonly lines: readonly ReportLine[];
  readonly counts: ReportCounts;
  /** Those of the team that are not resolved, the oldest first. */
  readonly blockers: readonly ReportBlocker[];
}

export interface ReportLine {
  readonly member: Principal;
  readonly status: RunStatus;
  /** Of a day off: why, and its last day where that is known. */
  readonly reason: string | null;
  readonly until: string | null;
  /** What they have posted, the earliest first. */
  readonly standups: readonly ReportStandup[];
}

export interface ReportStandup {
  readonly id: string;
  readonly revision: number;
  readonly late: boolean;
}

export interface ReportBlocker {
  readonly id: string;
  readonly revision: number;
  readonly author: Principal;
  readonly text: string;
  readonly state: BlockerState;
  readonly created_at: string;
}

/** `expected`: the denominator of participation; `participation`: posted or late over that, from 0 to 1, null when nobody is expected. */
export interface ReportCounts {
  readonly expected: number;
  readonly posted: number;
  readonly late: number;
  readonly missed: number;
  readonly away: number;
  readonly holiday: number;
  readonly skipped: number;
  readonly unreachable: number;
  readonly participation: number | null;
}
