import type {TeamWeek} from './team-week.js';

/** A team's week as everyone with a link reads it: counts and trends, and what its maker chose to add. */
export interface SharedWeek {
  readonly workspace: string;
  readonly team: string;
  /** The person who made the link. */
  readonly sharedBy: string;
  readonly expiresAt: string;
  readonly timezone: string;
  readonly week: Omit<TeamWeek, 'participation' | 'blockers'> & {
    /** Without `names`, there are no rows of people. */
    readonly participation: Pick<TeamWeek['participation'], 'counts' | 'by_date' | 'by_member'>;
    readonly blockers: Omit<TeamWeek['blockers'], 'open'> & {readonly open: readonly SharedBlocker[]};
  };
}

/** An open blocker. Its text and its author are null unless the link shows them. */
export interface SharedBlocker {
  readonly author: string | null;
  readonly text: string | null;
  readonly days: number;
}

/** Writes the page of a shared week, or why there is none, in the best language for `Accept-Language`. */
export interface WriteSharedPage {
  readonly week: (shared: SharedWeek, acceptLanguage: string | undefined) => string;
  readonly refusal: (
    reason: 'over' | 'later' | 'failed',
    requestId: string,
    acceptLanguage: string | undefined,
  ) => string;
}
