import type {KnownBlock} from '@slack/types';
import type {ReportBlocker, RunReport} from '../../domain/runs/run-report.js';

/*
 * Digests: the report of a run as it is shown in Slack. Here stands what one says and how it is divided over messages; posting it is the
 * work of posting/.
 */

/** What a digest is made of. */
export interface DigestContent {
  /** Drawn half of the team's id. */
  readonly team: string;
  readonly date: string;
  readonly report: RunReport;
  /** Whether who has not posted is named, or only counted. */
  readonly namesMissing: boolean;
  /** By id, as far as they are still there. */
  readonly standups: ReadonlyMap<string, DigestStandup>;
  /** What stands under a blocker: buttons for what may be done with it. */
  readonly actionsOf?: ((blocker: ReportBlocker) => readonly KnownBlock[]) | undefined;
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
