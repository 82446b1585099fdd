import type {RunReport} from './run-report.js';

/** The state of a run in the message of its day. */
export interface RunOfDay {
  /** How many of the expected members have posted. */
  readonly count: {readonly in: number; readonly of: number};
  /** When it closes (ms), or that it has. */
  readonly closing: number | 'closed';
}

/** The report of a run as a channel shows it. */
export interface DigestContent {
  /** Id suffix of the team. */
  readonly team: string;
  readonly date: string;
  readonly report: RunReport;
  /** Whether members who have not posted are named, or only counted. */
  readonly namesMissing: boolean;
  /** By id, as far as they still exist. */
  readonly standups: ReadonlyMap<string, DigestStandup>;
}

export interface DigestStandup {
  /**
   * The whole standup as one text; null when it is not shown in full here, since it usually has a message of
   * its own.
   */
  readonly text: string | null;
  /** The address of its message; null while it has none. */
  readonly permalink: string | null;
}
