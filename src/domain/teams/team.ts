import {z} from 'zod';
import {reasonAudiences} from '../absences/absence.js';
import type {Scope} from '../core/access.js';
import {AppError, fieldError, type InputError, toRefusalOfFields} from '../core/errors.js';
import {type Id, suffixOf, type IdSuffix} from '../core/ids.js';
import {limits} from '../core/limits.js';
import {memberPrincipal} from '../core/access.js';
import {id, type Infer, oneOf, open, resource, text, timezone, visibility} from '../core/schemas.js';
import {isSlug, suggestNearMatches, quoteForMessage} from '../core/text.js';
import {newQuestionsSchema, questionSchema} from '../questions/question.js';
import {latePolicySchema, newScheduleSchema, promptAt, scheduleSchema} from '../schedules/schedule.js';

/** The short name of a team. It is unique in the workspace and never changes, because links contain it. */
const slug = z
  .string()
  .refine(
    (value) => isSlug(value, limits.slug),
    `must be 1 to ${limits.slug} lower-case letters, digits and inner dashes, such as "platform"`,
  )
  .meta({pattern: '^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$', maxLength: limits.slug, examples: ['platform']});

const slackPostModes = ['thread', 'channel', 'digest'] as const;
export type SlackPostMode = (typeof slackPostModes)[number];

const slackDigests = ['thread', 'channel', 'off'] as const;
export type SlackDigest = (typeof slackDigests)[number];

const slackReplies = ['both', 'out', 'off'] as const;
export type SlackReplies = (typeof slackReplies)[number];
const leadSummaries = ['when_needed', 'always', 'never'] as const;
export type LeadSummaryChoice = (typeof leadSummaries)[number];

const slackMentions = ['none', 'team', 'workspace'] as const;
export type SlackMentions = (typeof slackMentions)[number];

/** The settings of a team, as a request may give them. A new one needs its default in `teamDefaults`. */
const settings = {
  name: text(limits.name),
  timezone,
  slack_channel_id: z
    .string()
    .regex(/^[CG][A-Z0-9]{2,20}$/, 'must be the id of a Slack channel, such as "C024BE91L"')
    .meta({maxLength: 21})
    .nullable()
    .meta({description: 'The Slack channel in which the team posts and reads its standups.'}),
  slack_post_mode: oneOf(slackPostModes).meta({
    description:
      "How standups appear in the Slack channel: `thread`, as replies to one message for the day; `channel`, each as a message of its own; `digest`, only the day's message with the list of members who posted. A change applies to later standups.",
  }),
  slack_digest: oneOf(slackDigests).meta({
    description:
      'Where the report of a run is posted in Slack when it closes: `thread`, below the message of the day; `channel`, as a message of its own; `off`, nowhere.',
  }),
  slack_replies: oneOf(slackReplies).meta({
    description:
      'Whether comments and the threads of standups in Slack are one: `both`, comments are posted as replies, and replies become comments; `out`, comments are posted as replies; `off`, neither. Replies are read only below standups with a message of their own (`slack_post_mode` `channel`). A change applies to later comments and replies.',
  }),
  lead_summary: oneOf(leadSummaries).meta({
    description:
      'Whether leads get a message when a run closes, in Slack or by mail: `when_needed`, if someone is missing or a blocker is open; `always`; `never`. It says who is missing, who is away, and what blocks.',
  }),
  names_missing: z.boolean().meta({
    description: 'Whether the report of a run names the members who have not posted, or only counts them.',
  }),
  absence_reasons: z.enum(reasonAudiences, 'must be "leads" or "team"').meta({
    description:
      'Who can read why members of the team are away: `leads`, leads of the team, owners and admins; `team`, every member of the workspace, also in its channel. A change applies to later reasons.',
  }),
  slack_mentions: oneOf(slackMentions).meta({
    description:
      'Who is notified in Slack when a standup mentions them: `none`, no one; `team`, members of the team; `workspace`, members of the workspace. Others are named without a notification.',
  }),
  slack_weekly_summary: z.boolean().meta({description: 'Whether Slack gets a summary of each week.'}),
  prompt_at: promptAt,
  schedule: newScheduleSchema.nullable().optional().meta({
    description:
      'The schedule, replaced as a whole. Null removes it. An open run keeps the schedule it opened with.',
  }),
  paused: z.boolean().meta({
    description:
      'Whether the team is paused: it has no runs and no reminders. An open run is cancelled when the team is paused.',
  }),
  visibility: visibility.meta({
    description:
      'Who can read the team and everything in it: `open`, every member of the workspace; `private`, its members, owners and admins, and service accounts with the scope `teams:private`. To everyone else a private team does not exist. Its Slack channel must be private too.',
  }),
  late_policy: latePolicySchema,
  questions: newQuestionsSchema,
};

/** The settings of a new team in every channel, for those that the request leaves out. */
export const teamDefaults = {
  slack_post_mode: 'thread',
  slack_digest: 'thread',
  slack_replies: 'both',
  lead_summary: 'when_needed',
  names_missing: false,
  absence_reasons: 'leads',
  slack_mentions: 'team',
  slack_weekly_summary: true,
  prompt_at: 'both',
  schedule: null,
  paused: false,
  visibility: 'open',
  late_policy: {accept: 'always'},
  questions: [],
  questions_version: 0,
} as const satisfies Partial<Team>;

/** The settings of stored teams that lack them. Nothing is posted or sent that such a team does not expect. */
export const earlierTeamDefaults = {...teamDefaults, slack_replies: 'off', lead_summary: 'never'} as const;

export const teamSchema = resource('team', {
  slug: z.string(),
  ...settings,
  name: z.string(),
  timezone: z.string(),
  slack_channel_id: z.string().nullable(),
  schedule: scheduleSchema
    .nullable()
    .meta({description: 'The schedule. Null: runs are only opened by callers.'}),
  questions: z
    .array(questionSchema)
    .meta({description: 'The questions of the form. Empty: yesterday, today, blockers.'}),
  questions_version: z.int().meta({description: 'The version of the questions: it counts their changes.'}),
}).meta({id: 'Team', description: 'The group an update is for.'});

export type Team = Infer<typeof teamSchema>;

export const teamChangeSchema = z
  .strictObject(settings)
  .partial()
  .meta({id: 'TeamChange', description: 'Changes to a team, as a JSON merge patch.'});

export type TeamChange = Infer<typeof teamChangeSchema>;

/** Requests cannot set `questions_version`, so its default is not shown. */
const {questions_version: _, ...defaults} = teamDefaults;
const shownDefaults = Object.entries(defaults)
  .map(([name, value]) => `\`${name}\` \`${JSON.stringify(value)}\``)
  .join(', ');

export const newTeamSchema = z
  .strictObject({slug, ...teamChangeSchema.shape})
  .meta({id: 'NewTeam', description: `The fields of a new team. The defaults are ${shownDefaults}.`});

/** A new team. By default its name is the slug and its time zone is UTC; for the rest see `teamDefaults`. */
export type NewTeam = Infer<typeof newTeamSchema>;

/** The roles in a team. An observer sees what a member sees, but is never asked, expected or counted. */
export const teamRoles = ['lead', 'member', 'observer'] as const;
export type TeamRole = (typeof teamRoles)[number];

export const teamMemberSchema = resource('team_member', {
  team: z.string().meta({description: "The team's slug."}),
  team_id: id('team'),
  member: memberPrincipal,
  role: open<TeamRole>({
    examples: ['member'],
    description:
      'The role: `lead`, `member` or `observer`. An observer sees what a member sees, and is never asked, expected or counted. More values may be added.',
  }),
  accepted: z.boolean().meta({
    description:
      "Whether the team's leads can post and create absences for the member. It is false after a lead adds a member. It becomes true when the member writes for the team, or when they, an owner or an admin repeat the `PUT` of the membership.",
  }),
}).meta({
  id: 'TeamMember',
  description:
    "A member's membership in a team, from joining to leaving. Its `id` stays when the role changes. A member who joins again gets a new one.",
});

export const membershipSchema = z.strictObject({
  role: z.enum(teamRoles, 'must be lead, member or observer').default('member'),
});

/** True when members with this role are expected to post. */
export function isExpected({role}: {readonly role: TeamRole}): boolean {
  return role !== 'observer';
}

/** A member's membership in a team, in the short form of look-ups. */
export interface Membership {
  readonly role: TeamRole;
  readonly suffix: IdSuffix<'team_member'>;
  /** True if the member has accepted it; see `TeamMember`. */
  readonly accepted: boolean;
}

/** A person's membership in a team, from joining to leaving. Joining again creates a new one. */
export type TeamMember = Infer<typeof teamMemberSchema>;

/** All teams of a workspace at one version, for look-ups without a request to the store. */
export type TeamDirectory = ReturnType<typeof createTeamDirectory>;

/** The private teams that a reader may see: all of them, or those with these ids. */
export type Reach = 'all' | ReadonlySet<Id<'team'>>;

/** True if a reader may see a team. */
export function isReached({id, visibility}: Pick<Team, 'id' | 'visibility'>, reach: Reach): boolean {
  return visibility === 'open' || reach === 'all' || reach.has(id);
}

/** True if all readers of a channel may read a team: a private one is shown in its own channel only. */
export function isReadIn({visibility, slack_channel_id: own}: Team, channel: string): boolean {
  return visibility !== 'private' || own === channel;
}

/** Creates the look-ups for a workspace's teams, by id, or by slug in upper or lower case. */
export function createTeamDirectory(version: string, teams: readonly Team[], positions: readonly number[]) {
  const byName = new Map<string, Team>();
  const bySuffix = new Map<IdSuffix<'team'>, Team>();
  const byChannel = new Map<string, Team>();
  for (const team of teams) {
    byName.set(team.slug, team);
    byName.set(team.id, team);
    bySuffix.set(suffixOf(team.id), team);
    if (team.slack_channel_id !== null) byChannel.set(team.slack_channel_id, team);
  }
  const hasPrivate = teams.some(({visibility}) => visibility === 'private');
  return {
    version,
    /** True if the directory has a private team. */
    hasPrivate,
    /** Tells apart what readers see at the same version: the private teams in it. */
    reach: hasPrivate ? 'all' : '',
    /** The teams in the order of their creation. */
    teams,
    /** The position of each team in the stored list. */
    positions,
    byReference: (reference: string): Team | undefined =>
      byName.get(reference) ?? byName.get(reference.trim().toLowerCase()),
    bySuffix: (suffix: IdSuffix<'team'>): Team | undefined => bySuffix.get(suffix),
    byChannel: (channel: string): Team | undefined => byChannel.get(channel),
  };
}

/** Returns the directory, of the same version, without the private teams that a reader may not see. */
export function narrowDirectory(directory: TeamDirectory, reach: Reach): TeamDirectory {
  if (reach === 'all' || !directory.hasPrivate) return directory;
  const among = directory.teams.map((team) => isReached(team, reach));
  if (!among.includes(false)) return directory;
  const keep = (team: Team | undefined) => (team !== undefined && isReached(team, reach) ? team : undefined);
  const teams = directory.teams.filter((_, i) => among[i]);
  const own = teams.filter(({visibility}) => visibility === 'private').map(({id}) => id);
  return {
    version: directory.version,
    hasPrivate: own.length > 0,
    reach: `only ${own.join(' ')}`,
    teams,
    positions: directory.positions.filter((_, i) => among[i]),
    byReference: (reference) => keep(directory.byReference(reference)),
    bySuffix: (suffix) => keep(directory.bySuffix(suffix)),
    byChannel: (channel) => keep(directory.byChannel(channel)),
  };
}

/** The largest number of teams that an error message lists when none has a similar name. */
const listedTeams = 12;

/** The largest number of unknown names for which one answer looks for similar ones. */
const mostSuggested = 3;

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

/**
 * Returns the teams that the query parameter `team` names, each once; undefined if it names none. Errors:
 * `team_not_found`, with an entry for each unknown name.
 */
export function requireNamedTeams(
  directory: TeamDirectory,
  references: readonly string[] | undefined,
  viewer: {readonly scopes?: ReadonlySet<Scope>},
): readonly Team[] | undefined {
  if (references === undefined) return undefined;
  let suggested = 0;
  const found = references.map((reference) => directory.byReference(reference));
  const unknown = references.flatMap((reference, at): InputError[] => {
    if (found[at] !== undefined) return [];
    const prefix = references.length > 1 ? `Name ${at + 1} of \`team\` is unknown. ` : '';
    suggested += 1;
    const detail =
      prefix + describeUnknownTeam(reference, directory, suggested > mostSuggested ? {} : viewer);
    return [{code: 'team_not_found', detail, parameter: 'team'}];
  });
  if (unknown.length > 0) throw toRefusalOfFields('team_not_found', unknown);
  return [...new Set(found)].filter((team) => team !== undefined);
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
