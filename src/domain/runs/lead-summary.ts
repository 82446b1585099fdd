import type {Id} from '../core/ids.js';
import type {Team} from '../teams/team.js';

/** The message to leads when a run of their team has closed. */
export interface LeadSummary {
  readonly team: Pick<Team, 'id' | 'slug' | 'name'>;
  readonly date: string;
  /** The numbers of people who have posted, and who were expected. */
  readonly posted: number;
  readonly expected: number;
  /** The names of the people who have not posted, and of those who were away. */
  readonly missing: readonly string[];
  readonly away: readonly string[];
  /** The open blockers, the oldest first. */
  readonly blockers: readonly SummaryBlocker[];
}

export interface SummaryBlocker {
  readonly id: Id<'blocker'>;
  readonly author: string;
  readonly text: string;
  /** The number of days since it was raised. */
  readonly days: number;
  /** The name of the person who works on it; null if no one does. */
  readonly owner: string | null;
}

/** True if a lead has something to do: a person is missing, or a blocker is open. */
export function needsLead({missing, blockers}: Pick<LeadSummary, 'missing' | 'blockers'>): boolean {
  return missing.length + blockers.length > 0;
}
