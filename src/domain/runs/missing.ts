import type {Id} from '../core/ids.js';
import type {Team} from '../teams/team.js';

/**
 * Reasons why a member has not posted, in the order of their display: first people who can still post, with
 * why no reminder reaches them. `missed`: the run is closed for them.
 */
export const missingReasons = [
  'expected',
  'reminders_off',
  'no_slack',
  'unreachable',
  'missed',
  'skipped',
  'away',
  'holiday',
] as const;

export type MissingWhy = (typeof missingReasons)[number];

export interface MissingPerson {
  readonly id: Id<'member'>;
  readonly name: string;
  readonly slackUser: string | null;
  readonly why: MissingWhy;
  /** For a member who is away: the last day; null where that is not known. */
  readonly until: string | null;
}

/** The people of a team who have not posted in the run that is open, or else for today. */
export interface TeamMissing {
  readonly team: Team;
  readonly date: string;
  /** When the run closes (ms); undefined without an open one. */
  readonly closesAt: number | undefined;
  /** How many of them have posted. */
  readonly posted: number;
  /** How many have not posted, by reason. */
  readonly counts: Readonly<Partial<Record<MissingWhy, number>>>;
  /** By reason and name; undefined for a caller who may read only the counts. */
  readonly people: readonly MissingPerson[] | undefined;
  /** Whether the caller may remind them: a lead, an owner or an admin. */
  readonly manages: boolean;
}
