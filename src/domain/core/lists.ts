import {suffixOf, type Id, type IdKind, type IdSuffix} from './ids.js';
import type {WireJson} from './resource.js';
import type {PrincipalId} from './access.js';

/** The name of an ordered collection of things of a kind, inside one workspace. Made only by `lists`. */
export type ListName<K extends IdKind = IdKind> = string & {readonly __listOf: K};

function asListName<K extends IdKind>(text: string): ListName<K> {
  return text as ListName<K>;
}

export const lists = {
  teams: () => asListName<'team'>('teams'),
  webhooks: () => asListName<'webhook'>('webhooks'),
  members: () => asListName<'member'>('members'),
  membersOfRole: (role: string) => asListName<'member'>(`members:${role}`),
  teamMembers: (team: Id<'team'>) => asListName<'team_member'>(`team-members:${suffixOf(team)}`),
  /** The members of `teamMembers` who only observe. */
  observersOf: (team: Id<'team'>) => asListName<'team_member'>(`observers:${suffixOf(team)}`),
  teamsOfMember: (member: PrincipalId) => asListName<'team_member'>(`teams-of:${suffixOf(member)}`),
  serviceAccounts: () => asListName<'service_account'>('service-accounts'),
  accessTokens: () => asListName<'access_token'>('tokens'),
  accessTokensOf: (principal: PrincipalId | IdSuffix<'member'>) =>
    asListName<'access_token'>(`tokens:${suffixOf(principal)}`),
  accessTokensBy: (maker: PrincipalId) => asListName<'access_token'>(`tokens-by:${suffixOf(maker)}`),
  /** Tokens that were made with this token. */
  accessTokensUnder: (token: Id<'access_token'> | PrincipalId) =>
    asListName<'access_token'>(`tokens-under:${suffixOf(token)}`),
  standups: () => asListName<'standup'>('standups'),
  standupsOfTeam: (team: Id<'team'>) => asListName<'standup'>(`standups:${suffixOf(team)}`),
  standupsOfAuthor: (author: PrincipalId) => asListName<'standup'>(`standups:${suffixOf(author)}`),
  /** By the date of the run. */
  runsOfTeam: (team: Id<'team'> | IdSuffix<'team'>) => asListName<'run'>(`runs:${suffixOf(team)}`),
  openRunsOfTeam: (team: Id<'team'>) => asListName<'run'>(`open-runs:${suffixOf(team)}`),
  /** By their last day. */
  absences: () => asListName<'absence'>('absences'),
  absencesOf: (member: PrincipalId) => asListName<'absence'>(`absences:${suffixOf(member)}`),
  /** Absences that this principal entered for others. */
  absencesEnteredBy: (principal: PrincipalId) => asListName<'absence'>(`absences-by:${suffixOf(principal)}`),
  blockers: () => asListName<'blocker'>('blockers'),
  blockersOfTeam: (team: Id<'team'>) => asListName<'blocker'>(`blockers:${suffixOf(team)}`),
  /** Blockers that are not resolved. */
  openBlockersOfTeam: (team: Id<'team'>) => asListName<'blocker'>(`open-blockers:${suffixOf(team)}`),
  blockersOf: (author: PrincipalId) => asListName<'blocker'>(`blockers:${suffixOf(author)}`),
  /** By the day on which they were resolved; unresolved ones come after all days. */
  blockersByEnd: () => asListName<'blocker'>('blockers-by-end'),
  /** Sorted by the start of the erasure (ms). */
  erasures: () => asListName<'erasure'>('erasures'),
  holidayCalendars: () => asListName<'holiday_calendar'>('holiday-calendars'),
  /**
   * Removed things that name a person, and Slack users that the person was (see `slackUserEntry`), by the
   * time of removal (ms). Kept as long as anything of them stays.
   */
  removedOf: (person: PrincipalId | IdSuffix<'member'>) => asListName(`removed:${suffixOf(person)}`),
  /** Takes the webhook's id suffix, as do all that follow. */
  deliveriesOf: (webhook: IdSuffix<'webhook'>) => asListName<'delivery'>(`deliveries:${webhook}`),
  replaysOf: (webhook: IdSuffix<'webhook'>) => asListName<'replay'>(`replays:${webhook}`),
  /** Replays of the last 24 hours, except dry runs, by when they began (ms). */
  sendingReplaysOf: (webhook: IdSuffix<'webhook'>) => asListName<'replay'>(`sending-replays:${webhook}`),
} as const;

/**
 * A position in a list: ordered by day where there is one, then by the sequence of the event that created the
 * entry.
 */
export interface Listing {
  readonly list: ListName;
  readonly day?: number;
}

/** One page of a list, from its beginning or after a position in it. */
export interface PageQuery {
  /** The position at which the last page ended (exclusive). */
  readonly past?: number | undefined;
  readonly limit: number;
}

/** One page; `next` is where the following one begins, undefined on the last. */
export interface Page<R = WireJson> {
  readonly rows: readonly R[];
  readonly next: number | undefined;
}

/** Part of a list, newest first, or from the lowest position up. */
export interface ListQuery<K extends IdKind = IdKind> extends PageQuery {
  readonly list: ListName<K>;
  readonly upward?: boolean;
  /** Only positions from here on (inclusive) … */
  readonly from?: number | undefined;
  /** … and up to here (exclusive). */
  readonly to?: number | undefined;
}

/** A member of a list. */
export interface Row<R = unknown> {
  /** Its position in the list, from which cursors are made. */
  readonly position: number;
  readonly json: WireJson<R>;
}

/** Entries of a list that may share one day. */
export const sequencesPerDay = 2 ** 38;

/** The position of an entry as one integer below 2^53. */
export function positionOf(day: number, sequence: number): number {
  return day * sequencesPerDay + sequence;
}

/** The sequence in a position: it stays the same when the day changes. */
export function sequenceOfPosition(position: number): number {
  return position % sequencesPerDay;
}

const slackPrefix = 'slack/';

/** The entry of a Slack user in `lists.removedOf` a person. */
export function slackUserEntry(slackUser: string): string {
  return slackPrefix + slackUser;
}

/** Undefined for the id suffix of a removed resource. */
export function slackUserOfEntry(entry: string): string | undefined {
  return entry.startsWith(slackPrefix) ? entry.slice(slackPrefix.length) : undefined;
}
