import type {Blocker} from '../blockers/blocker.js';
import type {Participation} from './participation.js';

/**
 * The summary of a week as a channel shows it: participation in a team's closed runs from Monday to Sunday,
 * and its blockers.
 */
export interface WeekContent {
  /** Id suffix of the team. */
  readonly team: string;
  readonly monday: string;
  readonly participation: Participation;
  /** Whether it may show how often each person posted, which reveals who has missed a run. */
  readonly namesMissing: boolean;
  readonly blockers: {
    readonly raised: number;
    readonly resolved: number;
    /** Raised by then and not resolved, the oldest first. */
    readonly open: readonly WeekBlocker[];
  };
  /** The addresses of the reports, by date. */
  readonly links: ReadonlyMap<string, string>;
}

export interface WeekBlocker extends Pick<Blocker, 'author' | 'text'> {
  /** The date on which it was raised, and the days from then to the last run of the week. */
  readonly since: string;
  readonly days: number;
}
