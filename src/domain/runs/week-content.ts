import type {Blocker} from '../blockers/blocker.js';
import type {Participation} from './participation.js';

/**
 * The summary of a week as a channel shows it: who took part in a team's closed runs from Monday to Sunday,
 * and what stood in the way.
 */
export interface WeekContent {
  /** Drawn half of the team's id. */
  readonly team: string;
  readonly monday: string;
  readonly participation: Participation;
  /** Whether who has missed a run may be seen from how often they posted. */
  readonly namesMissing: boolean;
  readonly blockers: {
    readonly raised: number;
    readonly resolved: number;
    /** Raised until then and not resolved, the oldest first. */
    readonly open: readonly WeekBlocker[];
  };
  /** The addresses of the reports, by date. */
  readonly links: ReadonlyMap<string, string>;
}

export interface WeekBlocker extends Pick<Blocker, 'author' | 'text'> {
  /** The date on which it was raised, and how many days before the last run of the week that was. */
  readonly since: string;
  readonly days: number;
}
