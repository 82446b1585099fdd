import type {Id} from '../core/ids.js';
import type {Team} from '../teams/team.js';

/**
 * Reasons why a member has not posted, in the order in which people see them. First come members who can
 * still post, with the reason why no reminder reaches them. `missed`: the run is closed for the member.
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
  /** The last day of an absence; null when it is unknown. */
  readonly until: string | null;
}

/** The people of a team who have not posted in the open run, or today if no run is open. */
export interface TeamMissing {
  readonly team: Team;
  readonly date: string;
  /** The instant at which the run closes (ms); undefined without an open run. */
  readonly closesAt: number | undefined;
  /** The number of expected people who have posted. */
  readonly posted: number;
  /** The numbers of people who have not posted, by reason. */
  readonly counts: Readonly<Partial<Record<MissingWhy, number>>>;
  /** The people who have not posted, by reason and name; undefined for those who may only count. */
  readonly people: readonly MissingPerson[] | undefined;
  /** True if the caller may remind the people: a lead, an owner or an admin. */
  readonly manages: boolean;
}
