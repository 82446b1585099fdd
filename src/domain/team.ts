import type {Principal} from './access.js';
import type {Resource, WireJson} from './resource.js';
import {nearMatches} from './text.js';

export interface Team extends Resource {
  readonly object: 'team';
  /** Lower case, unique in the workspace, and permanent: standups and links carry it. */
  readonly slug: string;
  readonly name: string;
  /** IANA zone; a standup's date is a calendar day in it. */
  readonly timezone: string;
  readonly slack_channel_id: string | null;
  readonly slack_post_mode: SlackPostMode;
}

/**
 * How standups appear in the team's Slack channel. `thread`: as replies to one message for the day; `channel`: each as a message of its own;
 * `digest`: only the day's message, with who is in.
 */
export type SlackPostMode = 'thread' | 'channel' | 'digest';

export const slackPostModes = ['thread', 'channel', 'digest'] as const satisfies readonly SlackPostMode[];

/** A team as it is today: the records of those made before there was a choice do not name their mode. */
export function completeTeam(stored: Omit<Team, 'slack_post_mode'> & Partial<Team>): Team {
  if (stored.slack_post_mode !== undefined) return stored as Team;
  const {revision, created_at, updated_at, ...own} = stored;
  return {...own, slack_post_mode: 'thread', revision, created_at, updated_at};
}

/** `completeTeam` for wire JSON, which is hardly ever parsed for it. */
export function completeTeamJson(json: WireJson): WireJson {
  return json.includes('"slack_post_mode":') ? json : JSON.stringify(completeTeam(JSON.parse(json) as Team));
}

export type TeamRole = 'lead' | 'member';

/** A person's place in a team, from joining to leaving: who comes back gets a new one. */
export interface TeamMember extends Resource {
  readonly object: 'team_member';
  readonly team: string;
  readonly team_id: string;
  readonly member: Principal;
  readonly role: TeamRole;
}

/** All teams of a workspace at one version, for look-ups without a round trip. */
export interface TeamDirectory {
  readonly version: number;
  readonly teams: readonly Team[];
  byReference(reference: string): Team | undefined;
  byChannel(channel: string): Team | undefined;
}

/** Builds the look-ups over a workspace's teams; a reference is an id or a slug in any case. */
export function createTeamDirectory(version: number, teams: readonly Team[]): TeamDirectory {
  const byName = new Map<string, Team>();
  const byChannel = new Map<string, Team>();
  for (const team of teams) {
    byName.set(team.slug, team);
    byName.set(team.id, team);
    if (team.slack_channel_id !== null) byChannel.set(team.slack_channel_id, team);
  }
  return {
    version,
    teams,
    byReference: (reference) => byName.get(reference) ?? byName.get(reference.trim().toLowerCase()),
    byChannel: (channel) => byChannel.get(channel),
  };
}

/** The sentence for a team reference that names none, with what was probably meant. */
export function unknownTeam(reference: string, directory: TeamDirectory): string {
  const near = nearMatches(
    reference,
    directory.teams.map(({slug}) => slug),
  );
  const hint = near.length > 0 ? ` Did you mean ${near.map((slug) => `"${slug}"`).join(' or ')}?` : '';
  return `There is no team "${reference.slice(0, 80)}" in this workspace.${hint}`;
}
