import type {Blocker} from '../blockers/blocker.js';
import type {Participation} from './participation.js';

/** The weekly summary in a channel: participation from Monday to Sunday, and blockers. */
export interface WeekContent {
  /** The id suffix of the team. */
  readonly team: string;
  readonly monday: string;
  readonly participation: Participation;
  /** True if the summary may show how often each person posted, which reveals missed runs. */
  readonly namesMissing: boolean;
  readonly blockers: {
    readonly raised: number;
    readonly resolved: number;
    /** Blockers that were open at the end of the week, the oldest first. */
    readonly open: readonly WeekBlocker[];
  };
  /** The URLs of the reports, by date. */
  readonly links: ReadonlyMap<string, string>;
}

export interface WeekBlocker extends Pick<Blocker, 'author' | 'text'> {
  /** The date on which the blocker was raised. `days`: the days until the last run of the week. */
  readonly since: string;
  readonly days: number;
}
