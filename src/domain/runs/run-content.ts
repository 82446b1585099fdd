import type {RunReport} from './run-report.js';

/** What the message of a day says of its run. */
export interface RunOfDay {
  /** How many have posted, of those who are expected. */
  readonly count: {readonly in: number; readonly of: number};
  /** When it closes (ms), or that it has. */
  readonly closing: number | 'closed';
}

/** The report of a run as a channel shows it. */
export interface DigestContent {
  /** Drawn half of the team's id. */
  readonly team: string;
  readonly date: string;
  readonly report: RunReport;
  /** Whether who has not posted is named, or only counted. */
  readonly namesMissing: boolean;
  /** By id, as far as they are still there. */
  readonly standups: ReadonlyMap<string, DigestStandup>;
}

export interface DigestStandup {
  /**
   * All of what was said, as one text; null of one that is not to be shown in full here: as a rule it has a
   * message of its own.
   */
  readonly text: string | null;
  /** The address of its message; null while it has none. */
  readonly permalink: string | null;
}
