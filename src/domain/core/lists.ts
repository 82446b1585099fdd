import {suffixOf, type Id, type IdKind, type IdSuffix} from './ids.js';
import type {WireJson} from './resource.js';
import type {PrincipalId} from './access.js';

/** The name of a sorted list of resources of one kind in a workspace. Only `lists` creates such names. */
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
  observersOf: (team: Id<'team'>) => asListName<'team_member'>(`observers:${suffixOf(team)}`),
  teamsOfMember: (member: PrincipalId) => asListName<'team_member'>(`teams-of:${suffixOf(member)}`),
  serviceAccounts: () => asListName<'service_account'>('service-accounts'),
  accessTokens: () => asListName<'access_token'>('tokens'),
  accessTokensOf: (principal: PrincipalId | IdSuffix<'member'>) =>
    asListName<'access_token'>(`tokens:${suffixOf(principal)}`),
  accessTokensBy: (maker: PrincipalId) => asListName<'access_token'>(`tokens-by:${suffixOf(maker)}`),
  /** Tokens that were created with this token. */
  accessTokensUnder: (token: Id<'access_token'> | PrincipalId) =>
    asListName<'access_token'>(`tokens-under:${suffixOf(token)}`),
  standups: () => asListName<'standup'>('standups'),
  standupsOfTeam: (team: Id<'team'>) => asListName<'standup'>(`standups:${suffixOf(team)}`),
  standupsOfAuthor: (author: PrincipalId) => asListName<'standup'>(`standups:${suffixOf(author)}`),
  /** Runs of a team, sorted by their dates. */
  runsOfTeam: (team: Id<'team'> | IdSuffix<'team'>) => asListName<'run'>(`runs:${suffixOf(team)}`),
  openRunsOfTeam: (team: Id<'team'>) => asListName<'run'>(`open-runs:${suffixOf(team)}`),
  /** Absences, sorted by their last days. */
  absences: () => asListName<'absence'>('absences'),
  absencesOf: (member: PrincipalId) => asListName<'absence'>(`absences:${suffixOf(member)}`),
  /** Absences that this principal entered for other people. */
  absencesEnteredBy: (principal: PrincipalId) => asListName<'absence'>(`absences-by:${suffixOf(principal)}`),
  blockers: () => asListName<'blocker'>('blockers'),
  blockersOfTeam: (team: Id<'team'>) => asListName<'blocker'>(`blockers:${suffixOf(team)}`),
  openBlockersOfTeam: (team: Id<'team'>) => asListName<'blocker'>(`open-blockers:${suffixOf(team)}`),
  blockersOf: (author: PrincipalId) => asListName<'blocker'>(`blockers:${suffixOf(author)}`),
  /** Blockers, sorted by the day on which they were resolved. Open blockers come last. */
  blockersByEnd: () => asListName<'blocker'>('blockers-by-end'),
  comments: () => asListName<'comment'>('comments'),
  commentsOf: (standup: Id<'standup'> | IdSuffix<'standup'>) =>
    asListName<'comment'>(`comments-of:${suffixOf(standup)}`),
  commentsOfTeam: (team: Id<'team'>) => asListName<'comment'>(`comments:${suffixOf(team)}`),
  commentsBy: (author: PrincipalId) => asListName<'comment'>(`comments-by:${suffixOf(author)}`),
  reactions: () => asListName<'reaction'>('reactions'),
  /** The reactions to a standup, one for each person. */
  reactionsOn: (subject: Id<'standup'> | IdSuffix<'standup'>) =>
    asListName<'reaction'>(`reactions-on:${suffixOf(subject)}`),
  reactionsOfTeam: (team: Id<'team'>) => asListName<'reaction'>(`reactions-of:${suffixOf(team)}`),
  reactionsBy: (author: PrincipalId) => asListName<'reaction'>(`reactions-by:${suffixOf(author)}`),
  /** Erasures, sorted by their start (ms). */
  erasures: () => asListName<'erasure'>('erasures'),
  /** Invites, sorted by the days on which they were created. */
  invites: () => asListName<'invite'>('invites'),
  invitesBy: (maker: PrincipalId) => asListName<'invite'>(`invites-by:${suffixOf(maker)}`),
  /** Invites that were created with a token which a member or service account issued for another one. */
  invitesIssuedBy: (issuer: PrincipalId) => asListName<'invite'>(`invites-issued-by:${suffixOf(issuer)}`),
  /** Invites to one address, which is given as a hash (`createAddressKey`). */
  invitesTo: (addressKey: string) => asListName<'invite'>(`invites-to:${addressKey}`),
  /** Invites, sorted by the days on which they expire. */
  invitesByEnd: () => asListName<'invite'>('invites-by-end'),
  passkeysOf: (member: PrincipalId | IdSuffix<'member'>) =>
    asListName<'passkey'>(`passkeys:${suffixOf(member)}`),
  imports: () => asListName<'import'>('imports'),
  openImports: () => asListName<'import'>('open-imports'),
  /** The open import that creates standups, at most one, or those that are taken back. Dry runs are not in it. */
  importInProgress: () => asListName<'import'>('import-in-progress'),
  /** The standups of an import, as long as it can be taken back. */
  standupsOfImport: (of: Id<'import'>) => asListName<'standup'>(`standups-of-import:${suffixOf(of)}`),
  holidayCalendars: () => asListName<'holiday_calendar'>('holiday-calendars'),
  /**
   * Removed resources that name a person, and earlier Slack users of that person (see `createSlackUserEntry`). They
   * are sorted by the time of removal (ms), and kept as long as anything of them remains.
   */
  removedOf: (person: PrincipalId | IdSuffix<'member'>) => asListName(`removed:${suffixOf(person)}`),
  /** Deliveries of a webhook. This and the following functions take the webhook's id suffix. */
  deliveriesOf: (webhook: IdSuffix<'webhook'>) => asListName<'delivery'>(`deliveries:${webhook}`),
  replaysOf: (webhook: IdSuffix<'webhook'>) => asListName<'replay'>(`replays:${webhook}`),
  /** Replays of the last 24 hours without dry runs, sorted by their start (ms). */
  sendingReplaysOf: (webhook: IdSuffix<'webhook'>) => asListName<'replay'>(`sending-replays:${webhook}`),
} as const;

/** A position in a list, which is sorted by day, if there is one, and then by the number of the event. */
export interface Listing {
  readonly list: ListName;
  readonly day?: number;
}

/** One page of a list, from the beginning or after a given position. */
export interface PageQuery {
  /** The position at which the previous page ended; this page begins after it. */
  readonly past?: number | undefined;
  readonly limit: number;
}

/** One page of a list. `next` is the position for the following page, and undefined on the last page. */
export interface Page<R = WireJson> {
  readonly rows: readonly R[];
  readonly next: number | undefined;
}

/** A part of a list, with the newest entry first or in ascending order. */
export interface ListQuery<K extends IdKind = IdKind> extends PageQuery {
  /** The list. Several lists are read as if they were one: each entry has one position in all of its lists. */
  readonly list: ListName<K> | readonly ListName<K>[];
  readonly upward?: boolean;
  /** The lowest position to include. */
  readonly from?: number | undefined;
  /** The position before which this part of the list ends. */
  readonly to?: number | undefined;
}

export interface Row<R = unknown> {
  /** The entry's position in the list. Cursors are made from it. */
  readonly position: number;
  readonly json: WireJson<R>;
}

/** The maximum number of entries of a list that share one day. */
export const sequencesPerDay = 2 ** 38;

/** Returns the position of an entry as an integer below 2^53. */
export function positionOf(day: number, sequence: number): number {
  return day * sequencesPerDay + sequence;
}

/** Returns the event number in a position. It stays the same when the day changes. */
export function parseSequenceOfPosition(position: number): number {
  return position % sequencesPerDay;
}

const slackPrefix = 'slack/';

/** Returns the entry that stands for a Slack user in a person's list `lists.removedOf`. */
export function createSlackUserEntry(slackUser: string): string {
  return slackPrefix + slackUser;
}

/** Returns the Slack user of an entry; undefined for the id suffix of a removed resource. */
export function parseSlackUserEntry(entry: string): string | undefined {
  return entry.startsWith(slackPrefix) ? entry.slice(slackPrefix.length) : undefined;
}
