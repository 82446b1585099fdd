import type {ReasonAudience} from '../absences/absence.js';
import type {Principal} from '../core/access.js';
import type {Question} from '../questions/question.js';
import type {Resource} from '../core/resource.js';
import type {LatePolicy, PromptAt, Schedule} from '../schedules/schedule.js';
import type {Scope} from '../core/access.js';
import {AppError, fieldError, createParameterError} from '../core/errors.js';
import {suggestNearMatches, quoteForMessage} from '../core/text.js';
import {suffixOf, type Id, type IdSuffix} from '../core/ids.js';

export interface Team extends Resource<'team'> {
  readonly object: 'team';
  /**
   * The short name of the team in lower case. It is unique in the workspace and never changes, because links
   * contain it.
   */
  readonly slug: string;
  readonly name: string;
  /** The IANA time zone in which the dates of standups are determined. */
  readonly timezone: string;
  readonly slack_channel_id: string | null;
  readonly slack_post_mode: SlackPostMode;
  /** The place where Slack shows the report of a closed run. */
  readonly slack_digest: SlackDigest;
  /** True if the report names people who have not posted; false if it only counts them. */
  readonly names_missing: boolean;
  /** The people who may read why a member is away: leads, or everybody if the team chooses so. */
  readonly absence_reasons: ReasonAudience;
  /** The people that a mention in a standup may notify in Slack. */
  readonly slack_mentions: SlackMentions;
  /** True if Slack gets a summary of each week. */
  readonly slack_weekly_summary: boolean;
  /** The times at which members are asked for a standup, unless they have made their own choice. */
  readonly prompt_at: PromptAt;
  /** The schedule of runs; null if only people open runs. */
  readonly schedule: Schedule | null;
  /** True while the team has no runs and no reminders. */
  readonly paused: boolean;
  readonly late_policy: LatePolicy;
  /** The team's own questions. If empty, the form asks for yesterday, today and blockers. */
  readonly questions: readonly Question[];
  /** The number of changes of the questions. */
  readonly questions_version: number;
}

/** `thread`: a reply to the day's message. `channel`: a separate message. `off`: no report. */
export type SlackDigest = 'thread' | 'channel' | 'off';

export const slackDigests = ['thread', 'channel', 'off'] as const satisfies readonly SlackDigest[];

/** `none`: nobody. `team`: members of the team. `workspace`: members of the workspace. */
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
 * The form in which standups appear in the team's Slack channel. `thread`: as replies to the day's message.
 * `channel`: as separate messages. `digest`: only the day's message, with the people who have posted.
 */
export type SlackPostMode = 'thread' | 'channel' | 'digest';

export const slackPostModes = ['thread', 'channel', 'digest'] as const satisfies readonly SlackPostMode[];

/**
 * A member's role in a team. An observer sees what a member sees, but is never asked, expected or counted.
 */
export type TeamRole = 'lead' | 'member' | 'observer';

export const teamRoles = ['lead', 'member', 'observer'] as const satisfies readonly TeamRole[];

/** True when members with this role are expected to post. */
export function isExpected({role}: {readonly role: TeamRole}): boolean {
  return role !== 'observer';
}

/** A member's membership in a team, in the short form of look-ups. */
export interface Membership {
  readonly role: TeamRole;
  /** The id suffix of the membership. */
  readonly suffix: IdSuffix<'team_member'>;
  /** True if the member has accepted it; see `TeamMember`. */
  readonly accepted: boolean;
}

/** A person's membership in a team, from joining to leaving. Joining again creates a new one. */
export interface TeamMember extends Resource<'team_member'> {
  readonly object: 'team_member';
  readonly team: string;
  readonly team_id: Id<'team'>;
  readonly member: Principal<'member'>;
  readonly role: TeamRole;
  /**
   * True if the team's leads may act for the member. It is false after a lead has added them, until they post
   * to the team, or an owner or admin confirms it.
   */
  readonly accepted: boolean;
}

/** All teams of a workspace at one version, for look-ups without a request to the store. */
export interface TeamDirectory {
  readonly version: string;
  /** The teams in the order of their creation. */
  readonly teams: readonly Team[];
  /** The position of each team in the stored list. */
  readonly positions: readonly number[];
  byReference: (reference: string) => Team | undefined;
  /** Finds a team by its id suffix. */
  bySuffix: (suffix: IdSuffix<'team'>) => Team | undefined;
  byChannel: (channel: string) => Team | undefined;
}

/**
 * Creates the look-ups for a workspace's teams. A team is found by its id, or by its slug in upper or lower
 * case.
 */
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

/** The largest number of teams that an error message lists when none has a similar name. */
const listedTeams = 12;

/** The scopes of callers who may see teams. A caller who may read standups may also see the teams. */
const seeing: readonly Scope[] = ['teams:read', 'standups:read'];

/** Returns the sentence for an unknown team. It suggests teams to callers who may see them. */
function describeUnknownTeam(
  reference: string,
  {teams}: TeamDirectory,
  {scopes}: {readonly scopes?: ReadonlySet<Scope>},
): string {
  const missing = `There is no team ${quoteForMessage(reference)} in this workspace.`;
  if (!seeing.some((scope) => scopes?.has(scope) === true)) return missing;
  const slugs = teams.map(({slug}) => slug);
  const all = slugs.length > listedTeams ? '' : ` There are: ${slugs.map((slug) => `"${slug}"`).join(', ')}.`;
  return missing + suggestNearMatches(reference, slugs, slugs.length === 0 ? '' : all);
}

/** Returns the team that the query parameter `team` names, if there is one. Errors: `team_not_found`. */
export function requireNamedTeam(
  directory: TeamDirectory,
  reference: string | undefined,
  viewer: {readonly scopes?: ReadonlySet<Scope>},
): Team | undefined {
  const team = reference === undefined ? undefined : directory.byReference(reference);
  if (reference === undefined || team !== undefined) return team;
  throw createParameterError('team', describeUnknownTeam(reference, directory, viewer), 'team_not_found');
}

/** Returns the team that a field of a body names. Errors: `team_not_found`, at `pointer`. */
export function requireTeamAtPointer(
  pointer: string,
  directory: TeamDirectory,
  reference: string,
  viewer: {readonly scopes?: ReadonlySet<Scope>},
): Team {
  const team = directory.byReference(reference);
  if (team !== undefined) return team;
  throw fieldError('team_not_found', pointer, describeUnknownTeam(reference, directory, viewer));
}

/** Creates the error for the path of a team that does not exist. */
export function createTeamNotFoundError(
  reference: string,
  directory: TeamDirectory,
  access: Parameters<typeof describeUnknownTeam>[2],
): AppError {
  return new AppError('not_found', describeUnknownTeam(reference, directory, access));
}
