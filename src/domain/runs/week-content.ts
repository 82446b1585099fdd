import type {Participation} from './participation.js';
import type {WeekBlockers} from './team-week.js';
import type {WeekTrends} from './week-trends.js';

/** The weekly summary in a channel: participation from Monday to Sunday, and blockers. */
export interface WeekContent {
  /** The id suffix of the team. */
  readonly team: string;
  readonly monday: string;
  readonly participation: Participation;
  /** True if the summary may show how often each person posted, which reveals missed runs. */
  readonly namesMissing: boolean;
  readonly blockers: WeekBlockers;
  readonly trends: WeekTrends;
  /** The URLs of the reports, by date. */
  readonly links: ReadonlyMap<string, string>;
}
