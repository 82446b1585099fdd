import type {ReasonAudience} from '../absences/absence.js';
import type {Principal} from '../core/access.js';
import type {Question} from '../questions/question.js';
import type {Resource} from '../core/resource.js';
import type {LatePolicy, PromptAt, Schedule} from '../schedules/schedule.js';
import type {Scope} from '../core/access.js';
import {AppError, fieldError, parameterError} from '../core/errors.js';
import {didYouMean, quoteForMessage} from '../core/text.js';
import {suffixOf, type Id, type IdSuffix} from '../core/ids.js';

export interface Team extends Resource<'team'> {
  readonly object: 'team';
  /** Lower case, unique in the workspace, and permanent: standups and links carry it. */
  readonly slug: string;
  readonly name: string;
  /** IANA zone; a standup's date is a calendar day in it. */
  readonly timezone: string;
  readonly slack_channel_id: string | null;
  readonly slack_post_mode: SlackPostMode;
  /** Where the report of a run goes when it closes. */
  readonly slack_digest: SlackDigest;
  /** Whether that report names who has not posted, or only counts them. */
  readonly names_missing: boolean;
  /** The audience of the reasons why its people are away: everybody only where the team says so. */
  readonly absence_reasons: ReasonAudience;
  /** The people that a mention in a standup may notify in Slack. */
  readonly slack_mentions: SlackMentions;
  /** Whether Slack gets a summary of each week. */
  readonly slack_weekly_summary: boolean;
  /** When members are asked for their standup, unless they have chosen for themselves. */
  readonly prompt_at: PromptAt;
  /** Null: the team has runs only when a person opens one. */
  readonly schedule: Schedule | null;
  /** No runs and no reminders until it is resumed. */
  readonly paused: boolean;
  readonly late_policy: LatePolicy;
  /** The team's own questions; when empty, the form asks for yesterday, today and blockers. */
  readonly questions: readonly Question[];
  /** Counts the changes of the questions. */
  readonly questions_version: number;
}

/** `thread`: a reply to the message of the day; `channel`: a message of its own; `off`: none. */
export type SlackDigest = 'thread' | 'channel' | 'off';

export const slackDigests = ['thread', 'channel', 'off'] as const satisfies readonly SlackDigest[];

/** `none`: no one; `team`: members of the team; `workspace`: members of the workspace. */
export type SlackMentions = 'none' | 'team' | 'workspace';

export const slackMentions = ['none', 'team', 'workspace'] as const satisfies readonly SlackMentions[];

export const teamDefaults = {
  slack_post_mode: 'thread',
  slack_digest: 'thread',
  names_missing: false,
  absence_reasons: 'leads',
  slack_mentions: 'team',
  slack_weekly_summary: true,
  prompt_at: 'both',
  schedule: null,
  paused: false,
  late_policy: {accept: 'always'},
  questions: [],
  questions_version: 0,
} as const satisfies Partial<Team>;

/**
 * How standups appear in the team's Slack channel. `thread`: as replies to one message for the day;
 * `channel`: each as a message of its own; `digest`: only the day's message, with who is in.
 */
export type SlackPostMode = 'thread' | 'channel' | 'digest';

export const slackPostModes = ['thread', 'channel', 'digest'] as const satisfies readonly SlackPostMode[];

/** An observer sees what a member sees, and is never asked, expected or counted. */
export type TeamRole = 'lead' | 'member' | 'observer';

export const teamRoles = ['lead', 'member', 'observer'] as const satisfies readonly TeamRole[];

/** True when a standup is expected of members in this role. */
export function isExpected({role}: {readonly role: TeamRole}): boolean {
  return role !== 'observer';
}

/** A member's membership in a team, in the short form that look-ups return. */
export interface Membership {
  readonly role: TeamRole;
  /** Id suffix of the membership. */
  readonly suffix: IdSuffix<'team_member'>;
  /** Whether they have accepted it: see `TeamMember`. */
  readonly accepted: boolean;
}

/** A person's membership in a team, from joining to leaving: a person who comes back gets a new one. */
export interface TeamMember extends Resource<'team_member'> {
  readonly object: 'team_member';
  readonly team: string;
  readonly team_id: Id<'team'>;
  readonly member: Principal<'member'>;
  readonly role: TeamRole;
  /**
   * Whether the team's leads may act for them. False after a lead has added them, until they write for the
   * team themselves, or an owner or admin confirms it.
   */
  readonly accepted: boolean;
}

/** All teams of a workspace at one version, for look-ups without a round trip. */
export interface TeamDirectory {
  readonly version: string;
  /** In the order in which they were made. */
  readonly teams: readonly Team[];
  /** The position of each team in their list. */
  readonly positions: readonly number[];
  byReference: (reference: string) => Team | undefined;
  /** By id suffix. */
  bySuffix: (suffix: IdSuffix<'team'>) => Team | undefined;
  byChannel: (channel: string) => Team | undefined;
}

/** Builds the look-ups over a workspace's teams; a reference is an id or a slug in any case. */
export function createTeamDirectory(
  version: string,
  teams: readonly Team[],
  positions: readonly number[],
): TeamDirectory {
  const byName = new Map<string, Team>();
  const bySuffix = new Map<IdSuffix<'team'>, Team>();
  const byChannel = new Map<string, Team>();
  for (const team of teams) {
    byName.set(team.slug, team);
    byName.set(team.id, team);
    bySuffix.set(suffixOf(team.id), team);
    if (team.slack_channel_id !== null) byChannel.set(team.slack_channel_id, team);
  }
  return {
    version,
    teams,
    positions,
    byReference: (reference) => byName.get(reference) ?? byName.get(reference.trim().toLowerCase()),
    bySuffix: (suffix) => bySuffix.get(suffix),
    byChannel: (channel) => byChannel.get(channel),
  };
}

/** The number of teams up to which all are listed when none is near. */
const listedTeams = 12;

/** Callers who may read standups see the teams in them. */
const seeing: readonly Scope[] = ['teams:read', 'standups:read'];

/** The sentence for an unknown team reference, with a suggestion for callers who may see the teams. */
function unknownTeam(
  reference: string,
  {teams}: TeamDirectory,
  {scopes}: {readonly scopes?: ReadonlySet<Scope>},
): string {
  const missing = `There is no team ${quoteForMessage(reference)} in this workspace.`;
  if (!seeing.some((scope) => scopes?.has(scope) === true)) return missing;
  const slugs = teams.map(({slug}) => slug);
  const all = slugs.length > listedTeams ? '' : ` There are: ${slugs.map((slug) => `"${slug}"`).join(', ')}.`;
  return missing + didYouMean(reference, slugs, slugs.length === 0 ? '' : all);
}

/** The team that the parameter `team` of a query names, if any. Errors: `team_not_found`. */
export function requireNamedTeam(
  directory: TeamDirectory,
  reference: string | undefined,
  viewer: {readonly scopes?: ReadonlySet<Scope>},
): Team | undefined {
  const team = reference === undefined ? undefined : directory.byReference(reference);
  if (reference === undefined || team !== undefined) return team;
  throw parameterError('team', unknownTeam(reference, directory, viewer), 'team_not_found');
}

/** The team that a member of a body names. Errors: `team_not_found`, at `pointer`. */
export function requireTeamAt(
  pointer: string,
  directory: TeamDirectory,
  reference: string,
  viewer: {readonly scopes?: ReadonlySet<Scope>},
): Team {
  const team = directory.byReference(reference);
  if (team !== undefined) return team;
  throw fieldError('team_not_found', pointer, unknownTeam(reference, directory, viewer));
}

/** The refusal of an address of a team that does not exist. */
export function teamNotFound(
  reference: string,
  directory: TeamDirectory,
  access: Parameters<typeof unknownTeam>[2],
): AppError {
  return new AppError('not_found', unknownTeam(reference, directory, access));
}
